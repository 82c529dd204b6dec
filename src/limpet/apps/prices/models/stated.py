"""What a page's JSON-LD says about the product the page shows: a second witness for price and stock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.parse.price import Price, price_from_json
from limpet.extract.parse.stock import Availability, parse_schema_availability
from limpet.extract.structured.jsonld import JsonLd
from limpet.extract.structured.products import StatedOffer, offers_of, products_in, text


@dataclass(frozen=True, slots=True)
class Witness:
    """Everything JSON-LD states about one product; several blocks may repeat themselves or disagree."""

    prices: frozenset[Price]
    availabilities: frozenset[Availability]
    currency: str | None
    image_url: str | None

    def confirm(self, shown: Price) -> None:
        """Break off when JSON-LD names another price than the page shows; saying nothing is not objecting."""
        others = sorted(price.cents for price in self.prices if price.cents != shown.cents)
        if others:
            raise CannotRead(
                Missing.AMBIGUOUS_PRICE, f"the page shows {shown.cents} cents, its JSON-LD states {others}"
            )
        foreign = sorted({price.currency for price in self.prices if price.currency} - {shown.currency})
        if foreign:
            raise CannotRead(
                Missing.AMBIGUOUS_PRICE, f"the page shows {shown.currency}, its JSON-LD states {foreign}"
            )


def witness_for(json_ld: JsonLd, sku: str | None) -> Witness:
    """Return what JSON-LD says about this SKU, or about the only product there is when none carries it."""
    products = products_in(json_ld.items)
    same = [each for each in products if sku and (text(each.get("sku")) or "").casefold() == sku.casefold()]
    relevant = same or products
    offers = [offer for product in relevant for offer in offers_of(product)]
    return Witness(
        prices=frozenset(price for offer in offers if (price := _price(offer)) is not None),
        availabilities=frozenset(parse_schema_availability(offer.availability) for offer in offers)
        - {Availability.UNKNOWN},
        currency=next((offer.currency for offer in offers if offer.currency), None),
        image_url=next((image for product in relevant if (image := _image(product))), None),
    )


def _price(offer: StatedOffer) -> Price | None:
    stated = offer.price
    if stated is None and offer.low_price is not None and offer.low_price == offer.high_price:
        stated = offer.low_price
    read = price_from_json(stated, currency=offer.currency)
    return read if isinstance(read, Price) else None


def _image(product: dict[str, Any]) -> str | None:
    image = product.get("image")
    if isinstance(image, list):
        image = image[0] if image else None
    if isinstance(image, dict):
        image = image.get("url")
    return image if isinstance(image, str) else None
