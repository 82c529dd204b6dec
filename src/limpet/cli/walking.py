"""What `run` and `resume` share: a run walked in the foreground, watched, and ended with an honest exit code."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from rich.table import Table

from limpet.assembly import House
from limpet.cli.door import INTERRUPTED
from limpet.cli.progress import progress_for
from limpet.cli.source_choice import none_configured
from limpet.cli.terminal import Terminal
from limpet.engine.app import App
from limpet.engine.conclusion import exit_code, is_unfinished
from limpet.engine.recheck import broken
from limpet.engine.signals import graceful_stop
from limpet.errors import NothingToDo, SourceRefused, UsageError
from limpet.record.entry import NewRun, Run
from limpet.record.preview import LanePreview
from limpet.source import Source
from limpet.source.catalogue import check_source
from limpet.target.outcome import RunState, Trigger


async def start_and_walk(house: House, app: App, source_id: str | None, *, limit: int | None) -> int:
    """Plan a run over the app's sources, walk it, and return the exit code."""
    refuse_if_all_shut(house, app, source_id)
    new = NewRun(app=app.name, source_id=source_id, trigger=Trigger.CLI, params={"limit": limit})
    return await walk_and_report(house, app, await house.desk.plan(new, limit=limit))


async def recheck_and_walk(house: House, app: App, source_id: str | None, *, limit: int | None) -> int:
    """Really fetch what is broken, however short ago it was tried, and return the exit code."""
    refuse_if_all_shut(house, app, source_id)
    sources = [source_id] if source_id else [each.id for each in house.catalogue.list(app=app.name)]
    new = NewRun(app=app.name, source_id=source_id, trigger=Trigger.RECHECK, params={"limit": limit})
    try:
        run = await house.desk.plan(new, limit=limit, chosen=broken(sources))
    except NothingToDo as nothing:
        raise NothingToDo(
            "No target is broken.", fix="`limpet targets list` shows how they stand."
        ) from nothing
    return await walk_and_report(house, app, run)


async def resume_and_walk(house: House, run_id: int | None) -> int:
    """Go on with this run, or the newest one that is unfinished."""
    run = await (house.ledger.run(run_id) if run_id is not None else _newest_unfinished(house))
    if run.state is not RunState.RUNNING:
        raise NothingToDo(
            f"Run {run.id} is {run.state.value}: nothing of it is left.", fix="Start one: limpet run APP."
        )
    code = await walk_and_report(house, house.app(run.app), run)
    if run.app == "judgments":
        from limpet.cli.judging import show_summary  # noqa: PLC0415 - heavy, and not needed by other apps

        return max(code, await show_summary(house, run.id))
    return code


async def show_plan(house: House, app: App, source_id: str | None, *, limit: int | None) -> int:
    """Print what a run would visit and how long its pace would take; ask nobody, record nothing."""
    lanes = await house.desk.preview(app.name, source_id, limit=limit)
    Terminal().print(_plan_table(house, lanes))
    return 0


def _plan_table(house: House, lanes: Sequence[LanePreview]) -> Table:
    table = Table(title="dry run: nothing was asked of anybody", title_justify="left", show_edge=False)
    for column in ("source", "domain", "targets", "pace", "at least", "gate"):
        table.add_column(column, justify="right" if column == "targets" else "left")
    for lane in lanes:
        source = house.catalogue.get(lane.source_id)
        spacing = source.pace.spacing_seconds
        pace = f"one per {spacing:g} s" if spacing else "unlimited"
        at_least = _duration(lane.targets * spacing)
        table.add_row(source.id, lane.lane, f"{lane.targets:,}", pace, at_least, _gate_word(source))
    return table


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _gate_word(source: Source) -> str:
    try:
        check_source(source)
    except SourceRefused as refusal:
        return str(refusal)
    return "open"


def refuse_if_all_shut(house: House, app: App, source_id: str | None) -> None:
    """When no source may be visited, say why before anything is planned."""
    sources = (
        [house.catalogue.get(source_id, app=app.name)] if source_id else house.catalogue.list(app=app.name)
    )
    if not sources:
        raise none_configured(app.name)
    refusal: SourceRefused | None = None
    for source in sources:
        try:
            check_source(source)
        except SourceRefused as shut:
            refusal = shut
        else:
            return
    assert refusal is not None
    raise UsageError(str(refusal), fix=refusal.fix)


async def _newest_unfinished(house: House) -> Run:
    for run in await house.ledger.runs(state=RunState.RUNNING, limit=50):
        if not house.app(run.app).is_monitored:
            return run
    raise NothingToDo("No run is unfinished.", fix="Start one: limpet run APP.")


async def walk_and_report(house: House, app: App, run: Run) -> int:
    """Walk the run with its progress shown, and return the exit code."""
    console = Terminal()
    try:
        with graceful_stop(house.desk.crew.stop, drain_seconds=house.settings.drain_seconds) as came:
            ended = await house.desk.walk(run, app, progress_for(console))
    except KeyboardInterrupt:
        console.print(f"Ended at once; nothing recorded is lost. Go on with: limpet resume {run.id}")
        raise
    await house.alerts.look()
    await house.alerts.tell()
    if is_unfinished(ended.counts):
        console.print(f"Stopped. Go on with: limpet resume {ended.id}")
        if came[:1] == [signal.SIGINT]:
            return INTERRUPTED
    return exit_code(ended.state, ended.counts)
