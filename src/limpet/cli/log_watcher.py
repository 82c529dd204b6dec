"""Runs as the log tells them; apart from the portal, which a worker need not load."""

from __future__ import annotations

import structlog

from limpet.record.entry import Run, Settlement

_log = structlog.get_logger("limpet.service")


class LogWatcher:
    """Writes a line when a run starts, rests or ends; a line per page would hide them."""

    def started(self, run: Run, *, remaining: int) -> None:
        _log.info("run_started", run_id=run.id, app=run.app, source=run.source_id, remaining=remaining)

    def settled(self, settlement: Settlement) -> None:
        pass

    def held(self, lane: str, reason: str, seconds: float) -> None:
        _log.warning("lane_rests", lane=lane, reason=reason, seconds=round(seconds, 1))

    def finished(self, run: Run) -> None:
        pass  # the service logs it with its counts
