"""Shops that answer with JSON: one reading, many shapes; a site brings the paths to its fields.

A site whose answers need more than paths overrides `witness`, `ammo`, `tiers` or `public_address`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from limpet.apps.prices.models.asking_price import asking_price
from limpet.apps.prices.models.plain_words import plain, upc_among
from limpet.apps.prices.models.product_facts import ProductFacts, offer_from
from limpet.apps.prices.models.stated import Witness, agreed
from limpet.apps.prices.models.title_facts import NOTHING_STATED, AmmoFacts
from limpet.apps.prices.models.variants import parameters_of, several
from limpet.apps.prices.offer import Offer, Tier
from limpet.extract import Extraction, Missing, Unreadable
from limpet.extract.document import markup_of
from limpet.extract.failure import CannotRead
from limpet.extract.parse.stock import Availability, parse_schema_availability, parse_stock
from limpet.extract.places import ReadFrom
from limpet.extract.site import Getter
from limpet.extract.structured.loose_json import BadJson, loads
from limpet.extract.structured.paths import first_at, value_at
from limpet.fetch.challenge import looks_blocked
from limpet.fetch.page import Page
from limpet.source import Source
from limpet.target import Target

Paths = tuple[str, ...]  # the first that leads somewhere is taken
Item = Mapping[str, Any]
_IN_RECORD = {
    "title": "title",
    "prices": "price_cents",
    "stock": "availability",
    "sku": "retailer_sku",
    "product_id": "retailer_product_id",
    "upc": "upc",
    "brand": "brand",
}


@dataclass(frozen=True, slots=True)
class JsonFields:
    """Where an item keeps its fields. Every path of `prices` and of `stock` must tell the same story."""

    title: Paths
    prices: Paths
    stock: Paths = ()  # true, false, a quantity, a schema.org word or a stock text
    sku: Paths = ()
    product_id: Paths = ()
    upc: Paths = ()
    brand: Paths = ()
    image: Paths = ()
    currency: Paths = ()  # looked up in the item, then in the whole answer


@dataclass(frozen=True, slots=True)
class JsonApiPage:
    """Reads the one offer an answer holds; of several items only the one its address names."""

    version: str
    fields: JsonFields
    items: str = ""  # path to the item or the list of items; empty where the answer is the item
    # What an address may name an item by: parameter -> path in the item.
    named_by: Mapping[str, str] = field(default_factory=dict)

    def read(self, page: Page, target: Target) -> Extraction[Offer] | Unreadable:
        """Return the offer the answer makes, or why there is none we may believe."""
        try:
            facts = self._facts(_answer(page), target)
            return Extraction(page, offer_from(facts, page, target=target, version=self.version))
        except CannotRead as failure:
            return failure.about(page)

    def places(self) -> tuple[ReadFrom, ...]:
        """Return the paths the answer is read by, each below the item."""
        items = (ReadFrom("items", self.items, "json_path"),) if self.items else ()
        within = "items" if self.items else ""
        return items + tuple(
            ReadFrom(
                f"{each.name}.{at}", path, "json_path",
                field=_IN_RECORD.get(each.name, ""), within=within, is_needed=each.name in ("title", "prices", "stock"),
            )
            for each in fields(self.fields)
            for at, path in enumerate(getattr(self.fields, each.name))
        )  # fmt: skip

    def moved(self, where: Mapping[str, str]) -> JsonApiPage:
        """Return the same reading with some paths changed."""
        changed = {
            each.name: tuple(
                where.get(f"{each.name}.{at}", path)
                for at, path in enumerate(getattr(self.fields, each.name))
            )
            for each in fields(self.fields)
        }
        return replace(self, fields=replace(self.fields, **changed), items=where.get("items", self.items))

    def witness(self, item: Item) -> Witness:
        """Return what the item says about its stock."""
        values = (value_at(item, path) for path in self.fields.stock)
        return Witness(availabilities=frozenset(availability_of(value) for value in values))

    def ammo(self, item: Item) -> AmmoFacts:
        """Return what the item says about its cartridge beside the title: nothing, unless a site knows where."""
        return NOTHING_STATED

    def tiers(self, item: Item, currency: str | None) -> tuple[Tier, ...]:
        """Return the quantity prices: none, unless a site knows where."""
        return ()

    def public_address(self, item: Item, target: Target) -> str | None:
        """Return where people find the product, when that is not the address we ask."""
        return None

    def _facts(self, answer: Any, target: Target) -> ProductFacts:
        at, item = self.fields, self._item(answer, target)
        witness = self.witness(item)
        if len(witness.sells) > 1:
            raise several(witness.sells, None)
        availability = agreed(witness.availabilities)
        title = plain(first_at(item, at.title))
        if title is None:
            raise CannotRead(Missing.TITLE_NOT_FOUND, f"title: nothing at {' | '.join(at.title)}")
        currency = plain(first_at(item, at.currency) or first_at(answer, at.currency))
        stated = ((value_at(item, path), currency) for path in at.prices)
        return ProductFacts(
            title=title,
            price=asking_price(stated, availability, hidden=witness.hides_price),
            availability=availability,
            sku=plain(first_at(item, at.sku)),
            product_id=plain(first_at(item, at.product_id)),
            upc=upc_among(value_at(item, path) for path in at.upc),
            brand=next((brand for path in at.brand if (brand := plain(value_at(item, path)))), None),
            image=next((url for path in at.image if isinstance(url := value_at(item, path), str)), None),
            tiers=self.tiers(item, currency),
            ammo=self.ammo(item),
            url=self.public_address(item, target),
        )

    def _item(self, answer: Any, target: Target) -> Item:
        held = value_at(answer, self.items)
        if held is None and not _says_gone(answer):
            raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"items: nothing at {self.items!r}")
        items = [item for item in (held if isinstance(held, list) else [held]) if isinstance(item, dict)]
        if not items:
            raise CannotRead(Missing.GONE, "the answer is that there is no such item")
        asked = parameters_of(target.address)
        named = {path: asked[name] for name, path in self.named_by.items() if name in asked}
        return self._only(items[0], named) if len(items) == 1 else _among(items, named)

    def _only(self, item: dict[str, Any], named: Mapping[str, Paths]) -> Item:
        """Return the item, unless another id was asked for; a slug may have been rewritten since."""
        by_id = {path: names for path, names in named.items() if path in self.fields.product_id}
        if by_id and not _is_named(item, by_id):
            raise CannotRead(Missing.AMBIGUOUS_VARIANTS, f"the answer is not about {_shown(by_id)}")
        return item


async def ask_for_json(way: Getter, source: Source, target: Target) -> Page:
    """The route of a JSON site: some answer 406 to the Accept header of a browser."""
    headers = {"Accept": "application/json"}
    return await way.get(target.url, validators=target.validators, headers=headers)


def availability_of(value: Any) -> Availability:
    """Return what a stock field says: a flag, a quantity, a schema.org word or a text."""
    if isinstance(value, (bool, int, float)):
        return Availability.IN_STOCK if value > 0 else Availability.OUT_OF_STOCK
    words = plain(value) or ""
    stated = parse_schema_availability(words)
    return stated if stated is not Availability.UNKNOWN else parse_stock(words)


def _answer(page: Page) -> Any:
    body = markup_of(page)
    try:
        return loads(body)
    except BadJson as exc:
        sign = looks_blocked(page.status, page.headers, page.body)
        if sign is not None:
            raise CannotRead(Missing.BLOCKED_PAGE, sign) from exc
        raise CannotRead(Missing.NOT_PARSABLE, f"the answer is not JSON: {body[:40]!r}") from exc


def _among(items: list[dict[str, Any]], named: Mapping[str, Paths]) -> Item:
    """Return the one of several items that the address names."""
    if not named:
        raise CannotRead(Missing.LISTING_PAGE, f"the answer lists {len(items)} items, and none is asked for")
    fitting = [item for item in items if _is_named(item, named)]
    if len(fitting) != 1:
        raise CannotRead(
            Missing.AMBIGUOUS_VARIANTS, f"{len(fitting)} of {len(items)} items are called {_shown(named)}"
        )
    return fitting[0]


def _is_named(item: Item, named: Mapping[str, Paths]) -> bool:
    """Whether the item answers to the names asked for, one of each kind being enough."""
    return any(
        (plain(value_at(item, path)) or "").casefold() in {name.casefold() for name in names}
        for path, names in named.items()
    )


def _says_gone(answer: Any) -> bool:
    """Whether the answer itself is a 404 that came with another status."""
    return str(first_at(answer, ("code", "status", "errorStatusCode", "error.code"))) in ("404", "410")


def _shown(named: Mapping[str, Paths]) -> str:
    return ", ".join(name for names in named.values() for name in names)[:80]
