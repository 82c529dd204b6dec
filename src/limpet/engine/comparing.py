"""A recorded page read then and now, held side by side: one word for what became of it, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from limpet.record.recorded_pages import RecordedPage
from limpet.target import Outcome

_ANSWERS = (Outcome.SUCCEEDED, Outcome.NO_RECORD)


class Change(StrEnum):
    """What reading a page again came to; every page ends in one of these words."""

    SAME = "same"
    NEWLY_READABLE = "newly_readable"
    NO_LONGER_READABLE = "no_longer_readable"
    CHANGED = "changed"
    OTHERWISE_UNREADABLE = "otherwise_unreadable"  # unreadable then and now, for another reason
    DECIDED = "decided"  # a person has decided about it: no adapter overrules that
    NOT_KEPT = "not_kept"  # the body is gone, by retention or damage


@dataclass(frozen=True, slots=True)
class Reading:
    """How a page was, or is, read: the word it ended in, and the facts taken from it, if any."""

    outcome: Outcome
    reason: str | None = None
    facts: Mapping[str, Any] | None = None
    details: str = ""

    @property
    def is_answer(self) -> bool:
        """Whether the page said what it was asked for."""
        return self.outcome in _ANSWERS

    @property
    def word(self) -> str:
        """Return the outcome with its reason."""
        return f"{self.outcome.value}: {self.reason}" if self.reason else self.outcome.value


@dataclass(frozen=True, slots=True)
class Standing:
    """What is in force of a recorded page: its newest reading that nobody took back."""

    reading: Reading
    newest_job: int  # the newest that read it, whether it is in force or not
    observed_at: datetime | None = None  # as its fact has it
    is_decided: bool = False  # by a person, who looked at the page
    taken_back: str | None = None  # the adapter version whose newer reading a person took back


@dataclass(frozen=True, slots=True)
class Reread:
    """One page read again."""

    page: RecordedPage
    change: Change
    before: Standing
    after: Reading
    record: Any = None  # today's, to be written
    site_id: str = ""
    site_version: str = ""

    @property
    def fields(self) -> dict[str, tuple[Any, Any]]:
        """Return what differs, by field: before and after."""
        old, new = self.before.reading.facts or {}, self.after.facts or {}
        if not old or not new:
            return {}
        return {
            name: (old.get(name), new.get(name)) for name in {**old, **new} if old.get(name) != new.get(name)
        }


def compare(before: Standing, after: Reading, *, version: str) -> Change:
    """Return the word for what became of the reading, now that this version of the adapter has read it."""
    then = before.reading
    if before.is_decided or before.taken_back == version:
        return Change.DECIDED
    if then.is_answer and after.is_answer:
        is_same = then.outcome is after.outcome and then.facts == after.facts
        return Change.SAME if is_same else Change.CHANGED
    if then.is_answer:
        return Change.NO_LONGER_READABLE
    if after.is_answer:
        return Change.NEWLY_READABLE
    return Change.SAME if then.word == after.word else Change.OTHERWISE_UNREADABLE
