"""One purge from plan to audit. Whatever stops it, the audit file says how far it came, and the next one goes on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from msgspec import to_builtins

from limpet.apps.dockets.account.places import OUTPUT
from limpet.apps.dockets.errors import PurgeRefused
from limpet.apps.dockets.purging.backup import prove_backup, write_backup
from limpet.apps.dockets.purging.files import PlannedFile
from limpet.apps.dockets.purging.plan import PurgePlan, plan_purge
from limpet.apps.dockets.purging.removal import blank_pages, remove_files, remove_rows
from limpet.record.durable_file import replace_file
from limpet.record.ledger import Ledger
from limpet.record.packs import Place


@dataclass(slots=True)
class Purge:
    """Takes one year of one source out of a ledger and its data directory."""

    ledger: Ledger
    source_id: str
    year: int
    backup_dir: Path | None = None
    report: dict[str, Any] = field(default_factory=dict)
    _stamp: str = ""

    async def plan(self) -> PurgePlan:
        """Return what would go, and every doubt; changes nothing."""
        look = partial(
            plan_purge,
            data_dir=self.ledger.data_dir,
            source_id=self.source_id,
            year=self.year,
            worker=self.ledger.worker,
            now=self.ledger.clock.now(),
        )
        return await self.ledger.read(look)

    async def carry_out(self, plan: PurgePlan) -> dict[str, Any]:
        """Back up, prove the backup, remove rows, then files; return the account that stands in the audit file."""
        if plan.doubts:
            raise PurgeRefused(
                "; ".join(plan.doubts[:5]) + ".", fix="Clear that up first; nothing was removed."
            )
        self._stamp = f"{self.ledger.clock.now():%Y%m%d_%H%M%S}"
        backup = await self._back_up(plan)
        now = self.ledger.clock.now()
        remove = partial(
            remove_rows,
            plan=plan,
            data_dir=self.ledger.data_dir,
            worker=self.ledger.worker,
            backup=str(backup),
            now=now,
        )
        await self._note(plan, "removing_rows", backup=str(backup))
        places = await self.ledger.write_once(remove)
        await self._note(plan, "rows_removed", files=plan.files, places=places)
        return await self._clear(plan.files, places)

    async def finish_interrupted(self) -> dict[str, Any] | None:
        """Remove the files of a purge that was interrupted after its rows were gone; None when there is none."""
        for path in sorted((self.ledger.data_dir / OUTPUT).glob(f"purge_audit_*_{self.year}.json")):
            told = orjson.loads(path.read_bytes())
            if told["phase"] == "rows_removed" and told["source"] == self.source_id:
                self.report, self._stamp = told, path.name.split("_audit_")[1].rpartition("_")[0]
                files = [PlannedFile(**each) for each in told["files"]]
                return await self._clear(files, [Place(**each) for each in told["places"]])
        return None

    async def _back_up(self, plan: PurgePlan) -> Path:
        folder = self.backup_dir or self.ledger.data_dir / OUTPUT / "backups"
        path = folder / f"dockets_{plan.source_id}_{plan.year}_{self._stamp}.tar.gz"
        write = partial(
            _written,
            path=path,
            plan=plan,
            data_dir=self.ledger.data_dir,
            read_page=self.ledger.snapshots.read,
        )
        await self.ledger.read(write)
        members = await asyncio.to_thread(prove_backup, path, plan)
        await self._note(plan, "backup_proven", backup=str(path), backup_members=members)
        return path

    async def _clear(self, files: Any, places: list[Place]) -> dict[str, Any]:
        data_dir = self.ledger.data_dir
        removed, troubles = await asyncio.to_thread(partial(remove_files, data_dir, files, year=self.year))
        blanked = await asyncio.to_thread(blank_pages, data_dir / "snapshots", places)
        phase = "rows_removed" if troubles else "done"
        await self._note(None, phase, files_removed=removed, bytes_blanked=blanked, errors=troubles)
        if phase == "done":
            self.report.pop("files", None)
            self.report.pop("places", None)
            await self._note(None, phase)
        return self.report

    async def _note(self, plan: PurgePlan | None, phase: str, **more: Any) -> None:
        now = self.ledger.clock.now()
        if plan is not None:
            self.report |= plan.facts()
        plain = {name: _plain(value) for name, value in more.items()}
        self.report |= {"phase": phase, "updated_at": now.isoformat(), **plain}
        path = self.ledger.data_dir / OUTPUT / f"purge_audit_{self._stamp}_{self.year}.json"
        self.report["audit"] = str(path.relative_to(self.ledger.data_dir))
        content = orjson.dumps(self.report, option=orjson.OPT_INDENT_2)
        await asyncio.to_thread(replace_file, path, content)


def _written(connection: Any, path: Path, plan: PurgePlan, **more: Any) -> None:
    write_backup(path, connection, plan, **more)


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [to_builtins(each) if isinstance(each, PlannedFile | Place) else each for each in value]
    return value
