"""What becomes of a drift decision: the adapter's standing, events and the audit log, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from limpet.observe.batch import ScrapeRunMetrics, derive
from limpet.observe.drift import DETECTOR, Action, DriftDecision
from limpet.record.entry import Run
from limpet.record.logbook import audit, log_event, put_adapter_status


def carry_out(
    connection: Connection, run: Run, decision: DriftDecision, metrics: ScrapeRunMetrics, *, now: datetime
) -> None:
    """Write the adapter's new standing and tell everybody what was noticed."""
    put_adapter_status(connection, decision.status, now=now)
    payload = _evidence(decision, metrics)
    if decision.action is Action.DISABLE:
        _tell_disabled(connection, run, decision, payload, now=now)
    else:
        for reason in decision.reasons:
            tell(connection, run, f"alert_{reason.value}", payload, now=now)


def tell(
    connection: Connection, run: Run, event_type: str, payload: Mapping[str, Any], *, now: datetime
) -> None:
    """Note an event of this run."""
    log_event(connection, event_type, now=now, run_id=run.id, source_id=run.source_id, payload=payload)


def _tell_disabled(
    connection: Connection, run: Run, decision: DriftDecision, payload: Mapping[str, Any], *, now: datetime
) -> None:
    status = decision.status
    tell(connection, run, "adapter_disabled", payload, now=now)
    audit(
        connection,
        DETECTOR,
        "disable_adapter",
        subject=f"adapter {status.adapter_id}",
        now=now,
        reason=status.disabled_details or "",
        details={"run_id": run.id, **payload},
    )


def _evidence(decision: DriftDecision, metrics: ScrapeRunMetrics) -> dict[str, Any]:
    status = decision.status
    command = f"limpet repair {status.adapter_id}"
    mend = (
        f"See what changed: {command}. Mend it, then: limpet adapters enable {status.adapter_id} --reason ..."
    )
    return {
        "adapter_id": status.adapter_id,
        "repair": command,
        **({"fix": mend} if decision.action is Action.DISABLE else {}),
        "reason": status.disabled_reason,
        "reasons": [reason.value for reason in decision.reasons],
        "details": status.disabled_details,
        "metrics": asdict(metrics) | asdict(derive(metrics)),
    }
