"""What people and programs do to the judgment archive, said once for pages and API alike."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from starlette.responses import FileResponse, Response

from limpet.apps.judgments.index.differences import Differences, differences
from limpet.apps.judgments.index.releasing import release
from limpet.apps.judgments.index.sync import CsvSyncResult
from limpet.apps.judgments.index.versions import version_by_id
from limpet.apps.judgments.params import ScrapeParams
from limpet.apps.judgments.views import ArchivedCase
from limpet.assembly import House
from limpet.errors import NotThere
from limpet.record.entry import Run
from limpet.target.outcome import Trigger
from limpet.web import deeds
from limpet.web.access.caller import Caller
from limpet.web.scrape_planning import write_down

# Whatever a PDF holds, and whatever a browser takes it for: it is nobody's page, and can do nothing in our name.
_INERT = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
FOLDER = "pdfs"


async def start_scrape(house: House, caller: Caller, params: ScrapeParams, *, reason: str = "") -> Run:
    """Write a scrape down in the caller's name; the service walks it. Raise SourceBusy while one is under way."""
    run = await write_down(house, params, trigger=Trigger.UI, by=caller.name)
    details = {"source": params.target_source, "mode": params.mode, "strategy": params.strategy}
    subject = f"run {run.id}"
    await house.ledger.audit(caller.name, "start_run", subject=subject, reason=reason, details=details)
    return run


async def release_version(house: House, caller: Caller, version_id: int, *, reason: str) -> CsvSyncResult:
    """Let a held version of an index through, in the caller's name."""
    version = await house.ledger.read(partial(version_by_id, version_id=version_id))
    if version is None:
        raise NotThere(f"There is no version {version_id} of any index.")
    source = house.catalogue.get(version.source)
    return await release(house.ledger, source, version_id, by=caller.name, reason=deeds.said(reason))


async def compare_versions(house: House, *, earlier: int, later: int) -> Differences:
    """Return what two versions say differently; large files take seconds, so it is read beside everything else."""
    data_dir = house.settings.data_dir
    return await house.ledger.read(partial(differences, data_dir=data_dir, earlier=earlier, later=later))


async def pdf_of(house: House, case: ArchivedCase) -> Response:
    """Return the stored PDF to be saved or opened by a reader; raise NotThere when the disk has lost it."""
    if case.path is None:
        raise NotThere("The PDF of this judgment is not stored.", fix="Its page says why.")
    stored = await asyncio.to_thread(_whole, house.settings.data_dir, case)
    headers = {"content-security-policy": _INERT, "cache-control": "private, no-cache"}
    return FileResponse(stored, media_type="application/pdf", filename=stored.name, headers=headers)


def file_trouble(data_dir: Path, case: ArchivedCase) -> str:
    """Return what is wrong with the stored file as far as a glance can tell; empty when nothing is."""
    try:
        _whole(data_dir, case)
    except NotThere as trouble:
        return str(trouble)
    return ""


def _whole(data_dir: Path, case: ArchivedCase) -> Path:
    folder = (data_dir / FOLDER).resolve()
    stored = (data_dir / (case.path or "")).resolve()
    if folder not in stored.parents:
        raise NotThere("This file is not where judgments are kept.", fix="`limpet verify` says more.")
    if not stored.is_file():
        raise NotThere("This file is missing on the disk.", fix="A run in mode full fetches it again.")
    if stored.stat().st_size != case.size_bytes:
        raise NotThere(
            "This file is damaged: its length is not what was stored.",
            fix="A run in mode full fetches it again.",
        )
    return stored
