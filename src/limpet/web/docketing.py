"""What is asked of a court's registry through the portal, said once for pages and API alike."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.bounds import Register
from limpet.apps.dockets.case_identifier import case_number
from limpet.apps.dockets.probing import ProbeWish, fresh_bound
from limpet.apps.dockets.views.cases import CaseFilter, failed_cases
from limpet.apps.dockets.wishes import with_known_end
from limpet.assembly import House
from limpet.errors import NothingToDo
from limpet.record.entry import NewRun, Run
from limpet.target.outcome import Trigger
from limpet.web.access.caller import Caller
from limpet.web.deeds import said

APP = "dockets"
MOST_RETRIED = 5_000


async def run_batch(house: House, caller: Caller, source_id: str, batch: Batch, *, reason: str) -> Run:
    """Plan a run over a range of numbers; what is answered is not asked again unless forced."""
    _check(house, source_id)
    batch = await with_known_end(house.ledger, source_id, batch)
    details = {"from": f"{batch.prefix}-{batch.start}", "to": batch.end, "force": batch.force}
    details["year"] = batch.year
    return await _plan(house, caller, source_id, batch, action="run_dockets", reason=reason, details=details)


async def retry_failed(house: House, caller: Caller, register: Register, *, reason: str) -> Run:
    """Plan a run over the numbers of a register that were asked for in vain, cooled down or not."""
    _check(house, register.source_id)
    wanted = CaseFilter(register.source_id, register.prefix, register.year)
    found = await house.ledger.read(partial(failed_cases, wanted=wanted, limit=MOST_RETRIED))
    if not found:
        raise NothingToDo(f"No number of {register} has failed.", fix="There is nothing to try again.")
    batch = Batch(cases=tuple(found), cool_down_seconds=0.0)
    return await _plan(
        house,
        caller,
        register.source_id,
        batch,
        action="retry_dockets",
        reason=reason,
        details={"register": str(register), "cases": len(found)},
        trigger=Trigger.RETRY,
    )


async def ask_again(house: House, caller: Caller, source_id: str, batch: Batch, *, reason: str) -> Run:
    """Plan a run over single cases, whatever is known of them."""
    _check(house, source_id)
    cases = tuple(dict.fromkeys(str(case_number(text)) for text in batch.cases))
    details = {"cases": list(cases)[:50], "extras": list(batch.extras)}
    return await _plan(
        house,
        caller,
        source_id,
        replace(batch, cases=cases, force=True),
        action="ask_docket_again",
        reason=reason,
        details=details,
        trigger=Trigger.RECHECK,
    )


async def probe(house: House, caller: Caller, register: Register, *, again: bool, reason: str) -> Run:
    """Plan the search for a register's last number; each of its questions is a case asked for and recorded."""
    _check(house, register.source_id)
    wish = ProbeWish(register.prefix, register.year)
    if again:
        wish = replace(wish, believes_for_seconds=0.0)
    elif (known := await fresh_bound(house.ledger, register)) is not None:
        raise NothingToDo(
            f"The last number of {register} is known: {known.number}.", fix="Look anew if you doubt it."
        )
    details = {"register": str(register), "again": again}
    return await _plan(
        house, caller, register.source_id, wish, action="probe_dockets", reason=reason, details=details
    )


def _check(house: House, source_id: str) -> None:
    house.catalogue.get(source_id, app=APP)


async def _plan(
    house: House,
    caller: Caller,
    source_id: str,
    wish: Batch | ProbeWish,
    *,
    action: str,
    reason: str,
    details: dict[str, Any],
    trigger: Trigger = Trigger.UI,
) -> Run:
    why = said(reason)
    params = wish.to_params() | {"by": caller.name, "reason": why}
    run = await house.desk.plan(NewRun(APP, source_id, trigger=trigger, params=params))
    await house.ledger.audit(caller.name, action, subject=f"run {run.id}", reason=why, details=details)
    return run
