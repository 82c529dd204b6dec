"""The vigil over a run while it goes: an adapter just switched on again, and a site that says no."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from limpet.clock import Clock
from limpet.engine.canary import Canary
from limpet.engine.switchboard import Switchboard
from limpet.engine.verdicts import carry_out, tell
from limpet.observe.batch import measure
from limpet.observe.drift import CANARY_SIZE, Action, judge_canary
from limpet.record.batches import blocks_since, endings_by_adapter
from limpet.record.entry import Run, Settlement
from limpet.record.ledger import Ledger
from limpet.record.switching import adapter_statuses, lock_adapter_status, stop_source
from limpet.source import SwitchReason
from limpet.target import Outcome
from limpet.target.outcome import BLOCK_REASONS, BLOCKS_UNTIL_STOPPED, Trigger

BLOCK_WINDOW = timedelta(minutes=5)
_WATCH = "the block watch"
_NOBODY_AHEAD: AbstractAsyncContextManager[None] = nullcontext()


@dataclass(slots=True)
class Vigil:
    """Sees every settlement of one run, and may switch off what it walks through."""

    run: Run
    ledger: Ledger
    switchboard: Switchboard
    clock: Clock
    most_blocks: int = BLOCKS_UNTIL_STOPPED
    _canaries: dict[str, Canary] = field(default_factory=dict)

    async def begin(self) -> None:
        """Learn which adapters are watched, and how far their canaries came before a stop or a crash."""
        await self.switchboard.refresh()
        if self.run.trigger is Trigger.RECHECK or self.run.dry_run:
            return
        watched = await self.ledger.read(partial(adapter_statuses, watched=True))
        if watched:
            found = await self.ledger.read(partial(endings_by_adapter, run_id=self.run.id))
            for adapter_id in {status.adapter_id for status in watched} & set(found):
                await self._watch(adapter_id, measure(found[adapter_id].endings).urls_judged)

    async def look(self) -> None:
        """Learn what other processes and people have switched meanwhile."""
        await self.switchboard.refresh()

    def accompany(self, adapter_id: str) -> AbstractAsyncContextManager[None]:
        """Let one target pass; behind a canary that is not through, it waits here."""
        return self._canaries.get(adapter_id) or _NOBODY_AHEAD

    async def settled(self, settlement: Settlement) -> None:
        """Look at how a target ended, once that is on the disk."""
        if settlement.outcome is Outcome.FAILED and settlement.reason in BLOCK_REASONS:
            await self._count_blocks(settlement)
        canary = self._canaries.get(settlement.site_id)
        if canary is not None and canary.completes(settlement):
            await self._judge_canary(settlement.site_id)
            await canary.release_everybody()

    async def _watch(self, adapter_id: str, judged: int) -> None:
        if judged >= CANARY_SIZE:  # a crash came between the last of them and the verdict
            await self._judge_canary(adapter_id)
            return
        self._canaries[adapter_id] = Canary(judged=judged)
        if not judged:
            payload = {"adapter_id": adapter_id}
            await self.ledger.log_event(
                "canary_started", run_id=self.run.id, source_id=self.run.source_id, payload=payload
            )

    async def _judge_canary(self, adapter_id: str) -> None:
        now = self.clock.now()
        await self.ledger.write(partial(end_canary, run=self.run, adapter_id=adapter_id, now=now))
        await self.switchboard.refresh()

    async def _count_blocks(self, settlement: Settlement) -> None:
        source_id, now = settlement.lease.target.source_id, self.clock.now()
        stopped = await self.ledger.write(
            partial(stop_if_blocked, run=self.run, source_id=source_id, now=now, most=self.most_blocks)
        )
        if stopped:
            await self.switchboard.refresh()


def stop_if_blocked(
    connection: Connection, run: Run, source_id: str, *, now: datetime, most: int = BLOCKS_UNTIL_STOPPED
) -> bool:
    """Switch the source off when the site refused us so often within five minutes, in whatever runs."""
    blocks = blocks_since(connection, source_id, now - BLOCK_WINDOW)
    if blocks < most:
        return False
    minutes = BLOCK_WINDOW.total_seconds() / 60
    details = f"the site refused {blocks} targets within {minutes:.0f} minutes"
    return stop_source(
        connection,
        source_id,
        by=_WATCH,
        reason=SwitchReason.BLOCKED,
        details=details,
        now=now,
        run_id=run.id,
    )


def end_canary(connection: Connection, run: Run, adapter_id: str, *, now: datetime) -> None:
    """Judge a canary by what the ledger holds of it, and carry the verdict out."""
    status = lock_adapter_status(connection, adapter_id, now=now)
    found = endings_by_adapter(connection, run.id).get(adapter_id)
    if not status.watched_since or found is None:
        return  # somebody switched it off, or proved it, meanwhile
    metrics = measure(found.endings)
    decision = judge_canary(metrics, status, now=now)
    if decision.action is not Action.DISABLE:
        tell(connection, run, "canary_passed", {"adapter_id": adapter_id}, now=now)
    carry_out(connection, run, decision, metrics, now=now)
