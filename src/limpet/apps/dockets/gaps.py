"""Holes in a register: numbers the court says it never gave out, numbers nobody has asked for, and failures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from limpet.apps.dockets.bounds import Register, every_bound, last_probe
from limpet.apps.dockets.tables import docket_cases
from limpet.apps.dockets.views.registers import asked_registers
from limpet.extract.parse.case_number import LARGEST_NUMBER
from limpet.observe.gaps import Hole


@dataclass(frozen=True, slots=True)
class RegisterGaps:
    """Every number from 1 to the end of a register, under one of four words, and failures wherever they are."""

    register: Register
    upper_bound: int
    is_probed: bool  # else the end is just the highest number on record
    succeeded: int
    absent: tuple[Hole, ...]
    unasked: tuple[Hole, ...]
    failed: tuple[Hole, ...]  # beyond the end as well: nobody knows what is there

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
        which += f" --source {self.register.source_id}"
        if not self.is_probed:
            return f"limpet dockets probe {which}"
        beyond = [hole for hole in self.failed if hole.last > self.upper_bound]
        if beyond and not self.unasked and beyond == list(self.failed):
            # A run over the year goes to its end, and these lie behind it.
            which += f" --start {beyond[0].first} --max-cases {beyond[-1].last - beyond[0].first + 1}"
        return f"limpet run dockets {which}"


def registers(connection: Connection, *, source_id: str | None, year: int | None) -> list[Register]:
    """Return every register anything is known of."""
    found = {*asked_registers(connection), *every_bound(connection)}
    return sorted(
        (one for one in found if source_id in (None, one.source_id) and year in (None, one.year)),
        key=lambda one: (one.source_id, one.prefix, one.year),
    )


def years_known(connection: Connection, source_id: str | None) -> list[int]:
    """Return the years anything is known of, in order."""
    return sorted({one.year for one in registers(connection, source_id=source_id, year=None)})


def find_gaps(connection: Connection, register: Register) -> RegisterGaps:
    """Return how every number of the register stands."""
    probed = last_probe(connection, register)
    # Beyond the probe there may be numbers a later batch has found.
    last = max(_highest_found(connection, register), probed.number if probed else 0)
    stretches = _stretches(connection, register, last)
    asked = sorted((hole for found in stretches.values() for hole in found), key=lambda hole: hole.first)
    return RegisterGaps(
        register=register,
        upper_bound=last,
        is_probed=probed is not None,
        succeeded=sum(stretch.count for stretch in stretches["succeeded"]),
        absent=tuple(stretches["no_record"]),
        unasked=tuple(between(asked, last)),
        failed=tuple(_failed(connection, register)),
    )


def between(stretches: Sequence[Hole], last: int) -> Iterator[Hole]:
    """Yield what ascending stretches leave out of 1 to the last number."""
    expected = 1
    for stretch in stretches:
        if stretch.first > expected:
            yield Hole(expected, stretch.first - 1)
        expected = stretch.last + 1
    if expected <= last:
        yield Hole(expected, last)


def _highest_found(connection: Connection, register: Register) -> int:
    found = select(func.max(docket_cases.c.number)).where(
        *register.holds(docket_cases), docket_cases.c.status == "succeeded"
    )
    return connection.execute(found).scalar() or 0


def _stretches(
    connection: Connection, register: Register, last: int, *, first: int = 1, status: str | None = None
) -> dict[str, list[Hole]]:
    """Return the stretches of neighbours with the same word; found by the database, because a year is long."""
    cases = docket_cases.c
    wanted = (cases.number.between(first, last), *(() if status is None else (cases.status == status,)))
    # Within a stretch the number and its rank grow alike, so that their difference names it.
    rank = func.row_number().over(partition_by=cases.status, order_by=cases.number)
    told = (
        select(cases.number, cases.status, (cases.number - rank).label("stretch"))
        .where(*register.holds(docket_cases), *wanted)
        .subquery()
    )
    question = (
        select(told.c.status, func.min(told.c.number), func.max(told.c.number))
        .group_by(told.c.status, told.c.stretch)
        .order_by(func.min(told.c.number))
    )
    found: dict[str, list[Hole]] = defaultdict(list)
    for word, begin, end in connection.execute(question):
        found[word].append(Hole(begin, end))
    return found


def _failed(connection: Connection, register: Register) -> list[Hole]:
    return _stretches(connection, register, LARGEST_NUMBER, first=0, status="failed")["failed"]
