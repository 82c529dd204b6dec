"""`audit_<time>.json`: the batch in numbers, and the proof that they add up."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from limpet.apps.dockets.account.crawl import SCHEMA_VERSION, CrawlStats
from limpet.apps.dockets.errors import AuditUnbalanced
from limpet.record.durable_file import replace_file
from limpet.record.entry import Run


def write_audit(
    path: Path, run: Run, *, run_id: str, stats: CrawlStats, files: dict[str, str], now: datetime
) -> None:
    """Replace the audit with how things stand now."""
    audit: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "run_id": run_id,
        "source_id": run.source_id,
        "state": run.state.value,
        **asdict(stats),
        "is_balanced": stats.is_balanced,
        "started_at": run.started_at,
        "finished_at": run.ended_at,
        "updated_at": now,
        "jobs": dict(run.counts),
        "params": dict(run.params),
        **files,
    }
    replace_file(path, orjson.dumps(audit, option=orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z) + b"\n")


def require_balance(stats: CrawlStats, *, told: int, name: str) -> None:
    """Raise AuditUnbalanced unless every attempted case has its word, in the ledger and in the attempts alike."""
    if stats.is_balanced and told == stats.total_attempted:
        return
    counted = stats.success_count + stats.no_record_count + stats.failed_count
    raise AuditUnbalanced(
        f"{name}: {stats.total_attempted} cases were attempted, {counted} have an outcome, {told} are told.",
        fix="Run `limpet verify`, and keep the files: this must not be.",
    )
