"""The proof of the docket tables, for `limpet verify`."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, and_, func, select

from limpet.apps.dockets.documents import ENTRIES_NOW
from limpet.apps.dockets.tables import docket_case_versions, docket_cases
from limpet.record.tables import jobs
from limpet.target import JobState


def contradictions(connection: Connection) -> Iterator[tuple[str, str]]:
    """Yield (subject, message) for a success without its docket, a docket without its success, or lost entries."""
    cases, versions = docket_cases.c, docket_case_versions.c
    newest = and_(versions.docket_case_id == cases.id, versions.version == cases.version)
    empty = (
        select(cases.case_id)
        .outerjoin(docket_case_versions, newest)
        .where(cases.status == JobState.SUCCEEDED.value, cases.known_from.is_(None), versions.id.is_(None))
    )
    for case_id in connection.execute(empty).scalars():
        yield case_id, "it succeeded, but no docket is on record"
    unearned = (
        select(versions.id, versions.job_id)
        .join(jobs, jobs.c.id == versions.job_id)
        .where(jobs.c.state != JobState.SUCCEEDED.value)
    )
    for version_id, job_id in connection.execute(unearned):
        yield f"docket version {version_id}", f"its job {job_id} did not succeed"
    yield from _lost_entries(connection)


def _lost_entries(connection: Connection) -> Iterator[tuple[str, str]]:
    cases, versions = docket_cases.c, docket_case_versions.c
    counted = (
        select(ENTRIES_NOW.c.docket_case_id, func.count().label("held"))
        .group_by(ENTRIES_NOW.c.docket_case_id)
        .subquery()
    )
    held = func.coalesce(counted.c.held, 0)
    question = (
        select(cases.case_id, versions.entry_count, held)
        .join(versions.id.table, and_(versions.docket_case_id == cases.id, versions.version == cases.version))
        .outerjoin(counted, counted.c.docket_case_id == cases.id)
        .where(versions.entry_count != held)
    )
    for case_id, stated, found in connection.execute(question):
        yield case_id, f"its docket states {stated} entries, {found} are on record"
