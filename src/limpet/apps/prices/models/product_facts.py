"""What a page states about the product it sells, and how that becomes an offer: the same for every model."""

from __future__ import annotations

from msgspec import Struct

from limpet.apps.prices.models.title_facts import NOTHING_STATED, AmmoFacts, facts_in
from limpet.apps.prices.offer import Offer, Tier
from limpet.errors import BadAddress, BadIdentity
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.parse.price import Price
from limpet.extract.parse.stock import Availability
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import join
from limpet.target.identity import identity_key


class ProductFacts(Struct, frozen=True):
    """One product in our words. `url` is given only where the product lives at another address than the target's."""

    title: str
    price: Price
    availability: Availability
    sku: str | None = None
    product_id: str | None = None
    upc: str | None = None
    brand: str | None = None
    image: str | None = None  # as stated: relative, or with blanks in it
    shipping_cents: int | None = None
    tiers: tuple[Tier, ...] = ()
    ammo: AmmoFacts = NOTHING_STATED  # stated beside the title, and believed over it
    url: str | None = None


def offer_from(facts: ProductFacts, page: Page, *, target: Target, version: str) -> Offer:
    """Return the offer, recognised by product id, else SKU, else address: never by how the target is spelled."""
    ammo = facts.ammo.or_else(facts_in(facts.title))
    url = facts.url or target.address
    return Offer(
        source_id=target.source_id,
        url=url,
        title=facts.title,
        price_cents=facts.price.cents,
        currency=facts.price.currency or "",
        availability=facts.availability,
        observed_at=page.fetched_at,
        identity_key=_identity(facts, url),
        adapter_version=version,
        retailer_sku=facts.sku,
        retailer_product_id=facts.product_id,
        upc=facts.upc,
        brand=facts.brand,
        caliber=ammo.caliber,
        grain_weight=ammo.grain_weight,
        round_count=ammo.round_count,
        case_material=ammo.case_material,
        bullet_type=ammo.bullet_type,
        load_type=ammo.load_type,
        shell_length=ammo.shell_length,
        shipping_cents=facts.shipping_cents,
        image_url=_in_full(facts.image, page.final_url),
        tiers=facts.tiers,
    )


def _identity(facts: ProductFacts, url: str) -> str:
    try:
        return identity_key(pid=facts.product_id, sku=facts.sku, url=url, http_only=url.startswith("http:"))
    except BadIdentity as exc:
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"identity: {exc}") from exc


def _in_full(image: str | None, page_url: str) -> str | None:
    """Return the image's address as a browser would ask for it; a broken one is no reason to lose the price."""
    try:
        return join(page_url, image.strip()) if image and image.strip() else None
    except BadAddress:
        return None
