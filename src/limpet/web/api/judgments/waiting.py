"""The bell: many rings make one run, and a ring that comes too late for that run makes one more."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

import structlog

from limpet.apps.judgments.params import ScrapeParams
from limpet.apps.judgments.scraping import APP_NAME
from limpet.assembly import House
from limpet.errors import LimpetError, SourceBusy
from limpet.record.entry import Run
from limpet.record.reading import list_runs
from limpet.target.outcome import Mode, Trigger
from limpet.web.closing import is_set_within
from limpet.web.scrape_planning import write_down

_log = structlog.get_logger("limpet.webhook")

_LOOK_EVERY_SECONDS = 2.0
_RUNS_REMEMBERED = 50
_RINGS_REMEMBERED = 1_000


@dataclass(frozen=True, slots=True)
class Ring:
    """One call of the webhook."""

    source_id: str | None
    limit: int
    key: str  # two rings with the same key are the same ring, heard twice

    def at(self, source_id: str) -> Ring:
        """Return the ring at a source that is known by now."""
        return replace(self, source_id=source_id)


@dataclass(slots=True)
class Bell:
    """Answers rings. Which ring began a run is kept in the run itself, so that a restart does not forget it."""

    house: House
    closing: Callable[[], asyncio.Event]
    _answering: asyncio.Lock = field(default_factory=asyncio.Lock)
    _waiting: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _joined: deque[tuple[str, int]] = field(default_factory=lambda: deque(maxlen=_RINGS_REMEMBERED))

    async def rung(self, ring: Ring) -> dict[str, Any]:
        """Start a run, or say which one this ring belongs to."""
        async with self._answering:
            known = await self._replayed(ring)
            if known is not None:
                return self._told(known, "replayed")
            try:
                return self._told(await self._start(ring), "accepted")
            except SourceBusy as busy:
                return await self._join(ring, busy.run_id)

    async def _start(self, ring: Ring) -> Run:
        assert ring.source_id is not None
        params = ScrapeParams(
            mode="new", target_source=ring.source_id, limit=ring.limit, resume_strategy="none"
        )
        return await write_down(self.house, params, trigger=Trigger.WEBHOOK, webhook_keys=[ring.key])

    async def _replayed(self, ring: Ring) -> Run | None:
        oldest = self.house.clock.now() - timedelta(seconds=self.house.settings.webhook_replay_seconds)
        look = partial(list_runs, app=APP_NAME, source_id=ring.source_id, limit=_RUNS_REMEMBERED)
        found = await self.house.ledger.read(look)
        joined = {run_id for key, run_id in self._joined if key == ring.key}
        recent = (run for run in found if run.started_at >= oldest)
        return next((run for run in recent if run.id in joined or _heard(run, ring)), None)

    async def _join(self, ring: Ring, run_id: int) -> dict[str, Any]:
        """A run that has not read the index yet will see what rang; any other is followed by one more."""
        busy = await self.house.ledger.run(run_id)
        burst = timedelta(seconds=self.house.settings.webhook_burst_seconds)
        is_burst = busy.trigger is Trigger.WEBHOOK and self.house.clock.now() - busy.started_at <= burst
        self._joined.append((ring.key, busy.id))
        if is_burst or _will_do(busy, ring):
            return self._told(busy, "joined")
        assert ring.source_id is not None
        if ring.source_id not in self._waiting:
            waiting = asyncio.create_task(self._follow(ring), name=f"webhook {ring.source_id}")
            self._waiting[ring.source_id] = waiting
        return self._told(busy, "queued")

    async def _follow(self, ring: Ring) -> None:
        """Start the run as soon as the one under way has ended."""
        assert ring.source_id is not None
        try:
            while not await is_set_within(self.closing(), _LOOK_EVERY_SECONDS):
                try:
                    run = await self._start(ring)
                except SourceBusy:
                    continue
                _log.info("webhook_followed", run_id=run.id, source=ring.source_id)
                return
        except LimpetError as trouble:
            _log.error("webhook_lost", source=ring.source_id, code=trouble.code, message=str(trouble))
        finally:
            self._waiting.pop(ring.source_id, None)

    def _told(self, run: Run, status: str) -> dict[str, Any]:
        return {
            "run_id": run.id,
            "status": status,
            "limit": run.params.get("limit"),
            "planned": run.planned,
            "counts": dict(run.counts),
            "watch": f"/api/db/runs/{run.id}/summary",
        }


def _will_do(busy: Run, ring: Ring) -> bool:
    """Whether a run will fetch what rang: it has yet to read the index, and may take as much."""
    limit = busy.params.get("limit")
    is_wide = busy.mode is not Mode.RESUME and not busy.params.get("tokens")
    return is_wide and not busy.is_prepared and (limit is None or limit >= ring.limit)


def _heard(run: Run, ring: Ring) -> bool:
    return run.trigger is Trigger.WEBHOOK and ring.key in run.params.get("webhook_keys", ())
