"""When "no such file" is for good: a number that was not given out yet may be, a hole between others never is."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import accumulate

# A year's last files are entered in the first days of the next.
AFTERMATH = timedelta(days=7)
# So long the absence of a number nobody has got past yet is believed.
LOOK_AGAIN = timedelta(days=7)


class Absence(StrEnum):
    """How long the court's word holds that there is no such file."""

    FINAL = "final"  # higher numbers had been given out, or the year is over
    OPEN = "open"  # nothing higher has been seen: it may be given out any day
    OVERTAKEN = "overtaken"  # higher numbers were seen since: it may have been given out on the way


@dataclass(frozen=True, slots=True, order=True)
class Sighting:
    """When a number was first seen, and in which run."""

    at: datetime
    number: int
    run_id: int | None


class Sightings:
    """The numbers of one register's year that were seen."""

    def __init__(self, year: int, seen: Iterable[Sighting]) -> None:
        ordered = sorted(seen, key=lambda one: one.at)
        self._moments = [one.at for one in ordered]
        self._highest = list(accumulate((one.number for one in ordered), max))
        self._highest_in_run: dict[int | None, int] = defaultdict(int)
        for one in ordered:
            self._highest_in_run[one.run_id] = max(self._highest_in_run[one.run_id], one.number)
        self._closed_at = datetime(year + 1, 1, 1, tzinfo=UTC) + AFTERMATH

    def absence(self, number: int, *, at: datetime, run_id: int | None) -> Absence:
        """Say what a number's absence at that moment, found by that run, is worth."""
        if at >= self._closed_at or number < max(self._highest_by(at), self._highest_in_run[run_id]):
            # One run goes faster upwards than a court gives out numbers: what it met above is proof too.
            return Absence.FINAL
        is_overtaken = bool(self._highest) and number < self._highest[-1]
        return Absence.OVERTAKEN if is_overtaken else Absence.OPEN

    def _highest_by(self, moment: datetime) -> int:
        until = bisect_right(self._moments, moment)
        return self._highest[until - 1] if until else 0
