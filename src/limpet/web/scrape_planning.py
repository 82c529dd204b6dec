"""Which source is meant, and a run of it written down; the service of this house walks it."""

from __future__ import annotations

from limpet.apps.judgments.params import ScrapeParams
from limpet.apps.judgments.scraping import APP_NAME
from limpet.assembly import House
from limpet.errors import UsageError
from limpet.record.entry import NewRun, Run
from limpet.target.outcome import Trigger

USUAL_SOURCE = "unreported_judgments"


def source_named(house: House, name: str | None) -> str:
    """Return the source asked for, or the one that is meant when nobody names one; raise UsageError."""
    known = [source.id for source in house.catalogue.list(app=APP_NAME)]
    if name:
        if name in known:
            return name
        raise UsageError(f"The archive has no source {name!r}.", fix=f"It has: {', '.join(known) or 'none'}.")
    if USUAL_SOURCE in known:
        return USUAL_SOURCE
    if len(known) == 1:
        return known[0]
    raise UsageError(
        f"The archive has {len(known)} sources.",
        fix=f"Name one as target_source: {', '.join(known) or 'none is configured yet'}.",
    )


async def write_down(house: House, params: ScrapeParams, *, trigger: Trigger, **more: object) -> Run:
    """Plan the run and return it at once; raise SourceBusy while another of its source is unfinished."""
    new = NewRun(
        APP_NAME,
        params.target_source,
        trigger=trigger,
        mode=params.run_mode,
        params=params.as_run_params() | more,
    )
    return await house.desk.plan(new)
