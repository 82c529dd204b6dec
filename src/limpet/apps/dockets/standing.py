"""How numbers stand: which were answered for good, which may be asked again, and when."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Select, func, select

from limpet.apps.dockets.finality import LOOK_AGAIN, Absence, Sighting, Sightings
from limpet.apps.dockets.tables import docket_case_versions, docket_cases
from limpet.extract.parse.case_number import CaseNumber
from limpet.record.tables import jobs

COOL_DOWN = timedelta(hours=6)


class Standing(StrEnum):
    """Whether a number is asked for in a batch, and why not."""

    TO_ASK = "to_ask"
    SUCCEEDED_BEFORE = "succeeded_before"
    NO_RECORD_BEFORE = "no_record_before"
    COOLING_DOWN = "cooling_down"


@dataclass(frozen=True, slots=True)
class Known:
    """What the ledger holds about one number."""

    status: str
    last_attempt_at: datetime
    absence: Absence = Absence.FINAL  # what its absence is worth, if it is absent

    def is_absent(self, now: datetime, *, believed_for: timedelta = LOOK_AGAIN) -> bool:
        """Whether the court's word that there is no such file still holds."""
        if self.status != "no_record" or self.absence is Absence.OVERTAKEN:
            return False
        return self.absence is Absence.FINAL or now - self.last_attempt_at < believed_for


@dataclass(slots=True)
class Survey:
    """A batch before it starts: every number under one word."""

    to_ask: list[CaseNumber] = field(default_factory=list)
    counts: Counter[Standing] = field(default_factory=Counter)

    @property
    def asked(self) -> int:
        """How many numbers the batch goes over."""
        return self.counts.total()


def survey(
    cases: Iterable[CaseNumber],
    known: Mapping[CaseNumber, Known],
    *,
    now: datetime,
    cool_down: timedelta = COOL_DOWN,
    force: bool = False,
) -> Survey:
    """Sort the numbers into those to ask and those to leave alone; each counts once."""
    found = Survey()
    for case in dict.fromkeys(cases):
        word = Standing.TO_ASK if force else _standing(known.get(case), now=now, cool_down=cool_down)
        found.counts[word] += 1
        if word is Standing.TO_ASK:
            found.to_ask.append(case)
    return found


def _standing(known: Known | None, *, now: datetime, cool_down: timedelta) -> Standing:
    if known is None:
        return Standing.TO_ASK
    if known.status == "succeeded":
        return Standing.SUCCEEDED_BEFORE
    if known.is_absent(now):
        return Standing.NO_RECORD_BEFORE
    if known.status == "no_record":
        return Standing.TO_ASK
    return Standing.COOLING_DOWN if now - known.last_attempt_at < cool_down else Standing.TO_ASK


def stands_answered(known: Known, *, since: datetime, now: datetime, cool_down: timedelta) -> bool:
    """Whether a number that was to be asked for when its run began need not be any more."""
    # What was known before, and to be asked for all the same, was known not to hold for good.
    if known.status != "succeeded" and known.last_attempt_at < since:
        return False
    return _standing(known, now=now, cool_down=cool_down) is not Standing.TO_ASK


def known_cases(connection: Connection, source_id: str, years: Iterable[int]) -> dict[CaseNumber, Known]:
    """Return what is known about the numbers of these years."""
    rows = connection.execute(_question(source_id, years)).all()
    sightings = _sightings(rows)
    return {
        CaseNumber(row.prefix, row.year, row.number): Known(
            row.status,
            row.last_attempt_at,
            sightings[row.prefix, row.year].absence(row.number, at=row.last_attempt_at, run_id=row.asked_in),
        )
        for row in rows
    }


def _question(source_id: str, years: Iterable[int]) -> Select[Any]:
    columns, first = docket_cases.c, docket_case_versions.c
    is_first = (first.docket_case_id == columns.id) & (first.version == 1)
    asked, seen = jobs.alias("asked"), jobs.alias("seen")
    return (
        select(
            columns.prefix,
            columns.year,
            columns.number,
            columns.status,
            columns.last_attempt_at,
            asked.c.run_id.label("asked_in"),
            seen.c.run_id.label("seen_in"),
            func.coalesce(first.recorded_at, columns.last_success_at).label("seen_at"),
        )
        .join_from(docket_cases, docket_case_versions, is_first, isouter=True)
        .outerjoin(asked, asked.c.id == columns.last_job_id)
        .outerjoin(seen, seen.c.id == first.job_id)
        .where(columns.source_id == source_id, columns.year.in_(sorted(set(years))))
    )


def _sightings(rows: Iterable[Any]) -> dict[tuple[str, int], Sightings]:
    """Sort when numbers were first seen by register and year."""
    seen: dict[tuple[str, int], list[Sighting]] = defaultdict(list)
    for row in rows:
        register = seen[row.prefix, row.year]
        if row.seen_at is not None:
            register.append(Sighting(row.seen_at, row.number, row.seen_in))
    return {register: Sightings(register[1], found) for register, found in seen.items()}
