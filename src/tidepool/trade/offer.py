"""What a shop asks for a product at one moment: a pure function of seed, product and tick."""

from __future__ import annotations

from dataclasses import dataclass

from tidepool.draw import draw
from tidepool.trade.catalogue import Kind, Product, upc_of

PACK_CHOICES = (("single", 1), ("pair", 2), ("bulk", 10))

AVAILABILITY = {
    Kind.SOLD_OUT: "OutOfStock",
    Kind.SOLD_OUT_UNPRICED: "OutOfStock",
    Kind.BACKORDER: "BackOrder",
    Kind.PREORDER: "PreOrder",
    Kind.DISCONTINUED: "Discontinued",
}
BUYABLE = ("InStock", "BackOrder", "PreOrder")
UNPRICED = (Kind.SOLD_OUT_UNPRICED, Kind.CALL_FOR_PRICE)
RESTLESS = (Kind.IN_STOCK, Kind.TIERED, Kind.ON_SALE)


@dataclass(frozen=True, slots=True)
class Variant:
    """One choice of a product that comes in several."""

    id: int
    choice: str
    upc: str
    rounds: int
    price_cents: int
    in_stock: bool

    @property
    def availability(self) -> str:
        return "InStock" if self.in_stock else "OutOfStock"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing a page sells, whether it is a variant or all there is."""

    id: int
    upc: str
    rounds: int
    price_cents: int | None
    availability: str

    @property
    def can_be_bought(self) -> bool:
        return self.availability in BUYABLE


@dataclass(frozen=True, slots=True)
class Offer:
    """What the page says today. `availability` is a schema.org word; prices are cents of US dollars."""

    product: Product
    since_tick: int  # nothing on the page has changed since
    price_cents: int | None
    was_cents: int | None
    availability: str
    quantity: int
    tiers: tuple[tuple[int, int], ...] = ()
    variants: tuple[Variant, ...] = ()

    @property
    def can_be_bought(self) -> bool:
        return self.availability in BUYABLE

    @property
    def items(self) -> tuple[Item, ...]:
        """Everything on the page that has a price of its own: the variants, or the product itself."""
        if self.variants:
            return tuple(
                Item(variant.id, variant.upc, variant.rounds, variant.price_cents, variant.availability)
                for variant in self.variants
            )
        product = self.product
        return (Item(product.item_id(), product.upc, product.rounds, self.price_cents, self.availability),)

    def chosen(self, number: str | None) -> Variant | None:
        """Return the variant of that number, or None if there is none such."""
        return next((variant for variant in self.variants if str(variant.id) == number), None)


def offer_of(product: Product, *, seed: int, tick: int) -> Offer:
    """Return what its shop asks for this product at that tick."""
    about = (f"{seed}{product.shelf.chance}", product.index)
    epoch, since_tick = _epoch(about, tick)
    cents = _price(product, draw(31, *about, epoch, "price") - 15)
    sold_out = product.kind in RESTLESS and draw(8, *about, epoch, "stock") == 0
    availability = "OutOfStock" if sold_out else AVAILABILITY.get(product.kind, "InStock")
    return Offer(
        product=product,
        since_tick=since_tick,
        price_cents=None if product.kind in UNPRICED else cents,
        was_cents=cents * 5 // 4 if product.kind is Kind.ON_SALE else None,
        availability=availability,
        quantity=2 + draw(60, *about, epoch, "quantity") if availability == "InStock" else 0,
        tiers=((2, cents * 95 // 100), (4, cents * 92 // 100)) if product.kind is Kind.TIERED else (),
        variants=_variants(product, cents, seed=seed) if product.kind is Kind.VARIANTS else (),
    )


def _epoch(about: tuple[object, ...], tick: int) -> tuple[int, int]:
    """Return which of its steady spells the product is in, and the tick that spell began with."""
    length = 2 + draw(9, *about, "spell")
    phase = draw(length, *about, "phase")
    epoch = (tick + phase) // length
    return epoch, max(0, epoch * length - phase)


def _price(product: Product, percent: int) -> int:
    if product.kind is Kind.ZERO_PRICE:
        return 0
    return product.shelf.price(product.base_cents * (100 + percent) // 100)


def _variants(product: Product, cents: int, *, seed: int) -> tuple[Variant, ...]:
    return tuple(
        Variant(
            id=product.item_id(number),
            choice=choice,
            upc=upc_of(seed, product.index, choice),
            rounds=product.rounds * packs,
            price_cents=product.shelf.price(cents * packs * (100 - packs) // 100),
            in_stock=number != 2,
        )
        for number, (choice, packs) in enumerate(PACK_CHOICES)
    )
