"""An offer: what one product costs at one source, as its page states it."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from limpet.extract.parse.stock import Availability

MOST_CENTS = 99_999_999


class Tier(Struct, frozen=True):
    """A price that only holds from a quantity on; kept beside the price of one, never instead of it."""

    min_quantity: int
    price_cents: int


class Offer(Struct, frozen=True):
    """One offer. Prices are whole cents of `currency`: never a float, never a crossed-out list price."""

    source_id: str
    url: str  # canonical
    title: str
    price_cents: int
    currency: str
    availability: Availability
    observed_at: datetime
    identity_key: str
    adapter_version: str
    retailer_sku: str | None = None
    retailer_product_id: str | None = None
    upc: str | None = None
    brand: str | None = None
    caliber: str | None = None
    grain_weight: int | None = None
    round_count: int | None = None
    case_material: str | None = None
    bullet_type: str | None = None
    load_type: str | None = None
    shell_length: str | None = None
    shipping_cents: int | None = None
    tax_included: bool | None = None
    image_url: str | None = None
    tiers: tuple[Tier, ...] = ()

    @property
    def cost_per_round_cents(self) -> int | None:
        """Derived, never read from the page: shops round it as they like."""
        if not self.round_count:
            return None
        return (self.price_cents + self.round_count // 2) // self.round_count

    @property
    def is_in_stock(self) -> bool:
        """A backorder is not stock."""
        return self.availability is Availability.IN_STOCK
