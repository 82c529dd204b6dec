"""A whole scrape in one call: sync, choose, download, and a summary; the engine does the walking."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from sqlalchemy import Connection, select, text

from limpet.apps.judgments.choosing import Choice, choose, wish_of
from limpet.apps.judgments.index.versions import last_good
from limpet.apps.judgments.params import RunSummary, ScrapeParams
from limpet.apps.judgments.standing import active_cases
from limpet.apps.judgments.tables import judgment_runs
from limpet.engine.runs import RunDesk
from limpet.engine.watcher import Silence, Watcher
from limpet.errors import NothingToDo
from limpet.record import reading
from limpet.record.entry import NewRun
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import JobState
from limpet.target.outcome import Trigger

APP_NAME = "judgments"


async def run_scrape(
    params: ScrapeParams,
    *,
    desk: RunDesk,
    trigger: Trigger = Trigger.CLI,
    watcher: Watcher | None = None,
) -> RunSummary:
    """Scrape once and return what it came to; a dry run asks nobody and records nothing.

    Raises SourceBusy while another run of the source is unfinished, and IndexUnusable when there is no index.
    """
    if params.dry_run:
        return await preview(params, desk=desk)
    new = NewRun(
        APP_NAME,
        params.target_source,
        trigger=trigger,
        mode=params.run_mode,
        params=params.as_run_params(),
    )
    run = await desk.plan(new)
    await desk.walk(run, desk.apps[APP_NAME], watcher or Silence())
    return await desk.ledger.read(lambda connection: summary_of(connection, run.id))


async def preview(params: ScrapeParams, *, desk: RunDesk) -> RunSummary:
    """Return what a scrape would go over by the index as it was last synced."""
    source, now = desk.catalogue.get(params.target_source, app=APP_NAME), desk.clock.now()
    choice = await choice_for(params, source, desk.ledger)
    targeted = min(len(choice.chosen), params.limit) if params.limit else len(choice.chosen)
    return RunSummary(0, choice.total, targeted, 0, 0, 0, {}, now.isoformat(), now.isoformat())


async def choice_for(params: ScrapeParams, source: Source, ledger: Ledger) -> Choice:
    """Choose without a run; raise NothingToDo while no index was ever synced: what nobody knows is not zero."""

    def ask(connection: Connection) -> Choice:
        if last_good(connection, source.id) is None:
            raise NothingToDo(
                f"No index of {source.id!r} was ever synced.",
                fix=f"limpet judgments sync --source {source.id}",
            )
        wish = wish_of(
            connection, source, mode=params.run_mode, strategy=params.strategy, tokens=params.tokens
        )
        return choose(active_cases(connection, source.id, without_run=0), wish, ledger.data_dir)

    return await ledger.read(ask)


def summary_of(connection: Connection, run_id: int) -> RunSummary:
    """Return what a run came to, counted from its rows."""
    run = reading.get_run(connection, run_id)
    plan = connection.execute(select(judgment_runs).where(judgment_runs.c.run_id == run_id)).first()
    counts = run.counts
    done = counts[JobState.SUCCEEDED.value]
    skipped = counts[JobState.SKIPPED.value]
    waiting = counts[JobState.PENDING.value] + counts[JobState.RUNNING.value]
    return RunSummary(
        run_id=run_id,
        cases_total=plan.cases_total if plan else 0,
        cases_targeted=run.planned,
        downloads_completed=done,
        downloads_failed=run.planned - done - skipped - waiting,
        downloads_skipped=skipped,
        error_counts=_error_counts(connection, run_id),
        started_at=run.started_at.isoformat(),
        ended_at=_text(run.ended_at),
    )


def _error_counts(connection: Connection, run_id: int) -> dict[str, int]:
    """Return how often each code of the seed ended a download."""
    question = text("SELECT error_code FROM downloads WHERE run_id = :run AND error_code IS NOT NULL")
    return dict(Counter(connection.execute(question, {"run": run_id}).scalars()))


def _text(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""
