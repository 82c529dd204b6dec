"""How far a year's numbers go, as far as the ledger remembers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, delete, insert, select

from limpet.apps.dockets.tables import docket_bounds
from limpet.apps.dockets.upper_bound import ProbeTerms, UpperBound

_PROMISE = ("sees_through", "shortest_tail", "reached")


@dataclass(frozen=True, slots=True)
class Register:
    """The numbers of one year at one source."""

    source_id: str
    prefix: str
    year: int  # in full

    def __str__(self) -> str:
        return f"{self.prefix} of {self.year}"

    def holds(self, table: Table) -> list[ColumnElement[bool]]:
        """Return what makes a row of a table of cases or bounds one of this register's."""
        return [
            table.c.source_id == self.source_id,
            table.c.prefix == self.prefix,
            table.c.year == self.year,
        ]


@dataclass(frozen=True, slots=True)
class RememberedBound:
    """What the last probe of a register found."""

    number: int
    probes: int
    found_at: datetime
    expires_at: datetime
    sees_through: int = (
        0  # no hole of up to so many numbers hides more, unless fewer than `shortest_tail` follow it
    )
    shortest_tail: int = 0
    reached: int = 0  # beyond, single numbers were tried up to here


def last_probe(connection: Connection, register: Register) -> RememberedBound | None:
    """Return what the last probe found, however long ago."""
    row = connection.execute(select(docket_bounds).where(*register.holds(docket_bounds))).one_or_none()
    return None if row is None else _remembered(row)


def every_bound(connection: Connection) -> dict[Register, RememberedBound]:
    """Return what the last probe of each register found."""
    rows = connection.execute(select(docket_bounds))
    return {Register(row.source_id, row.prefix, row.year): _remembered(row) for row in rows}


def remembered_bound(
    connection: Connection, source_id: str, *, prefix: str, year: int, now: datetime
) -> int | None:
    """Return the last number of the year, while the probe that found it is fresh; None when nobody knows."""
    found = last_probe(connection, Register(source_id, prefix, year))
    return found.number if found is not None and found.expires_at > now else None


def remember_bound(
    connection: Connection,
    register: Register,
    bound: UpperBound,
    *,
    terms: ProbeTerms,
    found_at: datetime,
    expires_at: datetime,
) -> None:
    """Keep a proven bound in place of the one before."""
    connection.execute(delete(docket_bounds).where(*register.holds(docket_bounds)))
    row = {
        **asdict(register),
        "upper_bound": bound.number,
        "probes": bound.probes,
        "terms": asdict(terms) | {name: getattr(bound, name) for name in _PROMISE},
        "found_at": found_at,
        "expires_at": expires_at,
    }
    connection.execute(insert(docket_bounds).values(row))


def _remembered(row: Row[Any]) -> RememberedBound:
    promised = {name: int(row.terms.get(name, 0)) for name in _PROMISE}
    return RememberedBound(row.upper_bound, row.probes, row.found_at, row.expires_at, **promised)
