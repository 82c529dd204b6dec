"""What follows from a run: it ends, and each adapter's part of it is judged, in one transaction and once."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from limpet.engine.switchboard import Switchboard
from limpet.engine.verdicts import carry_out, tell
from limpet.observe.batch import ZERO_PRICE, ScrapeRunMetrics, derive, measure
from limpet.observe.drift import (
    BASELINE_WINDOW,
    SMALLEST_CANARY,
    Action,
    DriftBaseline,
    DriftDecision,
    PastBatch,
    baseline_of,
    judge_batch,
    judge_canary,
)
from limpet.record import reading
from limpet.record.batches import (
    AdapterEndings,
    count_lost,
    endings_by_adapter,
    is_concluded,
    past_batches,
    write_batch,
)
from limpet.record.entry import Run
from limpet.record.ledger import Ledger
from limpet.record.logbook import AdapterStatus
from limpet.record.switching import lock_adapter_status
from limpet.target.outcome import RunState, Trigger


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Ends runs. A kill leaves a run unended and unjudged, or ended and judged, and nothing in between."""

    ledger: Ledger
    switchboard: Switchboard

    async def end(self, run: Run, state: RunState) -> None:
        """End the run, judge its batches, and let the gates know what was switched off."""
        await self.ledger.write(partial(end_run, run=run, state=state, now=self.ledger.clock.now()))
        await self.switchboard.refresh()


def end_run(connection: Connection, run: Run, state: RunState, *, now: datetime) -> None:
    """End the run and judge what each adapter did in it; several workers may find it done, one of them says so."""
    is_first = reading.holds_open(connection, run.id)
    ended = reading.finish_run(connection, run.id, state, now=now)
    if is_first:
        tell(connection, run, "run_ended", {"state": state.value, "counts": dict(ended.counts)}, now=now)
    if run.dry_run:
        return
    # In one order everywhere, so that two runs ending at once do not wait for each other in a circle.
    for adapter_id, found in sorted(endings_by_adapter(connection, run.id).items()):
        if not is_concluded(connection, run.id, adapter_id):
            _end_batch(connection, run, adapter_id, found, now=now)


def _end_batch(
    connection: Connection, run: Run, adapter_id: str, found: AdapterEndings, *, now: datetime
) -> None:
    lost = count_lost(connection, run.id, adapter_id, reason=ZERO_PRICE)
    metrics = measure(found.endings, lost_prices=lost)
    if not metrics.urls_attempted:
        return
    status = lock_adapter_status(connection, adapter_id, now=now)
    if run.trigger is Trigger.RECHECK:
        # Its targets were broken before: what it finds says nothing new about the adapter.
        decision = DriftDecision(Action.NOTHING, (), status)
        _tell_rechecked(connection, run, metrics, now=now)
    else:
        decision = _judge(connection, metrics, status, now=now)
        if (
            status.watched_since
            and decision.action is not Action.DISABLE
            and not decision.status.watched_since
        ):
            tell(connection, run, "canary_passed", {"adapter_id": adapter_id}, now=now)
    _write_batch(connection, run, found.version, metrics, decision, now=now)
    settled = _with_baseline(decision, _baseline(connection, adapter_id, now=now), now=now)
    carry_out(connection, run, settled, metrics, now=now)


def _judge(
    connection: Connection, metrics: ScrapeRunMetrics, status: AdapterStatus, *, now: datetime
) -> DriftDecision:
    """A canary that was too small to be judged on its way is judged now; then the batch as any other."""
    if status.enabled and status.watched_since and metrics.urls_judged >= SMALLEST_CANARY:
        canary = judge_canary(metrics, status, now=now)
        if canary.action is Action.DISABLE:
            return canary
        status = canary.status
    return judge_batch(metrics, status, _baseline(connection, status.adapter_id, now=now), now=now)


def _baseline(connection: Connection, adapter_id: str, *, now: datetime) -> DriftBaseline:
    rows = past_batches(connection, adapter_id, since=now - BASELINE_WINDOW)
    return baseline_of([PastBatch(*row) for row in rows])


def _with_baseline(decision: DriftDecision, baseline: DriftBaseline, *, now: datetime) -> DriftDecision:
    status = replace(
        decision.status,
        baseline_failure_rate=baseline.median_failure_rate,
        baseline_yield_rate=baseline.median_yield_rate,
        baseline_sample_size=baseline.sample_size,
        baseline_updated_at=now,
    )
    return replace(decision, status=status)


def _write_batch(
    connection: Connection,
    run: Run,
    version: str | None,
    metrics: ScrapeRunMetrics,
    decision: DriftDecision,
    *,
    now: datetime,
) -> None:
    values = asdict(metrics) | asdict(derive(metrics))
    values |= {
        "run_id": run.id,
        "adapter_id": decision.status.adapter_id,
        "adapter_version": version,
        "urls_judged": metrics.urls_judged,
        "counts_toward_drift": run.trigger is not Trigger.RECHECK,
        "decision": decision.action.value,
        "reasons": [reason.value for reason in decision.reasons],
        "concluded_at": now,
    }
    write_batch(connection, values)


def _tell_rechecked(connection: Connection, run: Run, metrics: ScrapeRunMetrics, *, now: datetime) -> None:
    broken = metrics.urls_troubled
    payload = {"active_again": metrics.urls_attempted - broken, "still_broken": broken}
    tell(connection, run, "recheck_ended", payload, now=now)
