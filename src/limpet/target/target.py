"""A target: one thing we watch at a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field


class Validators(Struct, frozen=True):
    """What the origin told us last time, so that an unchanged page need not travel again."""

    etag: str | None = None
    last_modified: str | None = None

    def __bool__(self) -> bool:
        return bool(self.etag or self.last_modified)


class Target(Struct, frozen=True):
    """One URL, case number or match. `address` is its canonical form and, with the source, its identity.

    `lane` is the registrable domain its requests are charged to: targets of one lane are walked at one pace.
    """

    source_id: str
    address: str
    url: str
    lane: str
    id: int = 0
    priority: int = 0
    validators: Validators = field(default_factory=Validators)
    params: Mapping[str, Any] = field(default_factory=dict)
