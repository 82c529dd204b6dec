"""What a run does before its first download: sync the index, choose the cases, look at the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Connection, delete, insert

from limpet.apps.judgments.choosing import Choice, choose, wish_of
from limpet.apps.judgments.court.court import Court
from limpet.apps.judgments.disk import DiskEstimate, estimate
from limpet.apps.judgments.index.fetching import IndexDesk
from limpet.apps.judgments.index.sync import CsvSyncResult, IndexSync
from limpet.apps.judgments.options import Options, options_of
from limpet.apps.judgments.params import strategy_of
from limpet.apps.judgments.shelf import set_aside
from limpet.apps.judgments.sites import COURTS
from limpet.apps.judgments.standing import CaseStanding, active_cases
from limpet.apps.judgments.tables import judgment_runs
from limpet.engine.app import Scene
from limpet.record.entry import Run
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import Target
from limpet.target.address import lane_of

_log = structlog.get_logger("limpet.judgments")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will go over, and what it was told about the disk."""

    choice: Choice
    disk: DiskEstimate
    is_limited: bool

    @property
    def targeted(self) -> Sequence[CaseStanding]:
        """The cases the run comes to, newest first."""
        return self.choice.chosen[: self.disk.documents]


async def prepare(scene: Scene) -> Iterable[Target]:
    """Return the targets of a run; doing it again after a crash comes to the same end."""
    court = COURTS[scene.site.id]
    desk = IndexDesk(scene.way.plain, court, scene.source, scene.clock)
    synced = await IndexSync(desk, scene.ledger, run_id=scene.run.id).sync()
    run, options, now = scene.run, options_of(scene.source), scene.clock.now()
    plan = await scene.ledger.read(
        lambda connection: plan_for(connection, run, scene.source, options, scene.ledger)
    )
    await asyncio.to_thread(set_aside, plan.targeted, scene.ledger.data_dir)
    await scene.ledger.write(
        lambda connection: note_plan(connection, run, scene.source, plan=plan, synced=synced, now=now)
    )
    await _tell(scene, plan)
    return [target_of_case(scene.source, court, case) for case in plan.choice.chosen]


def plan_for(connection: Connection, run: Run, source: Source, options: Options, ledger: Ledger) -> Plan:
    """Choose by what the ledger and the disk say now."""
    strategy, tokens = strategy_of(run.params, run.mode), run.params.get("tokens") or ()
    wish = wish_of(connection, source, mode=run.mode, strategy=strategy, tokens=tokens)
    choice = choose(active_cases(connection, source.id, without_run=run.id), wish, ledger.data_dir)
    limit = run.params.get("limit")
    targeted = min(len(choice.chosen), limit) if limit else len(choice.chosen)
    disk = estimate(connection, targeted, data_dir=ledger.data_dir, assumed_bytes=options.average_pdf_bytes)
    # A run over a few tokens has gone over nothing else, and must not make other cases old.
    return Plan(choice, disk, is_limited=targeted < len(choice.chosen) or bool(wish.tokens))


def note_plan(
    connection: Connection, run: Run, source: Source, *, plan: Plan, synced: CsvSyncResult, now: datetime
) -> None:
    """Write down what the run goes by; a second time replaces the first."""
    choice, disk = plan.choice, plan.disk
    values: dict[str, Any] = {
        "run_id": run.id,
        "source": source.id,
        "csv_version_id": synced.version_id,
        "is_fallback": synced.is_fallback,
        "resume_strategy": strategy_of(run.params, run.mode),
        "cases_total": choice.total,
        "cases_criminal": choice.criminal,
        "cases_downloaded": choice.downloaded,
        "cases_targeted": disk.documents,
        "is_limited": plan.is_limited,
        "expected_bytes": disk.expected_bytes,
        "free_bytes": disk.free_bytes,
        "planned_at": now,
    }
    connection.execute(delete(judgment_runs).where(judgment_runs.c.run_id == run.id))
    connection.execute(insert(judgment_runs).values(values))


async def _tell(scene: Scene, plan: Plan) -> None:
    choice, disk = plan.choice, plan.disk
    figures = {
        "total": choice.total,
        "criminal": choice.criminal,
        "downloaded": choice.downloaded,
        "targeted": disk.documents,
        "expected_mb": disk.expected_bytes // 1_000_000,
        "free_mb": disk.free_bytes // 1_000_000,
    }
    _log.info("run_planned", run=scene.run.id, source=scene.source.id, **figures)
    await scene.ledger.log_event(
        "judgments_planned", run_id=scene.run.id, source_id=scene.source.id, payload=figures
    )
    if disk.is_tight:
        _log.warning("disk_low", run=scene.run.id, **figures)
        needed, free = figures["expected_mb"], figures["free_mb"]
        details = f"about {needed:,} MB are needed for {disk.documents:,} documents, {free:,} MB are free"
        await scene.ledger.log_event(
            "alert_disk_low",
            run_id=scene.run.id,
            source_id=scene.source.id,
            payload=figures | {"details": details},
        )


def target_of_case(source: Source, court: Court, case: CaseStanding) -> Target:
    """Return the target that stands for a case, the same in every run."""
    listing = court.listing_url(source)
    return Target(
        source_id=source.id,
        address=case.address,
        url=f"{listing}#{case.token_norm}",
        lane=lane_of(listing),
        params={"case_id": case.id, "token": case.token, "file_key": case.file_key},
    )
