"""Amounts of money in visible text, in the notations of many countries; digits without money are none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from limpet.extract.parse.amount import Amount, read_amount
from limpet.extract.parse.currency import minor_digits

MOST_CENTS = 99_999_999

_DOLLARS = ("USD", "CAD", "AUD", "NZD", "MXN", "SGD", "HKD", "CLP", "COP", "ARS", "TWD")
_SIGNS = {
    "US $": "USD", "C $": "CAD", "AU $": "AUD", "CA $": "CAD", "NZ $": "NZD", "CDN $": "CAD",
    "US$": "USD", "USD$": "USD", "CA$": "CAD", "CAD$": "CAD", "CDN$": "CAD", "C$": "CAD", "AU$": "AUD",
    "AUD$": "AUD", "A$": "AUD", "NZ$": "NZD", "HK$": "HKD", "R$": "BRL", "S$": "SGD", "MX$": "MXN", "NT$": "TWD",
    "$": "$", "£": "GBP", "€": "EUR", "¥": "¥", "￥": "¥", "円": "JPY", "元": "CNY", "₹": "INR", "₽": "RUB",
    "₩": "KRW", "₺": "TRY", "₴": "UAH", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "zł": "PLN", "Kč": "CZK",
    "Ft": "HUF", "лв.": "BGN", "лв": "BGN", "руб.": "RUB", "руб": "RUB", "р.": "RUB", "lei": "RON", "Lei": "RON",
    "Fr.": "CHF", "SFr.": "CHF", "Rp": "IDR", "RM": "MYR", "Rs.": "INR", "Rs": "INR", "TL": "TRY", "kr.": "kr",
    "kr": "kr", "Kr.": "kr", "Kr": "kr", "KR": "kr", "SEK": "SEK", "NOK": "NOK", "DKK": "DKK", "EUR": "EUR",
    "USD": "USD", "GBP": "GBP", "CAD": "CAD", "AUD": "AUD", "NZD": "NZD", "CHF": "CHF", "PLN": "PLN", "CZK": "CZK",
    "HUF": "HUF", "RON": "RON", "RUB": "RUB", "JPY": "JPY", "CNY": "CNY", "INR": "INR", "BRL": "BRL", "ZAR": "ZAR",
    "SGD": "SGD", "HKD": "HKD", "MXN": "MXN", "TRY": "TRY", "AED": "AED", "ILS": "ILS", "KWD": "KWD", "THB": "THB",
    "MYR": "MYR", "ISK": "ISK", "BGN": "BGN", "euro": "EUR", "Euro": "EUR", "euros": "EUR", "R": "ZAR",
    "PHP": "PHP", "IDR": "IDR", "KRW": "KRW", "TWD": "TWD", "UAH": "UAH", "SAR": "SAR", "QAR": "QAR", "zl": "PLN",
    "원": "KRW", "đ": "VND", "VNĐ": "VND", "VND": "VND", "S/.": "PEN", "S/": "PEN", "PEN": "PEN", "บาท": "THB",
    "₦": "NGN", "₸": "KZT", "₡": "CRC", "₲": "PYG", "₼": "AZN", "₾": "GEL", "kn": "HRK", "RSD": "RSD", "дин": "RSD",
    "EGP": "EGP", "NGN": "NGN", "KES": "KES", "KSh": "KES", "PKR": "PKR", "BDT": "BDT", "৳": "BDT", "COP": "COP",
    "CLP": "CLP", "ARS": "ARS", "U$S": "USD", "Dhs.": "AED", "د.إ": "AED", "ر.س": "SAR", "KD": "KWD", "RMB": "CNY",
    ":-": "kr", "грн": "UAH", "ج.م": "EGP", "ر.ق": "QAR", "د.ك": "KWD", "Eur": "EUR", "eur": "EUR",
    **{f"{code}{gap}$": code for code in _DOLLARS for gap in ("", " ")},
}  # fmt: skip
_SHARED = {
    "$": frozenset((
        "USD", "CAD", "AUD", "NZD", "MXN", "SGD", "HKD", "CLP", "COP", "ARS", "TWD", "BRL",
    )),
    "¥": frozenset(("JPY", "CNY")),
    "kr": frozenset(("SEK", "NOK", "DKK", "ISK")),
}  # fmt: skip
_FALLBACK = {"$": "USD", "¥": "JPY", "kr": None}
_THOUSANDS_ONLY_BY_DOT = frozenset(("USD", "GBP", "CAD", "AUD", "NZD", "INR", "JPY", "CNY", None))

# Also words, sizes and model names: money only where the page or its country says so.
_ONLY_AT_HOME = frozenset((
    "R", "đ", "kn", "р.", "KD", "S/", "дин", "Ft", "lei", "Lei", "TL", "RM", "Rp", "Fr.", "zl", "Rs", "KR", "Kr",
    "kr", "元", "euro", "Euro",
))  # fmt: skip
_HOMELESS_IS_FINE = frozenset(("kr", "Kr", "euro", "Euro", "Rs", "元"))

# Signs that mean one currency wherever they stand; the others are shared, or words of several countries.
_ONE_MEANING = frozenset(
    ("€", "£", "₹", "₺", "₴", "₪", "₩", "zł", "Kč", "円", "R$", "US$", "US $", "CA$", "AU$", "NZ$")
)

_SIGN = "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))
_NUMBER = (
    r"(?:\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d{1,2})?(?!\d)"
    r"|\d{1,3}(?:,\d{2,3})+,\d{3}(?:\.\d{1,2})?(?![\d,])|\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?(?![\d.,]?\d)"
    r"|\d+(?:[.,]\d{1,4})?)"
)
_NO_CENTS = r"(?:\s?[.,]\s?[-–—]{1,2}|\s?:-)?"
_AMOUNT = re.compile(
    # After a small letter a plain sign begins an amount too: "Sale price$19.99". Two more digits are raised cents,
    # flattened: nobody knows.
    rf"(?:(?<![\w.,])(?P<before>{_SIGN})|(?<=[a-z])(?P<glued>[$£€₹]))\s?:?\s?(?P<a>{_NUMBER}|\.\d\d(?!\d)){_NO_CENTS}"
    r"(?!\s?%)(?![\d٫٬])(?!\s\d\d\s*$)"
    rf"|(?<![\w.,٫٬$£€])(?P<b>{_NUMBER}){_NO_CENTS}\s?(?P<after>{_SIGN})"
    # "25 euros 50": so it is spoken.
    r"(?P<cents>\d\d|(?<=euros)\s\d\d(?=\s*$))?(?![\w])"
)
_BARE = re.compile(rf"\s*(?P<b>{_NUMBER}){_NO_CENTS}\s*")
_PENCE = re.compile(r"\s*([1-9]\d?)\s?p\s*")
_HARMLESS = re.compile(
    r"\b(?:USD|EUR|GBP|CAD|AUD|NZD|CHF|SEK|NOK|DKK|PLN|JPY|INR|each|ea|inc|incl|including|inkl|vat|mwst|ust|tax|taxes|gst|ttc"
    r"|iva|btw|moms|inclusa|incluido|inclusief|brutto|price|preis|prix|prezzo|precio|now|only|just|our|your|sale|jetzt|nur"
    r"|item|is|the|for|this|current|par|pièce|stück|税込|税抜|から)\b\.?",
    re.I,
)
_SPACES = re.compile(r"[\u00a0\u202f\u2009\u2007\u3000\s]+")
_RAISED = re.compile(r"(?<=\d)[⁰¹²³⁴⁵⁶⁷⁸⁹]{2}(?![⁰¹²³⁴⁵⁶⁷⁸⁹])")
_ARABIC_GROUPS = re.compile(r"(?<=\d)٬(?=\d{3}(?!\d))")
# Before three decimals it stays, and nothing is read.
_ARABIC_POINT = re.compile(r"(?<=\d)٫(?=\d{1,2}(?!\d))")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_REGIONS = {
    "US": "USD", "GB": "GBP", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "SE": "SEK", "DK": "DKK", "NO": "NOK", "PL": "PLN",
    "CH": "CHF", "JP": "JPY", "BR": "BRL", "IN": "INR", "MX": "MXN", "CZ": "CZK", "HU": "HUF", "RO": "RON", "TR": "TRY",
    "ZA": "ZAR", "SG": "SGD", "HK": "HKD", "TW": "TWD", "KR": "KRW", "CN": "CNY", "RU": "RUB", "IL": "ILS", "CL": "CLP",
    "CO": "COP", "AR": "ARS",
    **dict.fromkeys(("DE", "FR", "IT", "ES", "NL", "AT", "BE", "FI", "IE", "PT", "GR"), "EUR"),
}  # fmt: skip
_COUNTRIES = {
    ".com.au": "AUD", ".co.nz": "NZD", ".ca": "CAD", ".com.mx": "MXN", ".mx": "MXN", ".com.sg": "SGD",
    ".sg": "SGD", ".com.hk": "HKD", ".hk": "HKD", ".se": "SEK", ".no": "NOK", ".dk": "DKK", ".is": "ISK",
    ".cn": "CNY", ".jp": "JPY", ".co.jp": "JPY", ".com.br": "BRL", ".cl": "CLP", ".com.co": "COP",
    ".com.ar": "ARS", ".com.tw": "TWD", ".au": "AUD", ".nz": "NZD", ".hu": "HUF", ".ro": "RON", ".tr": "TRY",
    ".my": "MYR", ".id": "IDR", ".ch": "CHF", ".pl": "PLN", ".za": "ZAR", ".in": "INR", ".cz": "CZK", ".uk": "GBP",
    ".ru": "RUB", ".ua": "UAH", ".kr": "KRW", ".th": "THB", ".vn": "VND", ".ph": "PHP", ".il": "ILS", ".bg": "BGN",
    ".pe": "PEN", ".ae": "AED", ".sa": "SAR", ".eg": "EGP", ".ng": "NGN", ".ke": "KES", ".pk": "PKR", ".bd": "BDT",
    ".kz": "KZT", ".rs": "RSD", ".com.pe": "PEN", ".com.uy": "UYU", ".kw": "KWD", ".qa": "QAR",
    **dict.fromkeys((
        ".de", ".fr", ".it", ".es", ".nl", ".at", ".be", ".fi", ".ie", ".pt", ".gr", ".sk", ".si", ".ee", ".lv", ".lt",
        ".lu", ".hr",
    ), "EUR"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Money:
    """An amount as text shows it, and where in the text it stands."""

    cents: int
    currency: str | None
    start: int
    end: int
    has_sign: bool = True
    names_one: bool = False  # a sign or code that means this currency and no other


def plain(text: str) -> str:
    """Return the text with every kind of blank as one space, raised cents and Arabic ones after a point."""
    text = _SPACES.sub(" ", text).strip()
    if text.isascii():
        return text
    text = _ARABIC_POINT.sub(".", _ARABIC_GROUPS.sub("", text))
    return _RAISED.sub(lambda found: f".{found[0].translate(_LOWERED)}", text)


def holds_amount(text: str) -> bool:
    """Whether some number stands beside some sign of money."""
    return _AMOUNT.search(text if text.isascii() else plain(text)) is not None


def amounts_in(text: str, hint: str | None) -> Iterator[Money]:
    """Yield every amount that carries a currency sign."""
    for found in _AMOUNT.finditer(text):
        sign = found["before"] or found["glued"] or found["after"]
        currency = meant_by(sign, hint)
        if sign in _ONLY_AT_HOME and currency != hint and sign not in _HOMELESS_IS_FINE:
            continue
        number = found["a"] or found["b"]
        number = f"0{number}" if number.startswith(".") else number
        if found["cents"]:
            number = f"{number}.{found['cents'].strip()}"
        cents = _cents(number, currency)
        if cents is not None:
            names_one = sign in _ONE_MEANING or sign.rstrip(" $") == currency
            yield Money(cents, currency, found.start(), found.end(), names_one=names_one)


def bare_amount(text: str, hint: str | None) -> Money | None:
    """Return the amount of a text that is nothing but a number."""
    found = _BARE.fullmatch(text)
    cents = _cents(found["b"], hint) if found is not None else None
    return Money(cents, hint, 0, len(text), has_sign=False) if cents is not None else None


def pence(text: str, hint: str | None) -> Money | None:
    """Return the amount of a text such as `85p`, where pounds are at home."""
    found = _PENCE.fullmatch(text) if hint == "GBP" else None
    return Money(int(found[1]), hint, 0, len(text)) if found is not None else None


def is_sign(text: str) -> bool:
    """Whether the text is a sign of money and nothing else."""
    return text.strip() in _SIGNS


def is_harmless(rest: str) -> bool:
    """Whether what stands beside an amount changes nothing about it: a code, a tax note, "each"."""
    return not any(sign.isalnum() for sign in _HARMLESS.sub(" ", rest))


def meant_by(sign: str, hint: str | None) -> str | None:
    """Return the currency of a sign; one shared by countries is settled by the hint, else by custom."""
    name = _SIGNS.get(sign)
    if name in _SHARED:
        return hint if hint in _SHARED[name] else _FALLBACK[name]
    return name


def currency_of_host(host: str) -> str | None:
    """Return the currency of a country's domain: it settles bare numbers and signs such as `$` and `kr`."""
    best = max((suffix for suffix in _COUNTRIES if host.endswith(suffix)), key=len, default=None)
    return _COUNTRIES[best] if best else None


def currency_of_locale(locale: str) -> str | None:
    """Return the currency of a locale's country: `en-GB`, `fr_CA`."""
    return _REGIONS.get(locale.replace("_", "-").partition("-")[2].upper())


def _cents(number: str, currency: str | None) -> int | None:
    whole, _, decimals = number.rpartition("." if "." in number else ",")
    if whole.isdigit() and len(decimals) == 3 and minor_digits(currency) != 3 and not whole.startswith("0"):
        # "1.299" with a currency is a thousand and more; only where a comma groups is a dot a riddle.
        if "." in number and currency in _THOUSANDS_ONLY_BY_DOT:
            return None
        number = whole + decimals
    read = read_amount(number, currency)
    if not isinstance(read, Amount) or read.minor_units > MOST_CENTS:
        return None
    return read.minor_units
