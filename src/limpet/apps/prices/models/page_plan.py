"""A shop's places written down in code: as much of a `[[sites]]` table as a shop's own folder needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class At:
    """One place a field is read from, in exactly one way: `css`, `json_ld` or `json_path`; `regex` cuts it out."""

    css: str | None = None
    json_ld: str | None = None
    json_path: str | None = None
    regex: str | None = None
    # What only the config file can say.
    attribute: ClassVar[str | None] = None
    script: ClassVar[str | None] = None
    state: ClassVar[str | None] = None
    meta: ClassVar[str | None] = None
    value: ClassVar[str | None] = None
    map: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class PagePlan:
    """Where a shop's pages keep their fields; several places for price and stock are witnesses that must agree."""

    version: str
    fields: Mapping[str, tuple[At, ...]]
    currency: str | None = None
    product: str | None = None
    answers: str = "html"
    # The site that holds it says these.
    id: ClassVar[str] = ""
    app: ClassVar[str] = "prices"
    domain: ClassVar[str] = ""
    requires_browser: ClassVar[bool] = False
