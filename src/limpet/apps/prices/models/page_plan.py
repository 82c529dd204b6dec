"""A shop's places written down in code: what the config file says in a `[[sites]]` table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class At:
    """One place a field is read from; exactly one of css, json_ld, json_path, meta and value is given."""

    css: str | None = None
    attribute: str | None = None
    json_ld: str | None = None
    json_path: str | None = None
    script: str | None = None
    state: str | None = None
    meta: str | None = None
    value: str | None = None
    regex: str | None = None
    map: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PagePlan:
    """Where a shop's pages keep their fields; several places for price and stock are witnesses that must agree."""

    version: str
    fields: Mapping[str, tuple[At, ...]]
    id: str = ""
    app: str = "prices"
    domain: str = ""
    answers: str = "html"
    requires_browser: bool = False
    currency: str | None = None
    product: str | None = None
