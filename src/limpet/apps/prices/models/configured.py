"""Shops described in a config file: selectors, JSON-LD or JSON paths for each field, and no code.

What the file says was checked when it was read. Several places for price or stock are witnesses that must agree;
for any other field the first place that says something is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from selectolax.lexbor import LexborHTMLParser, LexborNode

from limpet.apps.prices.models.asking_price import asking_price, not_shown
from limpet.apps.prices.models.json_api import ask_for_json, availability_of
from limpet.apps.prices.models.not_a_product import not_a_product, shows_a_list
from limpet.apps.prices.models.plain_words import plain, upc_among
from limpet.apps.prices.models.product_facts import ProductFacts, offer_from
from limpet.apps.prices.models.stated import agreed
from limpet.apps.prices.offer import Offer
from limpet.extract import Extraction, Missing, Site, Unreadable
from limpet.extract.document import markup_of, tree_of
from limpet.extract.failure import CannotRead
from limpet.extract.parse.price import Price, price_from_json
from limpet.extract.parse.stock import Availability
from limpet.extract.places import ReadFrom, Way
from limpet.extract.select import text_of
from limpet.extract.site import straight
from limpet.extract.structured.jsonld import json_ld_in_tree
from limpet.extract.structured.loose_json import BadJson, loads
from limpet.extract.structured.meta import meta_in_tree
from limpet.extract.structured.paths import values_along
from limpet.extract.structured.products import products_in
from limpet.extract.structured.state import script_json, state_after
from limpet.fetch.challenge import looks_blocked
from limpet.fetch.page import Page
from limpet.target import Target

_IN_RECORD = {"price": "price_cents", "sku": "retailer_sku", "product_id": "retailer_product_id"}
_NEEDED = ("title", "price", "availability")
_WAYS: tuple[Way, ...] = ("css", "json_ld", "meta", "json_path")
_LONGEST_VALUE = 500  # what a configured pattern may look at


class Place(Protocol):
    """One place a field is read from; exactly one of the ways is given."""

    @property
    def css(self) -> str | None: ...
    @property
    def attribute(self) -> str | None: ...
    @property
    def json_ld(self) -> str | None: ...
    @property
    def json_path(self) -> str | None: ...
    @property
    def script(self) -> str | None: ...
    @property
    def state(self) -> str | None: ...
    @property
    def meta(self) -> str | None: ...
    @property
    def value(self) -> str | None: ...
    @property
    def regex(self) -> str | None: ...
    @property
    def map(self) -> Mapping[str, str]: ...


class Plan(Protocol):
    """A shop as the config file describes it."""

    @property
    def id(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def app(self) -> str: ...
    @property
    def domain(self) -> str: ...
    @property
    def answers(self) -> str: ...
    @property
    def requires_browser(self) -> bool: ...
    @property
    def currency(self) -> str | None: ...
    @property
    def product(self) -> str | None: ...
    @property
    def fields(self) -> Mapping[str, Sequence[Place]]: ...


def configured_site(plan: Plan) -> Site:
    """Return the site a plan describes, like any other."""
    return Site(
        id=plan.id,
        version=plan.version,
        app=plan.app,
        domain=plan.domain,
        page_model=ConfiguredPage(plan),
        route=ask_for_json if plan.answers == "json" else straight,
        requires_browser=plan.requires_browser,
    )


@dataclass(frozen=True, slots=True)
class ConfiguredPage:
    """Reads the one offer of a page by its plan."""

    plan: Plan

    def read(self, page: Page, target: Target) -> Extraction[Offer] | Unreadable:
        """Return the offer the page makes, or why there is none we may believe."""
        try:
            facts = self._facts(self._material(page, target))
            return Extraction(page, offer_from(facts, page, target=target, version=self.plan.version))
        except CannotRead as failure:
            return failure.about(page)

    def places(self) -> tuple[ReadFrom, ...]:
        """Return where the plan looks, but for what stands in scripts."""
        box = (ReadFrom("product", self.plan.product),) if self.plan.product else ()
        return box + tuple(
            ReadFrom(
                f"{field}.{at}", where, way,
                field=_IN_RECORD.get(field, field),
                within="product" if box and way == "css" else "",
                attribute=place.attribute or "",
                is_needed=field in _NEEDED,
            )
            for field, places in self.plan.fields.items()
            for at, place in enumerate(places)
            for way in _WAYS
            if (where := getattr(place, way)) is not None and not (place.script or place.state)
        )  # fmt: skip

    def moved(self, where: Mapping[str, str]) -> ConfiguredPage:
        """Return the same plan with some of its places changed; the way each is read in stays."""
        plan: Any = self.plan
        changed = {
            field: tuple(_moved(place, where.get(f"{field}.{at}")) for at, place in enumerate(places))
            for field, places in plan.fields.items()
        }
        return ConfiguredPage(replace(plan, fields=changed, product=where.get("product", plan.product)))

    def _material(self, page: Page, target: Target) -> _Material:
        markup = markup_of(page)
        if self.plan.answers == "json":
            return _Material(None, None, _answer(markup, page))
        tree = tree_of(markup)
        if self.plan.product is None:
            return _Material(tree, tree.root, None)
        roots = tree.css(self.plan.product)
        if len(roots) > 1:
            raise CannotRead(Missing.AMBIGUOUS_VARIANTS, f"product: {len(roots)} match {self.plan.product!r}")
        if not roots:
            listing = shows_a_list(tree, page, address=target.address)
            expected = f"product: nothing matches {self.plan.product!r}"
            raise not_a_product(page, tree, is_listing=listing, expected=expected)
        return _Material(tree, roots[0], None)

    def _facts(self, material: _Material) -> ProductFacts:
        fields = self.plan.fields
        availability = agreed(_stock(material, place) for place in fields["availability"])
        title = self._text(material, "title")
        if title is None:
            raise CannotRead(Missing.TITLE_NOT_FOUND, f"title: nothing at {_shown(fields['title'])}")
        return ProductFacts(
            title=title,
            price=self._price(material, availability),
            availability=availability,
            sku=self._text(material, "sku"),
            product_id=self._text(material, "product_id"),
            upc=upc_among(value for place in fields.get("upc", ()) for value in material.values(place)),
            brand=self._text(material, "brand"),
            image=self._text(material, "image"),
            shipping_cents=self._shipping(material),
        )

    def _price(self, material: _Material, availability: Availability) -> Price:
        currency = self._currency(material)
        places = self.plan.fields["price"]
        stated = [(value, currency) for place in places for value in material.values(place)]
        if not any(value not in (None, "") for value, _ in stated):
            raise not_shown(availability, f"nothing at {_shown(places)}")
        return asking_price(stated, availability)

    def _currency(self, material: _Material) -> str | None:
        named = self._text(material, "currency")
        return named.upper() if named else self.plan.currency

    def _shipping(self, material: _Material) -> int | None:
        """Return the shipping cost when the page names one; an odd one is no reason to lose the price."""
        stated = self._text(material, "shipping")
        read = price_from_json(stated, currency=self._currency(material)) if stated else None
        return read.cents if isinstance(read, Price) else None

    def _text(self, material: _Material, name: str) -> str | None:
        values = (value for place in self.plan.fields.get(name, ()) for value in material.values(place))
        return next((words for value in values if (words := plain(value))), None)


@dataclass(frozen=True, slots=True)
class _Material:
    """What a page offers to read from: a tree and the product in it, or the JSON it answered with."""

    tree: LexborHTMLParser | None
    product: LexborNode | None
    answer: Any

    def values(self, place: Place) -> list[Any]:
        """Return every value at a place, each once; nothing there is no value."""
        found = (self._cut(value, place.regex) for value in self._raw(place))
        return list(dict.fromkeys(value for value in found if _is_value(value)))

    def _raw(self, place: Place) -> Iterator[Any]:
        if place.value is not None:
            yield place.value
        elif place.json_path is not None:
            yield from values_along(self._json(place), place.json_path)
        elif self.tree is not None:
            yield from self._in_tree(place, self.tree)

    def _in_tree(self, place: Place, tree: LexborHTMLParser) -> Iterator[Any]:
        if place.css is not None and self.product is not None:
            for node in self.product.css(place.css):
                yield node.attributes.get(place.attribute) if place.attribute else text_of(node)
        elif place.json_ld is not None:
            for product in products_in(json_ld_in_tree(tree).items):
                yield from values_along(product, place.json_ld)
        elif place.meta is not None:
            yield meta_in_tree(tree).get(place.meta.lower())

    def _json(self, place: Place) -> Any:
        if self.tree is None:
            return self.answer
        try:
            if place.script is not None:
                return script_json(self.tree, place.script)
            if place.state is not None:
                scripts = (script.text(deep=True) for script in self.tree.css("script"))
                return state_after(next((text for text in scripts if place.state in text), ""), place.state)
        except BadJson:
            return None
        return None

    @staticmethod
    def _cut(value: Any, regex: str | None) -> Any:
        if regex is None:
            return value
        found = re.search(regex, str(value)[:_LONGEST_VALUE]) if value is not None else None
        return found[1] if found is not None else None


def _moved(place: Any, where: str | None) -> Any:
    way = next((way for way in _WAYS if getattr(place, way) is not None), None)
    return place if where is None or way is None else replace(place, **{way: where})


def _stock(material: _Material, place: Place) -> Availability:
    values = material.values(place)
    return agreed(_meant(value, place.map) for value in values)


def _meant(value: Any, words: Mapping[str, str]) -> Availability:
    text = (plain(value) or str(value)).casefold()
    for known, meaning in words.items():
        if known.casefold() == text:
            return Availability(meaning)
    return availability_of(value)


def _is_value(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and value != ""


def _answer(markup: bytes, page: Page) -> Any:
    try:
        return loads(markup)
    except BadJson as exc:
        sign = looks_blocked(page.status, page.headers, page.body)
        if sign is not None:
            raise CannotRead(Missing.BLOCKED_PAGE, sign) from exc
        raise CannotRead(Missing.NOT_PARSABLE, f"the answer is not JSON: {markup[:40]!r}") from exc


def _shown(places: Sequence[Place]) -> str:
    ways = (place.css or place.json_ld or place.json_path or place.meta or "value" for place in places)
    return " | ".join(repr(way) for way in ways)
