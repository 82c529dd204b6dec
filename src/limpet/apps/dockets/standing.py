"""How numbers stand: which were answered for good, which may be asked again, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import Connection, select

from limpet.apps.dockets.tables import docket_cases
from limpet.extract.parse.case_number import CaseNumber

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
    if known.status == "no_record":
        return Standing.NO_RECORD_BEFORE
    return Standing.COOLING_DOWN if now - known.last_attempt_at < cool_down else Standing.TO_ASK


def known_cases(connection: Connection, source_id: str, years: Iterable[int]) -> dict[CaseNumber, Known]:
    """Return what is known about the numbers of these years."""
    columns = docket_cases.c
    question = select(
        columns.prefix, columns.year, columns.number, columns.status, columns.last_attempt_at
    ).where(columns.source_id == source_id, columns.year.in_(sorted(set(years))))
    return {
        CaseNumber(row.prefix, row.year, row.number): Known(row.status, row.last_attempt_at)
        for row in connection.execute(question)
    }
