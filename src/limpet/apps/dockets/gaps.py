"""Holes in a register: numbers the court says it never gave out, numbers nobody has asked for, and failures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from sqlalchemy import Connection, select

from limpet.apps.dockets.bounds import Register, last_probe
from limpet.apps.dockets.tables import docket_bounds, docket_cases
from limpet.observe.gaps import Hole


@dataclass(frozen=True, slots=True)
class RegisterGaps:
    """Every number from 1 to the end of a register, under one of four words."""

    register: Register
    upper_bound: int
    is_probed: bool  # else the end is just the highest number on record
    succeeded: int
    absent: tuple[Hole, ...]
    unasked: tuple[Hole, ...]
    failed: tuple[Hole, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every number up to a probed end was answered."""
        return self.is_probed and not (self.unasked or self.failed)

    @property
    def backfill(self) -> str:
        """The command that asks for what was never answered."""
        which = f"--year {self.register.year % 100:02d}"
        if self.register.prefix != "IMM":
            which += f" --prefix {self.register.prefix}"
        verb = "run dockets" if self.is_probed else "dockets probe"
        return f"limpet {verb} {which} --source {self.register.source_id}"


def registers(connection: Connection, *, source_id: str | None, year: int | None) -> list[Register]:
    """Return every register anything is known of."""
    found: set[Register] = set()
    for table in (docket_cases, docket_bounds):
        asked = select(table.c.source_id, table.c.prefix, table.c.year).distinct()
        found.update(Register(*row) for row in connection.execute(asked))
    return sorted(
        (one for one in found if source_id in (None, one.source_id) and year in (None, one.year)),
        key=lambda one: (one.source_id, one.prefix, one.year),
    )


def find_gaps(connection: Connection, register: Register) -> RegisterGaps:
    """Return how every number of the register stands."""
    standing = _standing(connection, register)
    probed = last_probe(connection, register)
    # Beyond the probe there may be numbers a later batch has found.
    highest = max((number for number, word in standing.items() if word == "succeeded"), default=0)
    last = max(highest, probed.number if probed else 0)
    return RegisterGaps(
        register=register,
        upper_bound=last,
        is_probed=probed is not None,
        succeeded=sum(word == "succeeded" and number > 0 for number, word in standing.items()),
        absent=_holes(standing, "no_record", last),
        unasked=_holes(standing, None, last),
        failed=_holes(standing, "failed", last),
    )


def _standing(connection: Connection, register: Register) -> Mapping[int, str]:
    columns = docket_cases.c
    asked = select(columns.number, columns.status).where(
        columns.source_id == register.source_id,
        columns.prefix == register.prefix,
        columns.year == register.year,
    )
    return {row.number: row.status for row in connection.execute(asked)}


def _holes(standing: Mapping[int, str], word: str | None, last: int) -> tuple[Hole, ...]:
    return tuple(in_runs(number for number in range(1, last + 1) if standing.get(number) == word))


def in_runs(numbers: Iterable[int]) -> list[Hole]:
    """Return ascending numbers as runs without an interruption."""
    listed = list(numbers)
    if not listed:
        return []
    breaks = [(before, after) for before, after in pairwise(listed) if after - before > 1]
    firsts = [listed[0], *(after for _, after in breaks)]
    lasts = [*(before for before, _ in breaks), listed[-1]]
    return [Hole(first, last) for first, last in zip(firsts, lasts, strict=True)]
