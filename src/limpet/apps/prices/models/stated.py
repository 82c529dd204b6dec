"""What a page says about its product in other words than the ones we read: further witnesses for price and stock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.parse.price import Price, price_from_json
from limpet.extract.parse.stock import Availability, parse_schema_availability
from limpet.extract.structured.jsonld import JsonLd
from limpet.extract.structured.products import StatedOffer, offers_of, products_in, text


class Witness(Struct, frozen=True):
    """Everything one kind of evidence states about a product; saying nothing is not objecting."""

    prices: frozenset[Price] = frozenset()
    availabilities: frozenset[Availability] = frozenset()
    currency: str | None = None
    image_url: str | None = None
    name: str = "JSON-LD"
    price_span: tuple[int, int] | None = None  # cents: what all variants together cost, from and to
    hides_price: str = ""  # how, in the shop's words; empty where the price is shown
    sells: frozenset[str] = frozenset()  # every variant, where the page lists more than it describes
    brand: str | None = None
    upc: str | None = None

    def confirm(self, shown: Price) -> None:
        """Break off when this witness names another price than the one that was read."""
        others = sorted(price.cents for price in self.prices if price.cents != shown.cents)
        if others:
            raise self._objection(f"{shown.cents} cents", others)
        foreign = sorted({price.currency for price in self.prices if price.currency} - {shown.currency})
        if foreign:
            raise self._objection(str(shown.currency), foreign)
        # A price of zero is for the rules to judge: they name it for what it is.
        if shown.cents and self.price_span and not self.price_span[0] <= shown.cents <= self.price_span[1]:
            raise self._objection(
                f"{shown.cents} cents", f"from {self.price_span[0]} to {self.price_span[1]}"
            )

    def _objection(self, shown: str, stated: object) -> CannotRead:
        return CannotRead(Missing.AMBIGUOUS_PRICE, f"the page shows {shown}, its {self.name} states {stated}")


def agreed(signals: Iterable[Availability], *, lead: Availability = Availability.UNKNOWN) -> Availability:
    """Return what all signals agree on; UNKNOWN when they contradict each other or nobody says anything.

    When all agree that there is none now, and only differ about ordering it, the lead's word counts.
    """
    heard = {*signals, lead} - {Availability.UNKNOWN}
    if len(heard) == 1:
        return heard.pop()
    return lead if Availability.IN_STOCK not in heard else Availability.UNKNOWN


def witness_for(json_ld: JsonLd, sku: str | None) -> Witness:
    """Return what JSON-LD says about this SKU, or about the only product there is when none carries it."""
    products = products_in(json_ld.items)
    same = [each for each in products if sku and (text(each.get("sku")) or "").casefold() == sku.casefold()]
    relevant = same or products
    return testimony_of(relevant, [offer for product in relevant for offer in offers_of(product)])


def testimony_of(products: Sequence[dict[str, Any]], offers: Sequence[StatedOffer]) -> Witness:
    """Return what these offers of these products state; several may repeat themselves or disagree."""
    return Witness(
        prices=frozenset(price for offer in offers if (price := _price(offer)) is not None),
        availabilities=frozenset(parse_schema_availability(offer.availability) for offer in offers)
        - {Availability.UNKNOWN},
        currency=next((offer.currency for offer in offers if offer.currency), None),
        image_url=next((image for product in products if (image := _image(product))), None),
    )


def price_stated_by(offer: StatedOffer) -> Any:
    """Return the price as stated; of a range only one whose ends are the same is a price."""
    ends = [end for end in (offer.low_price, offer.high_price) if end is not None]
    if offer.price is not None or not ends:
        return offer.price
    return ends[0] if len(ends) == 2 and ends[0] == ends[1] else f"from {ends[0]} to {ends[-1]}"


def _price(offer: StatedOffer) -> Price | None:
    read = price_from_json(price_stated_by(offer), currency=offer.currency)
    return read if isinstance(read, Price) else None


def _image(product: dict[str, Any]) -> str | None:
    image = product.get("image")
    if isinstance(image, list):
        image = image[0] if image else None
    if isinstance(image, dict):
        image = image.get("url") or image.get("contentUrl")
    return image if isinstance(image, str) else None
