"""What a made-up shop sells: names, amounts, and how a country writes them. The same seed gives the same goods."""

from __future__ import annotations

import random
from dataclasses import dataclass

_ADJECTIVES = (
    "Quiet",
    "Amber",
    "Folding",
    "Coastal",
    "Sturdy",
    "Northern",
    "Velvet",
    "Copper",
    "Twin",
    "Everyday",
)
_THINGS = (
    "Lantern",
    "Kettle",
    "Rain Jacket",
    "Desk Lamp",
    "Trail Boots",
    "Teapot",
    "Notebook",
    "Backpack",
    "Chair",
    "Blender",
)
_SUFFIXES = (
    "",
    " 2.0",
    " - Large",
    " Set of 4",
    ", Oak",
    " XL 500",
    " (2 Pack)",
    " for Kids",
    " 12-Inch",
    " Pro",
)


@dataclass(frozen=True, slots=True)
class Country:
    """How one country writes money."""

    currency: str
    before: str
    after: str
    group: str
    point: str
    host: str
    digits: int = 2


COUNTRIES = {
    "us": Country("USD", "$", "", ",", ".", "shop.example.com"),
    "uk": Country("GBP", "£", "", ",", ".", "shop.example.co.uk"),
    "de": Country("EUR", "", " €", ".", ",", "laden.example.de"),
    "fr": Country("EUR", "", " €", " ", ",", "boutique.example.fr"),
    "nl": Country("EUR", "€ ", "", ".", ",", "winkel.example.nl"),
    "it": Country("EUR", "€ ", "", ".", ",", "negozio.example.it"),
    "jp": Country("JPY", "", "円", ",", ".", "shop.example.co.jp", 0),
    "ca": Country("CAD", "$", "", ",", ".", "shop.example.ca"),
    "au": Country("AUD", "$", "", ",", ".", "shop.example.com.au"),
    "ch": Country("CHF", "CHF ", "", "'", ".", "laden.example.ch"),
    "se": Country("SEK", "", " kr", " ", ",", "butik.example.se", 0),
    "pl": Country("PLN", "", " zł", " ", ",", "sklep.example.pl"),
    "dk": Country("DKK", "", " kr.", ".", ",", "butik.example.dk"),
    "in": Country("INR", "₹", "", ",", ".", "shop.example.in"),
    "br": Country("BRL", "R$ ", "", ".", ",", "loja.example.com.br"),
    "cz": Country("CZK", "", " Kč", " ", ",", "obchod.example.cz", 0),
    "kr": Country("KRW", "", "원", ",", ".", "shop.example.co.kr", 0),
    "vn": Country("VND", "", "đ", ".", ",", "shop.example.vn", 0),
    "ru": Country("RUB", "", " ₽", " ", ",", "shop.example.ru", 0),
    "tr": Country("TRY", "", " TL", ".", ",", "shop.example.com.tr"),
    "hu": Country("HUF", "", " Ft", " ", ",", "bolt.example.hu", 0),
    "ro": Country("RON", "", " Lei", ".", ",", "magazin.example.ro"),
    "ar": Country("ARS", "$ ", "", ".", ",", "tienda.example.com.ar", 0),
    "mx": Country("MXN", "$", "", ",", ".", "tienda.example.com.mx"),
    "th": Country("THB", "฿", "", ",", ".", "shop.example.co.th", 0),
    "id": Country("IDR", "Rp", "", ".", ",", "toko.example.co.id", 0),
    "za": Country("ZAR", "R ", "", ",", ".", "shop.example.co.za"),
    "pe": Country("PEN", "S/ ", "", ",", ".", "tienda.example.pe"),
    "bg": Country("BGN", "", " лв.", " ", ",", "magazin.example.bg"),
    "ua": Country("UAH", "", " грн", " ", ",", "shop.example.ua", 0),
    "il": Country("ILS", "", " ₪", ",", ".", "shop.example.co.il"),
    "ae": Country("AED", "AED ", "", ",", ".", "shop.example.ae"),
    "cl": Country("CLP", "$", "", ".", ",", "tienda.example.cl", 0),
    "gr": Country("EUR", "", "€", ".", ",", "shop.example.gr"),
    "cn": Country("CNY", "¥", "", ",", ".", "shop.example.cn"),
    "sg": Country("SGD", "S$", "", ",", ".", "shop.example.sg"),
}


@dataclass(frozen=True, slots=True)
class Goods:
    """One product, what it costs now, and what it did cost when it is on sale."""

    name: str
    country: Country
    cents: int
    was_cents: int
    sku: str
    others: tuple[tuple[str, int], ...]

    @property
    def number(self) -> str:
        """The price as JSON-LD writes it."""
        return number(self.cents, self.country)

    @property
    def was_number(self) -> str:
        """The former price as JSON-LD writes it."""
        return number(self.was_cents, self.country)

    @property
    def shown(self) -> str:
        """The price as people read it."""
        return show(self.cents, self.country)

    @property
    def was_shown(self) -> str:
        """The former price as people read it."""
        return show(self.was_cents, self.country)

    @property
    def minor(self) -> int:
        """The price in the smallest unit of its currency."""
        return self.cents if minor_digits(self.country) else self.cents // 100

    @property
    def url(self) -> str:
        """Where the page would stand."""
        slug = "-".join(word.strip("(),.").lower() for word in self.name.split())
        return f"https://{self.country.host}/products/{slug}"


def minor_digits(country: Country) -> int:
    """How many decimals the currency has in law, whatever a shop writes."""
    return 0 if country.currency in ("JPY", "KRW", "VND", "CLP") else 2


def goods(seed: int, country: str) -> Goods:
    """Return the goods of this seed."""
    dice = random.Random(f"{seed}-{country}")
    home = COUNTRIES[country]

    def name() -> str:
        return f"{dice.choice(_ADJECTIVES)} {dice.choice(_THINGS)}{dice.choice(_SUFFIXES)}"

    def amount() -> int:
        whole = dice.choice((dice.randint(5, 99), dice.randint(100, 999), dice.randint(1000, 4999)))
        return (whole * 10 if home.digits == 0 else whole) * 100 + (
            dice.choice((0, 50, 95, 99, 49)) if home.digits else 0
        )

    cents = amount()
    was = cents + dice.randint(3, 40) * 100
    others = tuple((name(), amount()) for _ in range(6))
    return Goods(name(), home, cents, was, f"{dice.choice('ABKX')}{dice.randint(10000, 99999)}", others)


def number(cents: int, country: Country) -> str:
    """Return the amount with a decimal point, as machines write it."""
    return f"{cents // 100}" if country.digits == 0 else f"{cents // 100}.{cents % 100:02d}"


def show(cents: int, country: Country) -> str:
    """Return the amount as the country's shops write it."""
    return f"{country.before}{digits(cents, country)}{country.after}"


def digits(cents: int, country: Country) -> str:
    """Return the digits alone, grouped and pointed as at home."""
    whole = f"{cents // 100:,}".replace(",", country.group)
    return whole if country.digits == 0 else f"{whole}{country.point}{cents % 100:02d}"
