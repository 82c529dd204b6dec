"""What all sources say about a match, made into one payload with its provenance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.apps.matches.monitor.watch import Board, Watch
from limpet.apps.matches.record import STATED
from limpet.apps.matches.snapshot import LIVE_TTL_SECONDS
from limpet.record.storable import storable_json
from limpet.validate.reconciliation import Reconciled, Statement, reconcile

_NOT_STATED = ("match_id", "domain_id")


def merge(board: Board, *, now: float) -> Reconciled:
    """Reconcile what every watch of the match last heard."""
    heard = [statement_of(watch, now=now) for watch in board.watches.values() if watch.latest is not None]
    return reconcile(heard, measures={"score": _totals})


def statement_of(watch: Watch, *, now: float) -> Statement:
    """Return what one source states; older than its time to live, it only fills what others leave open."""
    snapshot = watch.latest
    assert snapshot is not None
    stated = {name: value for name, value in snapshot.payload().items() if name not in _NOT_STATED}
    patience = max(LIVE_TTL_SECONDS, 3 * watch.pause_seconds)
    return Statement(
        source=watch.domain.id,
        fields=storable_json(stated),
        stated_at=snapshot.observed_at,
        precedence=watch.domain.descriptor.precedence_weight,
        reliability=watch.reliability,
        is_current=watch.age_seconds(now) <= patience,
        confidence=snapshot.confidence,
        usual_confidence=STATED,
    )


def payload_of(board: Board, merged: Reconciled) -> dict[str, Any]:
    """Return the unified payload; `domain_id` names the source of the score."""
    told_by = merged.provenance.get("score") or merged.provenance.get("status")
    domain_id = told_by.source if told_by else next(iter(board.watches), "")
    return {"match_id": board.match_id, "domain_id": domain_id, **merged.fields}


def _totals(score: Mapping[str, Any]) -> dict[str, float]:
    """Name the runs and wickets of each side."""
    return {
        f"{side}.{figure}": innings[figure]
        for side, innings in score.items()
        if isinstance(innings, Mapping)
        for figure in ("runs", "wickets")
        if isinstance(innings.get(figure), int)
    }
