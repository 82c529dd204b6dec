"""Cases as a list: searched, filtered, and read on from where the page before ended."""

from __future__ import annotations

import string
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, select, tuple_

from limpet.apps.dockets.tables import docket_case_versions, docket_cases
from limpet.extract.parse.case_number import CaseNumberProblem, parse_case_number
from limpet.record.bulk import is_sqlite
from limpet.record.storable import storable, storable_or_none

_REGISTER_ORDER = (
    docket_cases.c.source_id,
    docket_cases.c.prefix,
    docket_cases.c.year,
    docket_cases.c.number,
)


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Which cases; what is not said is not asked."""

    source_id: str | None = None
    prefix: str | None = None
    year: int | None = None
    status: str | None = None
    search: str | None = None  # a case number, or part of a style of cause
    is_changed: bool = False  # only cases with more than one version
    is_vanished: bool = False  # only cases we hold and the court denies


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A case as a list shows it."""

    id: int
    source_id: str
    case_id: str
    prefix: str
    year: int
    number: int
    status: str
    version: int
    attempts: int
    last_error: str | None
    last_attempt_at: datetime
    last_success_at: datetime | None
    vanished_at: datetime | None
    style_of_cause: str | None
    nature_of_proceeding: str | None
    filing_date: str | None
    entry_count: int | None


def list_cases(
    connection: Connection, wanted: CaseFilter, *, after: int = 0, limit: int = 50
) -> list[CaseLine]:
    """Return cases by register and number, going on after the case with this row id."""
    begun = connection.execute(select(*_REGISTER_ORDER).where(docket_cases.c.id == after)).one_or_none()
    if after and begun is None:
        return []
    cases, versions = docket_cases.c, docket_case_versions.c
    newest = and_(versions.docket_case_id == cases.id, versions.version == cases.version)
    told = [cases[name] if name in cases else versions[name] for name in CaseLine.__slots__]
    question = (
        select(*told)
        .select_from(docket_cases)
        .outerjoin(docket_case_versions, newest)
        .where(*_conditions(connection, wanted))
        .order_by(*_REGISTER_ORDER)
        .limit(limit)
    )
    if begun is not None:
        question = question.where(tuple_(*_REGISTER_ORDER) > tuple_(*begun))
    return [CaseLine(*row) for row in connection.execute(question)]


def failed_cases(connection: Connection, wanted: CaseFilter, *, limit: int) -> list[str]:
    """Return the numbers that were asked for in vain, in order."""
    cases = docket_cases.c
    question = select(cases.case_id).where(*_conditions(connection, wanted), cases.status == "failed")
    return list(connection.execute(question.order_by(*_REGISTER_ORDER).limit(limit)).scalars())


def _conditions(connection: Connection, wanted: CaseFilter) -> list[ColumnElement[bool]]:
    cases = docket_cases.c
    asked = {
        cases.source_id: storable_or_none(wanted.source_id),
        cases.prefix: storable_or_none(wanted.prefix),
        cases.year: wanted.year,
        cases.status: wanted.status,
    }
    found: list[ColumnElement[bool]] = [
        column == value for column, value in asked.items() if value is not None
    ]
    if wanted.is_changed:
        found.append(cases.version > 1)
    if wanted.is_vanished:
        found.append(cases.vanished_at.is_not(None))
    if wanted.search:
        found.append(_search(connection, wanted.search))
    return found


def _search(connection: Connection, text: str) -> ColumnElement[bool]:
    case = parse_case_number(text)
    if not isinstance(case, CaseNumberProblem):
        return docket_cases.c.case_id == str(case)
    style, part = docket_case_versions.c.style_of_cause, storable(text.strip())
    # Both forms of each letter are written out: SQLite knows none but A to Z, nor does Postgres in the C locale.
    if is_sqlite(connection):
        pattern = "".join(_either_form(letter) or _literal_in_glob(letter) for letter in part)
        return style.op("GLOB", is_comparison=True)(f"*{pattern}*")
    pattern = "".join(_either_form(letter) or _literal_in_regex(letter) for letter in part)
    return style.op("~", is_comparison=True)(pattern)


def _either_form(letter: str) -> str:
    """Return the class of a letter's small and capital form; nothing when it has but one."""
    forms = {letter} | {form for form in (letter.lower(), letter.upper()) if len(form) == 1}
    return f"[{''.join(sorted(forms))}]" if len(forms) > 1 else ""


def _literal_in_glob(letter: str) -> str:
    return f"[{letter}]" if letter in "*?[" else letter


def _literal_in_regex(letter: str) -> str:
    return f"\\{letter}" if letter in string.punctuation.replace("_", "") else letter
