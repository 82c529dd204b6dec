"""What the portal and the API tell about a breakage: examined once for each pair of pages, then remembered."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from limpet.assembly import House
from limpet.engine.repairing import Case, examined, open_case
from limpet.errors import NotThere
from limpet.observe.repair import Findings
from limpet.observe.repair.bundle import as_zip
from limpet.record.logbook import AdapterStatus

_REMEMBERED = 32
_Key = tuple[str, str, str, str, tuple[tuple[str, int], ...]]
_known: OrderedDict[_Key, Findings] = OrderedDict()


async def breakage_of(house: House, status: AdapterStatus) -> Findings | None:
    """Return what is known about an adapter that drifted; None while nothing speaks of drift."""
    is_well = status.enabled and not status.consecutive_failed_batches
    if is_well or status.adapter_id not in house.sites.list():
        return None
    findings = await findings_of(house, status.adapter_id)
    return findings if findings.bad is not None else None


async def findings_of(house: House, adapter_id: str) -> Findings:
    """Return what the last good and the first bad page of an adapter tell."""
    return await _examined(await open_case(house.ledger, house.sites, adapter_id))


async def zip_of(house: House, adapter_id: str) -> bytes:
    """Return the bundle; raise NotThere when no bad page is on record."""
    case = await open_case(house.ledger, house.sites, adapter_id)
    findings = await _examined(case)
    if findings.bad is None:
        raise NotThere(
            "No bad page is on record.",
            fix="There is nothing to repair; the adapter's page shows its batches.",
        )
    files = await asyncio.to_thread(case.files, findings)
    return await asyncio.to_thread(as_zip, dict(files), folder=f"repair-{adapter_id}")


async def _examined(case: Case) -> Findings:
    good, bad = case.pages.good, case.pages.bad
    key = (case.site.id, case.site.version, str(good), str(bad), case.pages.reasons)
    if key not in _known:
        _known[key] = await examined(case)
    _known.move_to_end(key)
    while len(_known) > _REMEMBERED:
        _known.popitem(last=False)
    return _known[key]
