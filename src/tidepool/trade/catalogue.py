"""What shops sell. Products are invented on demand: a hundred thousand cost no more than ten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tidepool.draw import draw, pick
from tidepool.trade.shelf import Shelf


class Kind(StrEnum):
    """What is special about a product, for good."""

    IN_STOCK = "in_stock"
    TIERED = "tiered"
    ON_SALE = "on_sale"
    SOLD_OUT = "sold_out"  # the price is still shown
    SOLD_OUT_UNPRICED = "sold_out_unpriced"
    BACKORDER = "backorder"
    PREORDER = "preorder"
    DISCONTINUED = "discontinued"
    ZERO_PRICE = "zero_price"
    CALL_FOR_PRICE = "call_for_price"
    VARIANTS = "variants"
    DELISTED = "delisted"  # its address answers 200 with the category page
    WITHDRAWN = "withdrawn"  # its address answers 410


# Any forty products in a row hold every kind, whatever the seed.
KINDS = (*(Kind.IN_STOCK,) * 20, *(Kind.TIERED,) * 7, *(Kind.ON_SALE, Kind.SOLD_OUT) * 2, *list(Kind)[4:])


@dataclass(frozen=True, slots=True)
class Category:
    slug: str
    name: str
    parent_slug: str
    parent_name: str
    calibre: str
    grains: tuple[int, ...]
    cents_per_round: int


_HANDGUN = ("handgun-ammo", "Handgun Ammo")
_RIFLE = ("rifle-ammo", "Rifle Ammo")

CATEGORIES = (
    Category("9mm-luger-ammo", "9mm Luger Ammo", *_HANDGUN, "9mm Luger", (115, 124, 147), 31),
    Category("45-auto-ammo", "45 Auto Ammo", *_HANDGUN, "45 Auto", (185, 230), 52),
    Category("380-auto-ammo", "380 Auto Ammo", *_HANDGUN, "380 Auto", (90, 95), 38),
    Category("223-remington-ammo", "223 Remington Ammo", *_RIFLE, "223 Remington", (55, 62, 69), 55),
    Category("308-winchester-ammo", "308 Winchester Ammo", *_RIFLE, "308 Winchester", (147, 150, 168), 104),
    Category("300-blackout-ammo", "300 Blackout Ammo", *_RIFLE, "300 Blackout", (125, 147, 220), 88),
    Category(
        "22-long-rifle-ammo",
        "22 Long Rifle Ammo",
        "rimfire-ammo",
        "Rimfire Ammo",
        "22 Long Rifle",
        (36, 40),
        9,
    ),
    Category("12-gauge-ammo", "12 Gauge Ammo", "shotgun-ammo", "Shotgun Ammo", "12 Gauge", (437, 492), 68),
)
MAKERS = (
    "Northreef",
    "Kelpworks",
    "Saltmarsh",
    "Barnacle & Sons",
    "Breakwater",
    "Sandbar Loading Co",
    "Grey Seal",
    "Tern Point",
)
BULLETS = ("Full Metal Jacket", "Hollow Point", "Soft Point", "Flat Nose", "Open Tip Match", "Polymer Tip")
PACKS = (("Box", 20), ("Box", 25), ("Box", 50), ("Case", 200), ("Case", 250), ("Case", 500), ("Case", 1000))


@dataclass(frozen=True, slots=True)
class Product:
    """What never changes about a product in one shop."""

    shelf: Shelf
    index: int
    kind: Kind
    category: Category
    maker: str
    bullet: str
    grains: int
    pack: str
    rounds: int
    code: str  # the maker's own: TP00012
    upc: str
    name: str
    sku: str
    slug: str
    base_cents: int
    pounds: int

    @property
    def id(self) -> int:
        return self.shelf.first_id + self.index

    @property
    def path(self) -> str:
        return self.shelf.path_of(self)

    def item_id(self, number: int = 0) -> int:
        """Return the number of one thing in it that can be bought."""
        return self.shelf.first_item_id + self.index * 10 + number


class Catalogue:
    """All products of one seed on one shop's shelf, by number or by path."""

    def __init__(self, seed: int, size: int, *, shelf: Shelf, plain: bool = False) -> None:
        self.seed = seed
        self.size = size
        self.shelf = shelf
        self._plain = plain
        self.product = lru_cache(maxsize=2048)(self._invent)

    def __iter__(self) -> Iterator[Product]:
        return map(self.product, range(self.size))

    def at(self, path: str) -> Product | None:
        """Return the product at this path, or None if no such page was ever there."""
        index = self.shelf.index_of(path)
        if index is None or not 0 <= index < self.size:
            return None
        product = self.product(index)
        return product if product.path.partition("?")[0] == path else None

    def in_category(self, category: Category, *, limit: int) -> list[Product]:
        """Return the first few products of a category."""
        first = CATEGORIES.index(category)
        return [self.product(index) for index in range(first, self.size, len(CATEGORIES))[:limit]]

    def related(self, product: Product, count: int) -> list[Product]:
        """Return other products a visitor could buy instead, always the same ones."""
        step = len(CATEGORIES)
        found: list[Product] = []
        for hop in range(1, 6 * count):
            other = self.product((product.index + hop * step) % max(self.size, 1))
            if other.kind in (Kind.IN_STOCK, Kind.TIERED) and other.index != product.index:
                found.append(other)
            if len(found) == count:
                break
        return found

    def _invent(self, index: int) -> Product:
        about = (self.seed, index)
        category = CATEGORIES[index % len(CATEGORIES)]
        maker, bullet = pick(MAKERS, *about, "maker"), pick(BULLETS, *about, "bullet")
        pack, rounds = pick(PACKS, *about, "pack")
        grains = pick(category.grains, *about, "grains")
        code = f"TP{index:05d}"
        name = f"{rounds} Round {pack} - {category.calibre} {grains} Grain {maker} {bullet} Ammo - {code}"
        return Product(
            shelf=self.shelf,
            index=index,
            kind=Kind.IN_STOCK if self._plain else self._kind(index),
            category=category,
            maker=maker,
            bullet=bullet,
            grains=grains,
            pack=pack,
            rounds=rounds,
            code=code,
            upc=upc_of(*about),
            name=name,
            sku=f"{code} - {pick((pack, pack.lower()), *about, 'case')}",
            slug=slug_of(name),
            base_cents=category.cents_per_round * rounds * (80 + draw(50, *about, "price")) // 100,
            pounds=1 + rounds * grains // 3500,
        )

    def _kind(self, index: int) -> Kind:
        return KINDS[(index * 7 + self.seed + self.shelf.kinds_from) % len(KINDS)]


def upc_of(*about: object) -> str:
    """Return a twelve-digit product code whose last digit checks the others, as a scanner demands."""
    digits = f"{draw(10**11, *about, 'upc'):011d}"
    total = sum(map(int, digits[::2])) * 3 + sum(map(int, digits[1::2]))
    return f"{digits}{-total % 10}"


def slug_of(text: str) -> str:
    """Return the text as it stands in an address."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
