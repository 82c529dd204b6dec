"""What the shop sells. Products are invented on demand: a hundred thousand cost no more than ten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tidepool.draw import draw, pick

FIRST_POST_ID = 10_000


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
    """What never changes about a product."""

    index: int
    kind: Kind
    category: Category
    maker: str
    name: str
    sku: str
    slug: str
    rounds: int
    base_cents: int
    pounds: int

    @property
    def post_id(self) -> int:
        return FIRST_POST_ID + self.index

    @property
    def path(self) -> str:
        return f"/product/{self.category.slug}/{self.slug}/"


class Catalogue:
    """All products of one seed, by number or by path."""

    def __init__(self, seed: int, size: int, *, plain: bool = False) -> None:
        self.seed = seed
        self.size = size
        self._plain = plain
        self.product = lru_cache(maxsize=2048)(self._invent)

    def __iter__(self) -> Iterator[Product]:
        return map(self.product, range(self.size))

    def at(self, path: str) -> Product | None:
        """Return the product at this path, or None if no such page was ever there."""
        number = re.search(r"-tp(\d{1,7})/$", path)
        if number is None or int(number[1]) >= self.size:
            return None
        product = self.product(int(number[1]))
        return product if product.path == path else None

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
            index=index,
            kind=Kind.IN_STOCK if self._plain else KINDS[(index * 7 + self.seed) % len(KINDS)],
            category=category,
            maker=maker,
            name=name,
            sku=f"{code} - {pick((pack, pack.lower()), *about, 'case')}",
            slug=slug_of(name),
            rounds=rounds,
            base_cents=category.cents_per_round * rounds * (80 + draw(50, *about, "price")) // 100,
            pounds=1 + rounds * grains // 3500,
        )


def slug_of(text: str) -> str:
    """Return the text as it stands in an address."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
