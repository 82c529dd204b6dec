"""What the verbs `adapters` and `sources` do: switches turned in somebody's name, and how adapters stand."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection

from limpet.assembly import all_sites
from limpet.cli.in_ledger import ask, decide, decide_beforehand
from limpet.cli.listing import Row
from limpet.cli.opening import read_kept, read_settings
from limpet.cli.rereading import open_rereader
from limpet.configuration import load_config
from limpet.engine import page_canary
from limpet.engine.page_canary import CanaryFlight
from limpet.extract.registry import SiteRegistry
from limpet.record import switching
from limpet.record.database import has_ledger
from limpet.record.keeping_sources import put_source
from limpet.record.logbook import AdapterStatus
from limpet.source import Source


def enable_adapter(adapter_id: str, reason: str, *, force: bool) -> CanaryFlight | None:
    """Try an adapter on its recorded pages and switch it on; the ledger says so when it was not off."""
    settings = read_kept()
    app_name = _sites().get(adapter_id).app

    async def do() -> CanaryFlight | None:
        async with open_rereader(settings, app_name) as rereader:
            return await page_canary.enable(
                rereader, adapter_id, by=getpass.getuser(), reason=reason, force=force
            )

    return asyncio.run(do())


def fly_canary(adapter_id: str, *, pages: int) -> CanaryFlight:
    """Read the adapter's newest recorded pages again."""
    settings, site = read_kept(), _sites().get(adapter_id)

    async def do() -> CanaryFlight:
        async with open_rereader(settings, site.app) as rereader:
            return await page_canary.fly(rereader, site, by=getpass.getuser(), pages=pages)

    return asyncio.run(do())


def disable_adapter(adapter_id: str, reason: str) -> None:
    """Switch an adapter off, or say which name was probably meant."""
    _sites().get(adapter_id)
    decide_beforehand(switching.disable_adapter, adapter_id=adapter_id, reason=reason)


def enable_source(source_id: str, reason: str) -> None:
    """Switch a source on."""
    decide(switching.enable_source, source_id=source_id, reason=reason)


def disable_source(source_id: str, reason: str) -> None:
    """Switch a source off, also one that was only just written into the configuration."""
    settings = read_settings()
    configured = load_config(settings.config).sources if settings.config else ()
    new = [each.source for each in configured if each.source.id == source_id]
    decide_beforehand(_disable_with, new=new, source_id=source_id, reason=reason)


def adapter_rows() -> list[Row]:
    """Return every adapter there is code for, or the ledger has an opinion of."""
    is_begun = has_ledger(read_settings().ledger_place)
    known = {each.adapter_id: each for each in (ask(switching.adapter_statuses) if is_begun else ())}
    sites = _sites()
    listed = sorted({*sites.list(), *known})
    versions = {name: sites.get(name).version for name in sites.list()}
    return [_row(known.get(name) or AdapterStatus(name), versions.get(name)) for name in listed]


def _sites() -> SiteRegistry:
    settings = read_settings()
    return all_sites(load_config(settings.config) if settings.config else None)


def _row(status: AdapterStatus, version: str | None) -> Row:
    return {
        "adapter": status.adapter_id,
        "version": version,
        "state": _state(status),
        "since": status.disabled_at or status.watched_since,
        "by": status.disabled_by,
        "reason": ": ".join(each for each in (status.disabled_reason, status.disabled_details) if each)
        or None,
        "failed_batches": status.consecutive_failed_batches,
        "last_failure_rate": _percent(status.last_batch_failure_rate),
        "usual_failure_rate": _percent(status.baseline_failure_rate),
        "usual_yield": _percent(status.baseline_yield_rate),
    }


def _state(status: AdapterStatus) -> str:
    if not status.enabled:
        return "disabled"
    return "watched" if status.watched_since else "enabled"


def _percent(rate: float | None) -> str | None:
    return None if rate is None else f"{rate:.0%}"


def _disable_with(
    connection: Connection, *, by: str, now: datetime, new: Iterable[Source], source_id: str, reason: str
) -> None:
    for source in new:
        put_source(connection, source, now=now)
    switching.disable_source(connection, source_id=source_id, by=by, reason=reason, now=now)
