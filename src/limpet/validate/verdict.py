"""Verdicts, and the judge who runs the rules in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from msgspec import Struct

from limpet.extract import Extraction
from limpet.source import Source
from limpet.target import Target


class Accepted(Struct, frozen=True):
    """The record may be stored as fact."""

    record: Any


@dataclass(frozen=True, slots=True)
class Dropped:
    """The record is not stored; the reason is."""

    reason: str
    record: Any
    details: str = ""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """The record is set aside with its evidence until a person decides."""

    reason: str
    record: Any
    details: str = ""


Verdict = Accepted | Dropped | Quarantined


class Circumstances(Struct, frozen=True):
    """What a rule may know besides the record itself."""

    source: Source
    target: Target
    now: datetime
    first_in_run: Callable[[str], bool]  # False when this identity was already accepted in this run


# A rule answers only when it objects.
Rule = Callable[[Any, Circumstances], Dropped | Quarantined | None]


def judge(extraction: Extraction[Any], rules: Sequence[Rule], circumstances: Circumstances) -> Verdict:
    """Return the first objection in rule order, or accept the record."""
    for rule in rules:
        objection = rule(extraction.record, circumstances)
        if objection is not None:
            return objection
    return Accepted(extraction.record)
