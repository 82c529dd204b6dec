"""Versions of one observation: a page read again gives a newer one, and only the newest that stands is shown."""

from __future__ import annotations

from sqlalchemy import ColumnElement, FromClause, ScalarSelect, and_, func, or_, select

from limpet.apps.prices.market_tables import ignored_runs
from limpet.record.tables import jobs


def is_superseded(observed: FromClause) -> ColumnElement[bool]:
    """Whether the page behind this price was read again later, by a run nobody has taken back.

    Also a reading that found no price supersedes the one before it: it is then not shown at all.
    """
    newer = jobs.alias("newer")
    taken_back = select(ignored_runs.c.id).where(
        ignored_runs.c.run_id == newer.c.run_id, ignored_runs.c.revoked_at.is_(None)
    )
    again = select(newer.c.id).where(
        newer.c.rereads == func.coalesce(observed.c.rereads, observed.c.job_id),
        newer.c.id > observed.c.job_id,
        ~taken_back.correlate(newer).exists(),
    )
    return again.correlate(observed).exists()


def is_of_ignored_run(observed: FromClause) -> ColumnElement[bool]:
    """Whether the run that saw the page, or the one that read it again, is ignored."""
    of_either = or_(
        ignored_runs.c.run_id == observed.c.ingestion_run_id,
        and_(observed.c.rereads.is_not(None), ignored_runs.c.run_id == rereading_run(observed)),
    )
    ignored = select(ignored_runs.c.id).where(of_either, ignored_runs.c.revoked_at.is_(None))
    return ignored.correlate(observed).exists()


def rereading_run(observed: FromClause) -> ScalarSelect[int]:
    """The run that read the page as this price has it."""
    reader = jobs.alias("reader")
    # Said outright: of itself a question two levels down knows only the one right above it.
    run = select(reader.c.run_id).where(reader.c.id == observed.c.job_id).correlate(observed)
    return run.scalar_subquery()
