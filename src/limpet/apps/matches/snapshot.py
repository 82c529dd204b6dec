"""A match as everybody may see it: numbered without a gap, checksummed, and told as what changed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

LIVE_TTL_SECONDS = 15.0
COMPLETED_TTL_SECONDS = 24 * 3600.0
HISTORY = 5
# Which source spoke last says nothing about the match: news is what changed, not who told it.
_NOT_NEWS = ("match_id", "domain_id")


@dataclass(frozen=True, slots=True)
class CachedSnapshot:
    """The reconciled match at one moment. `sequence_number` is the match's own and grows by exactly one."""

    match_id: str
    domain_id: str
    normalized_payload: Mapping[str, Any]
    created_at: datetime
    sequence_number: int
    provenance: Mapping[str, Any]
    checksum: str
    scraper_id: str = ""
    update_latency_ms: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as `match_latest:{id}` holds it."""
        return {
            "match_id": self.match_id,
            "domain_id": self.domain_id,
            "normalized_payload": dict(self.normalized_payload),
            "created_at": self.created_at.timestamp(),
            "sequence_number": self.sequence_number,
            "provenance": dict(self.provenance),
            "checksum": self.checksum,
            "scraper_id": self.scraper_id,
            "update_latency_ms": self.update_latency_ms,
        }


def checksum_of(payload: Mapping[str, Any]) -> str:
    """Return the SHA-256 of what the payload says, whatever the order of its keys."""
    said = {name: value for name, value in payload.items() if name not in _NOT_NEWS}
    return hashlib.sha256(orjson.dumps(said, option=orjson.OPT_SORT_KEYS)).hexdigest()


def delta(previous: CachedSnapshot | None, current: CachedSnapshot) -> dict[str, Any]:
    """Return what changed, by top-level field; a field that is gone is None."""
    payload = current.normalized_payload
    if previous is None:
        return {"_diff_type": "initial", "_sequence_delta": current.sequence_number, **payload}
    before = previous.normalized_payload
    changed = {name: value for name, value in payload.items() if before.get(name) != value}
    gone = {name: None for name in before if name not in payload}
    step = current.sequence_number - previous.sequence_number
    return {"_diff_type": "update", "_sequence_delta": step, **changed, **gone}


def apply_delta(payload: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload after the change: what a listener who heard every delta holds."""
    base = {} if change.get("_diff_type") == "initial" else dict(payload)
    base.update((name, value) for name, value in change.items() if not name.startswith("_"))
    return {name: value for name, value in base.items() if value is not None}
