"""The places a page model reads from, told by the model itself: so that what drifted can be named, and tried anew."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from selectolax.lexbor import LexborHTMLParser

from limpet.extract.document import markup_of, tree_of
from limpet.extract.site import PageModel
from limpet.extract.structured.jsonld import json_ld_in_tree
from limpet.extract.structured.loose_json import BadJson, loads
from limpet.extract.structured.meta import meta_in_tree
from limpet.fetch.page import Page

Way = Literal["css", "json_ld", "meta", "json_path"]


@dataclass(frozen=True, slots=True)
class ReadFrom:
    """One place. `name` tells it from the model's others; `field` is what it fills in the record, if anything."""

    name: str
    where: str
    way: Way = "css"
    field: str = ""
    within: str = ""  # the name of the place it is looked up in
    attribute: str = ""
    is_needed: bool = True  # a product may do without the others


@runtime_checkable
class TellsPlaces(Protocol):
    """A page model that says where it looks."""

    def places(self) -> tuple[ReadFrom, ...]:
        """Return every place, boxes before what is looked up in them."""
        ...


@runtime_checkable
class Mendable(TellsPlaces, Protocol):
    """A page model that can be tried with other places."""

    def moved(self, where: Mapping[str, str]) -> PageModel:
        """Return the same model reading some places, by name, from somewhere else."""
        ...


@dataclass(frozen=True, slots=True)
class Material:
    """A page opened for looking: its tree and what it states for machines, or the JSON it is."""

    tree: LexborHTMLParser | None
    stated: tuple[dict[str, Any], ...] = ()  # JSON-LD objects
    meta: Mapping[str, str] = field(default_factory=dict)
    answer: Any = None


def open_material(page: Page) -> Material:
    """Return the page opened; raise CannotRead when it is neither JSON nor markup we may parse."""
    markup = markup_of(page)
    if markup.lstrip()[:1] in (b"{", b"["):
        with contextlib.suppress(BadJson):
            return Material(None, answer=loads(markup))
    tree = tree_of(markup)
    return Material(tree, json_ld_in_tree(tree).items, meta_in_tree(tree))
