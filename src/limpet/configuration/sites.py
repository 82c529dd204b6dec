"""Sites that are nothing but configuration: where a shop's pages keep their fields. Data only, checked at the start."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from limpet.configuration.shape import Table, a_host, an_id
from limpet.configuration.site_plan import FieldPlan, SitePlan

FIELDS = (
    "title",
    "price",
    "availability",
    "sku",
    "product_id",
    "upc",
    "brand",
    "image",
    "currency",
    "shipping",
)
STOCK_WORDS = ("in_stock", "out_of_stock", "backorder")
_WAYS = ("css", "json_ld", "json_path", "meta", "value")
_SEMVER = re.compile(r"\d{1,6}\.\d{1,6}\.\d{1,6}")
_NOTHING = LexborHTMLParser("<p>")
_PATH = re.compile(r"[^\s.]+(?:\.[^\s.]+)*")
# Patterns that can make a matcher run for ages on a page built to hurt.
_REPEATED_GROUP = re.compile(r"\)(?:[*+]|\{)")
_LOOKS_AROUND = re.compile(r"\(\?(?:[=!]|<[=!])|\(\?P=|\\[1-9]")
_UNBOUNDED = re.compile(r"(?<!\\)[*+]|\{\d*,\}")
_LONGEST_REGEX = 200
_MOST_UNBOUNDED = 2


def a_selector(text: str) -> str:
    """Accept a CSS selector the parser understands."""
    try:
        _NOTHING.css(text)
    except SelectolaxError:
        raise ValueError('a CSS selector such as "div.price > span"') from None
    return text


def a_path(text: str) -> str:
    """Accept names and positions separated by points."""
    if not _PATH.fullmatch(text):
        raise ValueError('names and positions separated by points, such as "offers.0.price"')
    return text


def a_safe_regex(text: str) -> str:
    """Accept a pattern with one group that cannot be made to run for ages."""
    if len(text) > _LONGEST_REGEX or _LOOKS_AROUND.search(text):
        raise ValueError("a short pattern without look-around and back-references")
    if _REPEATED_GROUP.search(text) or len(_UNBOUNDED.findall(text)) > _MOST_UNBOUNDED:
        raise ValueError(
            "a pattern without repeated groups and with at most two * or +, which could run for ages"
        )
    try:
        groups = re.compile(text).groups
    except re.error as wrong:
        raise ValueError(f"a regular expression ({wrong})") from None
    if groups != 1:
        raise ValueError(f"a pattern with exactly one group, the value (it has {groups})")
    return text


def a_version(text: str) -> str:
    """Accept a semantic version."""
    if not _SEMVER.fullmatch(text):
        raise ValueError("three numbers such as 1.0.0; raise it whenever the reading changes")
    return text


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


def _stock_words(words: dict[str, str]) -> dict[str, str]:
    for text, meaning in words.items():
        if meaning not in STOCK_WORDS:
            raise ValueError(f"words for stock: {', '.join(STOCK_WORDS)} ({text!r} means {meaning!r})")
    return words


Selector = Annotated[str, AfterValidator(a_selector)]
Path = Annotated[str, AfterValidator(a_path)]


class FieldTable(Table):
    """One place a field is read from: exactly one of css, json_ld, json_path, meta and value."""

    css: Selector | None = None
    attribute: Annotated[str, Field(pattern=r"^[A-Za-z_:][\w:.-]*$")] | None = None
    json_ld: Path | None = None
    json_path: Path | None = None
    script: Selector | None = None
    state: Annotated[str, Field(min_length=3, max_length=100)] | None = None
    meta: str | None = None
    value: str | None = None
    regex: Annotated[str, AfterValidator(a_safe_regex)] | None = None
    map: Annotated[dict[str, str], AfterValidator(_stock_words)] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_way(self) -> FieldTable:
        given = [name for name in _WAYS if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"read in exactly one way, {', '.join(_WAYS)} (given: {', '.join(given) or 'none'})"
            )
        if self.attribute and not self.css:
            raise ValueError("read by css when it names an attribute")
        if (self.script or self.state) and (not self.json_path or (self.script and self.state)):
            raise ValueError("read by json_path when it names a script or a state, and by one of these only")
        return self

    def as_plan(self) -> FieldPlan:
        """Return this place as the page model takes it."""
        return FieldPlan(**{name: getattr(self, name) for name in type(self).model_fields})


Places = Annotated[tuple[FieldTable, ...], BeforeValidator(_as_list), Field(min_length=1, max_length=8)]


class FieldsTable(Table):
    """Where each field is. Several places for price and availability must tell the same story."""

    title: Places
    price: Places
    availability: Places
    sku: Places | None = None
    product_id: Places | None = None
    upc: Places | None = None
    brand: Places | None = None
    image: Places | None = None
    currency: Places | None = None
    shipping: Places | None = None

    @model_validator(mode="after")
    def _nothing_invented(self) -> FieldsTable:
        if any(place.value is not None for place in (*self.price, *self.availability)):
            raise ValueError(
                "read from the page: a price or a stock that is always the same is not an observation"
            )
        others = [name for name in FIELDS if name != "availability"]
        if any(place.map for name in others for place in getattr(self, name) or ()):
            raise ValueError("plain: only availability has a map of words")
        return self

    def as_plans(self) -> Mapping[str, tuple[FieldPlan, ...]]:
        """Return the places by field, without fields nobody described."""
        named = ((name, getattr(self, name)) for name in FIELDS)
        return {name: tuple(place.as_plan() for place in places) for name, places in named if places}


class SiteTable(Table):
    """One shop."""

    id: Annotated[str, AfterValidator(an_id)]
    version: Annotated[str, AfterValidator(a_version)]
    app: Literal["prices"]
    domain: Annotated[str, AfterValidator(a_host)]
    answers: Literal["html", "json"] = "html"
    requires_browser: bool = False
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None = None
    product: Selector | None = None
    fields: FieldsTable

    def as_plan(self) -> SitePlan:
        """Return this shop as the assembly takes it."""
        own = {name: getattr(self, name) for name in type(self).model_fields if name != "fields"}
        return SitePlan(**own, fields=self.fields.as_plans())
