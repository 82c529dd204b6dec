"""Registers by year: how many of their numbers stand how, and how far the last probe found them to go."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, select

from limpet.apps.dockets.bounds import Register, RememberedBound, every_bound
from limpet.apps.dockets.tables import docket_cases


@dataclass(frozen=True, slots=True)
class RegisterView:
    """One register of one year; `last` is its end as far as anybody knows."""

    register: Register
    found: int
    none: int
    failed: int
    highest_found: int
    highest_asked: int
    bound: RememberedBound | None
    unasked: int  # of 1 to the last number

    @property
    def last(self) -> int:
        """The last number: as probed, or as found later; what was asked for in vain proves nothing."""
        return _last(self.highest_found, self.bound)

    @property
    def asked(self) -> int:
        """How many numbers were asked for."""
        return self.found + self.none + self.failed

    @property
    def source_id(self) -> str:
        return self.register.source_id

    @property
    def prefix(self) -> str:
        return self.register.prefix

    @property
    def year(self) -> int:
        return self.register.year

    def probe_state(self, now: datetime) -> str:
        """Say in a word what the end of the register rests on."""
        if self.bound is None:
            return "never_probed"
        return "fresh" if self.bound.expires_at > now else "expired"


def list_registers(connection: Connection, register: Register | None = None) -> list[RegisterView]:
    """Return every register anything is known of, the latest year first; or this one alone."""
    counts: dict[Register, dict[str, tuple[int, int]]] = {}
    for row in connection.execute(_counted(register)):
        key = Register(row.source_id, row.prefix, row.year)
        counts.setdefault(key, {})[row.status] = (row.many, row.highest)
    bounds = every_bound(connection)
    known = {*counts, *bounds} if register is None else {register} & {*counts, *bounds}
    views = [_view(connection, one, counts.get(one, {}), bounds.get(one)) for one in known]
    return sorted(views, key=lambda one: (-one.year, one.prefix, one.source_id))


def _counted(register: Register | None) -> Select[Any]:
    cases = docket_cases.c
    where = [] if register is None else register.holds(docket_cases)
    return (
        select(
            cases.source_id,
            cases.prefix,
            cases.year,
            cases.status,
            func.count().label("many"),
            func.max(cases.number).label("highest"),
        )
        .where(*where)
        .group_by(cases.source_id, cases.prefix, cases.year, cases.status)
    )


def _last(highest_found: int, bound: RememberedBound | None) -> int:
    return max(highest_found, bound.number if bound else 0)


def _asked_for(connection: Connection, register: Register, last: int) -> int:
    """Return how many of 1 to the last number were asked for; probes go beyond it."""
    within = docket_cases.c.number.between(1, last)
    return connection.execute(
        select(func.count()).select_from(docket_cases).where(*register.holds(docket_cases), within)
    ).scalar_one()


def _view(
    connection: Connection,
    register: Register,
    by_status: dict[str, tuple[int, int]],
    bound: RememberedBound | None,
) -> RegisterView:
    def of(status: str) -> tuple[int, int]:
        return by_status.get(status, (0, 0))

    last = _last(of("succeeded")[1], bound)
    return RegisterView(
        register=register,
        found=of("succeeded")[0],
        none=of("no_record")[0],
        failed=of("failed")[0],
        highest_found=of("succeeded")[1],
        highest_asked=max((highest for _, highest in by_status.values()), default=0),
        bound=bound,
        unasked=last - _asked_for(connection, register, last),
    )
