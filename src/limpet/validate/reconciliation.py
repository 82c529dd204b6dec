"""One truth of several sources, field by field: who was believed, how far, and where they disagreed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

MIN_CONFIDENCE = 0.5
MIN_RELIABILITY = 0.5
WORTH_NOTING = 0.05  # sources that differ by more than this share are written down

# Names the numbers in a field's value that several sources should agree on.
Measure = Callable[[Any], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Statement:
    """What one source states. A field it does not name is not stated; None is not a value."""

    source: str
    fields: Mapping[str, Any]
    stated_at: datetime
    precedence: float = 50.0
    reliability: float = 1.0  # share of recent visits that gave an answer
    is_current: bool = True  # False when it is older than what others say may be
    confidence: Mapping[str, float] = field(default_factory=dict)
    usual_confidence: float = 1.0

    @property
    def weight(self) -> float:
        """How much it is believed: its precedence, lessened by how often it fails."""
        return self.precedence * self.reliability

    def confidence_in(self, name: str) -> float:
        """How far one field may be believed, 0 to 1."""
        return self.confidence.get(name, self.usual_confidence)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a field came from."""

    source: str
    confidence: float
    stated_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """Return it as it stands beside a snapshot."""
        return {
            "source": self.source,
            "confidence": self.confidence,
            "timestamp": self.stated_at.timestamp(),
        }


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sources that name clearly different numbers for the same thing."""

    field: str
    chosen_source: str
    chosen_value: float
    other_source: str
    other_value: float
    difference: float  # as a share of the larger number


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The fields that were believed, each with its provenance, and the disagreements worth noting."""

    fields: Mapping[str, Any]
    provenance: Mapping[str, Provenance]
    conflicts: tuple[Conflict, ...] = ()


def reconcile(
    statements: Sequence[Statement], *, measures: Mapping[str, Measure] | None = None
) -> Reconciled:
    """Take each field from the best source that states it with enough confidence."""
    ranked = sorted(statements, key=rank, reverse=True)
    fields: dict[str, Any] = {}
    provenance: dict[str, Provenance] = {}
    for statement in ranked:
        for name in _believable(statement):
            if name not in fields:
                fields[name] = statement.fields[name]
                provenance[name] = Provenance(
                    statement.source, statement.confidence_in(name), statement.stated_at
                )
    return Reconciled(fields, provenance, tuple(_conflicts(ranked, provenance, measures or {})))


def rank(statement: Statement) -> tuple[bool, bool, float, datetime]:
    """Return what orders sources: current before outdated, reliable before not, then weight, then freshness."""
    is_reliable = statement.reliability >= MIN_RELIABILITY
    return statement.is_current, is_reliable, statement.weight, statement.stated_at


def _believable(statement: Statement) -> Iterator[str]:
    for name, value in statement.fields.items():
        if value is not None and statement.confidence_in(name) >= MIN_CONFIDENCE:
            yield name


def _conflicts(
    ranked: Sequence[Statement], chosen: Mapping[str, Provenance], measures: Mapping[str, Measure]
) -> Iterator[Conflict]:
    # What is outdated differs because it is old, not because somebody is wrong.
    current = {statement.source: statement for statement in ranked if statement.is_current}
    for name, measure in measures.items():
        winner = current.get(chosen[name].source) if name in chosen else None
        if winner is None:
            continue
        believed = measure(winner.fields[name])
        for other in current.values():
            if other is not winner and name in set(_believable(other)):
                yield from _differences(
                    name, winner.source, believed, other.source, measure(other.fields[name])
                )


def _differences(
    name: str, chosen: str, believed: Mapping[str, float], other: str, stated: Mapping[str, float]
) -> Iterator[Conflict]:
    for number in sorted(believed.keys() & stated.keys()):
        share = difference(believed[number], stated[number])
        if share > WORTH_NOTING:
            yield Conflict(f"{name}.{number}", chosen, believed[number], other, stated[number], share)


def difference(one: float, other: float) -> float:
    """Return how far two numbers are apart, as a share of the larger one."""
    larger = max(abs(one), abs(other))
    return abs(one - other) / larger if larger else 0.0
