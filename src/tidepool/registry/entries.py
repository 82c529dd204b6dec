"""What was recorded in a file, and how that record changes with the tick."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from tidepool.draw import draw, pick
from tidepool.registry import words
from tidepool.registry.numbers import CourtNumber, foremost_number
from tidepool.registry.words import Both

TICKS_BETWEEN_NEW_ENTRIES = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """One recorded entry; its number in the file is not its place in the list."""

    number: int
    document: int | None
    filed_on: date | None
    office: Both
    summary: str
    is_confidential: bool = False
    is_published: bool = False
    foremost: int = 0
    notes: str = ""

    @property
    def has_public_document(self) -> bool:
        """Whether anybody may have the PDF; a confidential one may claim to be published."""
        return self.is_published and not self.is_confidential


def entries_of(number: CourtNumber, opened: date, office: Both, *, seed: int, tick: int) -> tuple[Entry, ...]:
    """Return the entries in the order of their numbers: added to, reworded and withdrawn as ticks go by."""
    at_first = 1 + draw(12, seed, number, "entries")
    is_alive = draw(5, seed, number, "alive") == 0
    phase = draw(TICKS_BETWEEN_NEW_ENTRIES, seed, number, "phase")
    added = (tick + phase) // TICKS_BETWEEN_NEW_ENTRIES if is_alive else 0
    withdrawn = _withdrawn(number, at_first, seed=seed, tick=tick)
    return tuple(
        _entry(number, place, opened, office, seed=seed, tick=tick)
        for place in range(1, at_first + added + 1)
        if place != withdrawn
    )


def _entry(number: CourtNumber, place: int, opened: date, office: Both, *, seed: int, tick: int) -> Entry:
    about = (seed, number, place)
    filed_on = opened + timedelta(days=place * 7 + draw(7, *about, "day"))
    is_confidential = draw(20, *about, "secret") == 0
    return Entry(
        number=place,
        document=place if draw(4, *about, "doc") else None,
        filed_on=None if draw(60, *about, "undated") == 0 else filed_on,
        office=pick((office, office, *words.OFFICES), *about, "office"),
        summary=_summary(number, place, filed_on, is_confidential=is_confidential, seed=seed, tick=tick),
        is_confidential=is_confidential,
        is_published=draw(6, *about, "published") == 0,
        foremost=foremost_number(number, place),
        notes="Registry note: see paper file" if draw(30, *about, "note") == 0 else "",
    )


def _summary(
    number: CourtNumber, place: int, filed_on: date, *, is_confidential: bool, seed: int, tick: int
) -> str:
    step = words.CONFIDENTIAL_STEP if is_confidential else pick(words.STEPS, seed, number, place, "step")
    text = step.format(dmy=_day(filed_on), doc=place, board=pick(words.BOARDS, seed, number, "board"))
    revisions = _revisions(number, place, seed=seed, tick=tick)
    return f"{text} (REVISED {revisions})" if revisions else text


def _revisions(number: CourtNumber, place: int, *, seed: int, tick: int) -> int:
    """How often the registry has reworded this entry: now and then, from the second tick of a file on."""
    if draw(6, seed, number, place, "reworded"):
        return 0
    return tick // (1 + draw(4, seed, number, place, "pace"))


def _withdrawn(number: CourtNumber, at_first: int, *, seed: int, tick: int) -> int | None:
    if at_first < 3 or draw(25, seed, number, "withdraws"):
        return None
    return 2 if tick >= 1 + draw(3, seed, number, "withdrawn at") else None


def _day(day: date) -> str:
    return f"{day.day:02d}-{words.MONTHS[day.month - 1]}-{day.year}"
