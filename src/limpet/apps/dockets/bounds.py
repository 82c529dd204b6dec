"""How far a year's numbers go, as far as the ledger remembers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from limpet.apps.dockets.tables import docket_bounds
from limpet.apps.dockets.upper_bound import ProbeTerms, UpperBound


@dataclass(frozen=True, slots=True)
class Register:
    """The numbers of one year at one source."""

    source_id: str
    prefix: str
    year: int  # in full

    def __str__(self) -> str:
        return f"{self.prefix} of {self.year}"


@dataclass(frozen=True, slots=True)
class RememberedBound:
    """What the last probe of a register found."""

    number: int
    probes: int
    found_at: datetime
    expires_at: datetime


def last_probe(connection: Connection, register: Register) -> RememberedBound | None:
    """Return what the last probe found, however long ago."""
    columns = docket_bounds.c
    row = connection.execute(select(docket_bounds).where(*_is_of(register))).one_or_none()
    if row is None:
        return None
    found = row._mapping
    return RememberedBound(
        found[columns.upper_bound], found[columns.probes], found[columns.found_at], found[columns.expires_at]
    )


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
    connection.execute(delete(docket_bounds).where(*_is_of(register)))
    row = {
        **asdict(register),
        "upper_bound": bound.number,
        "probes": bound.probes,
        "terms": asdict(terms),
        "found_at": found_at,
        "expires_at": expires_at,
    }
    connection.execute(insert(docket_bounds).values(row))


def _is_of(register: Register) -> list[ColumnElement[bool]]:
    columns = docket_bounds.c
    return [
        columns.source_id == register.source_id,
        columns.prefix == register.prefix,
        columns.year == register.year,
    ]
