"""A configured site after it was checked: plain, frozen, trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """One place a field is read from."""

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
class SitePlan:
    """One shop that is nothing but configuration."""

    id: str
    version: str
    app: str
    domain: str
    fields: Mapping[str, tuple[FieldPlan, ...]]
    answers: str = "html"
    requires_browser: bool = False
    currency: str | None = None
    product: str | None = None
