"""What a scaffold is made of: the saved page, what it must be read as, and the draft of a site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from limpet.apps.prices.models.page_plan import At
from limpet.apps.prices.offer import Offer
from limpet.extract import PageModel
from limpet.extract.parse.stock import Availability
from limpet.fetch.page import Page
from limpet.target import Target

VERSION = "1.0.0"
PROVEN = ("title", "price_cents", "currency", "availability", "retailer_sku")


class CannotDraft(Exception):
    """The page does not tell enough, or contradicts itself; the sentence says what."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A page somebody saved, and where it came from."""

    page: Page
    target: Target
    domain: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A site that reads the page. `places` is what its text is written from, by the model's own names."""

    model: str  # woocommerce, json_ld, json_api or configured
    page_model: PageModel
    offer: Offer
    places: Mapping[str, Any]
    remarks: Sequence[str] = ()


def objection_to(offer: Offer) -> str | None:
    """Return what is missing for a site to be written from this reading, if anything is."""
    if not offer.title:
        return "title: the page names its product nowhere"
    if offer.price_cents <= 0:
        return "price: the page states a price of zero"
    if not offer.currency:
        return "currency: nothing on the page says in which currency the price is"
    if offer.availability is Availability.UNKNOWN:
        return "availability: no signal on the page says for certain whether it can be bought"
    return None


def differing(one: Offer, other: Offer, names: Sequence[str] = PROVEN) -> list[str]:
    """Return the fields two readings of a page disagree about, in words."""
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in names)
    return [f"{name}: {mine!r} and {theirs!r}" for name, mine, theirs in pairs if mine != theirs]


def as_text(place: At) -> str:
    """Return a place as one writes it in code."""
    given = {name: getattr(place, name) for name in At.__slots__ if getattr(place, name)}
    return f"At({', '.join(f'{name}={quoted(value)}' for name, value in given.items())})"


def quoted(value: str | bytes) -> str:
    """Return the value as code writes it, in double quotes where that needs no escaping."""
    if isinstance(value, bytes):
        return repr(value)
    return f'"{value}"' if '"' not in value and "\\" not in value and value.isprintable() else repr(value)
