"""What people and programs do through the portal, said once for pages and API alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from limpet.apps.prices import review
from limpet.apps.prices.review import Correction
from limpet.assembly import House
from limpet.engine import page_canary
from limpet.engine.importing import Importer, LineResult
from limpet.engine.page_canary import CanaryFlight
from limpet.engine.rereading import Rereader, rereader_for
from limpet.errors import NothingToDo, UsageError
from limpet.record import switching
from limpet.record.access.halting import halt, release_halt
from limpet.record.editing_targets import STATUSES, TargetFilter, list_targets
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Selection
from limpet.record.run_deeds import cancel_run, troubled_targets
from limpet.source.switch import EVERYTHING
from limpet.target.outcome import Trigger
from limpet.web.access.caller import Caller, act


async def start_run(house: House, caller: Caller, *, app: str, source_id: str | None) -> Run:
    """Plan a run now; the service walks it."""
    house.app(app)
    if source_id is not None:
        house.catalogue.get(source_id, app=app)
    new = NewRun(app, source_id, trigger=Trigger.UI, params={"by": caller.name})
    run = await house.desk.plan(new)
    await house.ledger.audit(caller.name, "start_run", subject=f"run {run.id}")
    return run


async def retry_run(house: House, caller: Caller, run_id: int) -> Run:
    """Plan a run over whatever ended in trouble in an earlier one."""
    earlier = await house.ledger.run(run_id)
    chosen = await house.ledger.read(partial(troubled_targets, run_id=run_id))
    if not chosen:
        raise NothingToDo(f"Nothing ended in trouble in run {run_id}.", fix="There is nothing to try again.")
    params = {"by": caller.name, "retry_of": run_id}
    new = NewRun(earlier.app, earlier.source_id, trigger=Trigger.RETRY, params=params)
    run = await house.desk.plan(new, chosen=Selection(target_ids=chosen, statuses=STATUSES))
    details = {"retry_of": run_id, "targets": len(chosen)}
    await house.ledger.audit(caller.name, "retry_run", subject=f"run {run.id}", details=details)
    return run


async def visit_now(house: House, caller: Caller, ids: Sequence[int], *, reason: str) -> Run:
    """Plan a run over these targets, whatever their state; an answer makes a broken one active again."""
    rows = await house.ledger.read(partial(list_targets, wanted=TargetFilter(ids=ids), limit=len(ids)))
    apps = {house.catalogue.get(row.source_id).app for row in rows}
    if len(apps) != 1:
        raise UsageError("These are not targets of one app.", fix="Choose targets of one app at a time.")
    sources = {row.source_id for row in rows}
    new = NewRun(
        apps.pop(),
        sources.pop() if len(sources) == 1 else None,
        trigger=Trigger.RECHECK,
        params={"by": caller.name, "reason": reason},
    )
    run = await house.desk.plan(new, chosen=Selection(target_ids=list(ids), statuses=STATUSES))
    subject, details = f"run {run.id}", {"targets": sorted(ids)[:200]}
    await house.ledger.audit(caller.name, "visit_now", subject=subject, reason=reason, details=details)
    return run


async def call_off(house: House, caller: Caller, run_id: int, *, reason: str) -> int:
    """Skip what waits in a run and return how many that were."""
    return await act(house, caller, cancel_run, run_id=run_id, reason=said(reason))


async def switch_source(house: House, caller: Caller, source_id: str, *, on: bool, reason: str) -> None:
    """Switch a source on or off, for every process on this ledger."""
    house.catalogue.get(source_id)
    deed = switching.enable_source if on else switching.disable_source
    await act(house, caller, deed, source_id=source_id, reason=reason)
    await house.desk.switchboard.refresh()


async def switch_adapter(
    house: House, caller: Caller, adapter_id: str, *, on: bool, reason: str, force: bool = False
) -> None:
    """Switch an adapter off, or on once it reads the pages it failed on; there must be code for it."""
    site = house.sites.get(adapter_id)
    if on:
        rereader = await rereader_of(house, site.app)
        await page_canary.enable(rereader, adapter_id, by=caller.name, reason=reason, force=force)
    else:
        await act(house, caller, switching.disable_adapter, adapter_id=adapter_id, reason=reason)
    await house.desk.switchboard.refresh()


async def fly_canary(house: House, caller: Caller, adapter_id: str, *, pages: int) -> CanaryFlight:
    """Read an adapter's newest recorded pages again and keep what came of it."""
    site = house.sites.get(adapter_id)
    return await page_canary.fly(await rereader_of(house, site.app), site, by=caller.name, pages=pages)


async def rereader_of(house: House, app_name: str) -> Rereader:
    """Return who reads recorded pages of the app again."""
    return await rereader_for(house.app(app_name), house.ledger, house.sites, house.catalogue.list())


async def import_targets(
    house: House, caller: Caller, table: str, *, source_id: str | None
) -> list[LineResult]:
    """Add the targets of a table and return what became of every line."""
    importer = Importer(house.ledger, house.catalogue, house.apps)
    return await importer.bring_in(table, source_id=source_id, by=caller.name)


async def accept_quarantined(
    house: House, caller: Caller, record_id: int, *, reason: str, correction: Correction | None = None
) -> None:
    """Write a record that was set aside: as it was read, or as a person says the page means it."""
    found = await house.ledger.read(partial(review.find_quarantined, record_id=record_id))
    what: dict[str, Any] = {"record_id": record_id, "source": house.catalogue.get(found.source_id)}
    if correction is None:
        await act(house, caller, review.accept, reason=reason, **what)
    else:
        await act(house, caller, review.correct, correction=correction, reason=reason, **what)


async def stop_now(house: House, caller: Caller, scope: str, *, confirm: str, reason: str) -> None:
    """Pull the emergency stop, once the words that mean it were typed."""
    if scope not in (EVERYTHING, *house.apps):
        raise UsageError(f"{scope[:80]!r} cannot be stopped.", fix="Stop everything, or one app.")
    if confirm.strip() != stop_words(scope):
        raise UsageError("The confirmation does not fit.", fix=f"Type exactly: {stop_words(scope)}")
    await act(house, caller, halt, scope=scope, reason=reason)
    await house.desk.switchboard.refresh()


async def release_stop(house: House, caller: Caller, scope: str, *, reason: str) -> None:
    """Let it go on."""
    await act(house, caller, release_halt, scope=scope, reason=reason)
    await house.desk.switchboard.refresh()


def stop_words(scope: str) -> str:
    """Return what has to be typed to stop this."""
    return f"STOP {scope}"


def said(reason: str) -> str:
    """Return why, or raise UsageError: every deed is kept with its reason."""
    if not reason.strip():
        raise UsageError("Say why: every change is kept with its reason.", fix="A few words are enough.")
    return reason.strip()
