"""The weekly recheck: broken targets are really fetched again, and only an answer makes them active."""

from __future__ import annotations

from datetime import datetime, timedelta

from limpet.engine.runs import RunDesk
from limpet.engine.timetable import is_open
from limpet.errors import NothingToDo, QueueFull, SourceRefused
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Selection
from limpet.target.outcome import Trigger

RECHECK_AFTER = timedelta(days=7)


def broken(source_ids: list[str], *, not_since: datetime | None = None) -> Selection:
    """Return the choice of broken targets nobody is about to visit, perhaps only those left alone for a while."""
    return Selection(source_ids, statuses=("broken",), not_scraped_since=not_since, not_waiting=True)


async def plan_rechecks(desk: RunDesk, now: datetime) -> list[Run]:
    """Plan a recheck for every open source with targets broken and untouched for a week."""
    planned = []
    for source in desk.catalogue.list():
        if not is_open(source):
            continue
        new = NewRun(app=source.app, source_id=source.id, trigger=Trigger.RECHECK)
        try:
            planned.append(await desk.plan(new, chosen=broken([source.id], not_since=now - RECHECK_AFTER)))
        except (NothingToDo, QueueFull, SourceRefused):
            continue  # nothing is broken, or there is no room now: an hour later is early enough
    return planned
