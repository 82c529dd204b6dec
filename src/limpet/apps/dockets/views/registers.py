"""Registers by year: how many of their numbers stand how, and how far the last probe found them to go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, ScalarSelect, func, literal, select, union_all

from limpet.apps.dockets.bounds import Register, RememberedBound, every_bound
from limpet.apps.dockets.tables import docket_cases

_STATUSES = ("succeeded", "no_record", "failed")


@dataclass(frozen=True, slots=True)
class RegisterView:
    """One register of one year; `last` is its end as far as anybody knows."""

    register: Register
    found: int
    none: int
    failed: int
    highest_found: int
    highest_asked: int
    highest_failed: int
    bound: RememberedBound | None
    unasked: int  # of 1 to the last number
    sums: tuple[
        int, ...
    ]  # of the numbers that stand alike: with the counts they tell whether any number changed

    @property
    def last(self) -> int:
        """The last number: as probed, or as found later; what was asked for in vain proves nothing."""
        return _last(self.highest_found, self.bound)

    @property
    def map_end(self) -> int:
        """How far a map must go: a probe asks far beyond the end, and nothing is to be seen there but failures."""
        return max(self.last, self.highest_failed if self.bound else self.highest_asked)

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
    bounds = every_bound(connection)
    known = {*asked_registers(connection), *bounds} if register is None else {register}
    views = [_view(connection, one, bounds.get(one), is_close=register is not None) for one in known]
    told = [view for view in views if view.asked or view.bound]
    return sorted(told, key=lambda one: (-one.year, one.prefix, one.source_id))


def asked_registers(connection: Connection) -> Iterator[Register]:
    """Yield the registers any number was asked of, from one to the next by the index: numbers are not looked at."""
    cases = docket_cases.c
    key = (cases.source_id, cases.prefix, cases.year)
    found = connection.execute(select(*key).order_by(*key).limit(1)).first()
    while found is not None:
        yield (last := Register(*found))
        # A comparison of whole keys would be one question, but SQLite seeks by the first column of it alone.
        ways = (
            (cases.source_id == last.source_id, cases.prefix == last.prefix, cases.year > last.year),
            (cases.source_id == last.source_id, cases.prefix > last.prefix),
            (cases.source_id > last.source_id,),
        )
        questions = (select(*key).where(*way).order_by(*key).limit(1) for way in ways)
        found = next((row for question in questions if (row := connection.execute(question).first())), None)


def _standing(connection: Connection, register: Register) -> dict[str, Row[Any]]:
    """Return count and highest of the numbers by their status: a stretch of an index, and the end of it."""
    number = docket_cases.c.number

    def ask(what: ColumnElement[Any], status: str) -> ScalarSelect[Any]:
        mine = (*register.holds(docket_cases), docket_cases.c.status == status)
        return select(what).select_from(docket_cases).where(*mine).scalar_subquery()

    of_status = (
        select(
            literal(status).label("status"),
            ask(func.count(), status).label("many"),
            func.coalesce(ask(func.max(number), status), 0).label("highest"),
        )
        for status in _STATUSES
    )
    return {row.status: row for row in connection.execute(union_all(*of_status))}


def _sums(connection: Connection, register: Register) -> tuple[int, ...]:
    cases = docket_cases.c
    question = select(cases.status, func.sum(cases.number)).where(*register.holds(docket_cases))
    found = {status: int(total) for status, total in connection.execute(question.group_by(cases.status))}
    return tuple(found.get(status, 0) for status in _STATUSES)


def _outside(connection: Connection, register: Register, last: int) -> int:
    """Return how many were asked for that are none of 1 to the last number; probes go beyond it."""
    number = docket_cases.c.number
    found = (
        select(func.count())
        .select_from(docket_cases)
        .where(*register.holds(docket_cases), outside)
        .scalar_subquery()
        for outside in (number > last, number < 1)
    )
    return sum(connection.execute(select(*found)).one())


def _view(
    connection: Connection, register: Register, bound: RememberedBound | None, *, is_close: bool
) -> RegisterView:
    of = _standing(connection, register)
    asked = sum(of[status].many for status in _STATUSES)
    last = _last(of["succeeded"].highest, bound)
    return RegisterView(
        register=register,
        found=of["succeeded"].many,
        none=of["no_record"].many,
        failed=of["failed"].many,
        highest_found=of["succeeded"].highest,
        highest_asked=max(of[status].highest for status in _STATUSES),
        highest_failed=of["failed"].highest,
        bound=bound,
        unasked=last - asked + _outside(connection, register, last),
        sums=_sums(connection, register) if is_close else (),
    )


def _last(highest_found: int, bound: RememberedBound | None) -> int:
    return max(highest_found, bound.number if bound else 0)
