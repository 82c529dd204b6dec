"""The shapes the judgment endpoints take and give."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from limpet.apps.judgments.coverage import Coverage
from limpet.apps.judgments.params import BOUNDS, RunSummary
from limpet.record.entry import Run

Strategy = Literal["none", "retry_failed_only", "redo_in_progress", "auto"]


def _within(wish: str, description: str) -> Any:
    bounds = BOUNDS[wish]
    return Field(None, ge=bounds.least, le=bounds.most, description=description)


class Wishes(BaseModel):
    """How a scrape is to go about it."""

    model_config = ConfigDict(extra="forbid")

    target_source: str | None = Field(
        None, max_length=200, description="Which source, when there are several."
    )
    resume_strategy: Strategy | None = None
    limit: int | None = _within("limit", "At most so many documents.")
    concurrency: int | None = _within(
        "concurrency", "So many at once, never more than the source's pace allows."
    )
    per_download_delay: float | None = _within("per_download_delay", "Seconds between two requests.")
    max_retries: int | None = _within("max_retries", "Tries per document.")


class ResumeBody(Wishes):
    """How to go on with what was left."""

    dry_run: bool = Field(default=False, description="Only say what would be fetched.")


class StartBody(ResumeBody):
    """What to scrape."""

    mode: Literal["full", "new", "resume"] = "new"


class ReportRow(BaseModel):
    """One stored judgment, in the words of the report."""

    actions_token: str
    title: str
    subject: str
    court: str
    category: str
    judgment_date: str
    sort_judgment_date: str
    cause_number: str
    downloaded_at: str | None
    saved_path: str | None
    filename: str | None
    size_kb: float | None
    source: str


class CasesShape(BaseModel):
    """A page of cases."""

    ok: bool = True
    total: int
    cases: list[ReportRow]
    next: int | None = Field(description="Ask for `after` this to go on; null on the last page.")


def run_as_json(run: Run) -> dict[str, Any]:
    """Return a run as the archive's readers know it."""
    return {
        "id": run.id,
        "source": run.source_id,
        "trigger": "cron" if run.trigger.value == "schedule" else run.trigger.value,
        "mode": run.mode.value,
        "status": run.state.value,
        "params": dict(run.params),
        "started_at": _text(run.started_at),
        "ended_at": _text(run.ended_at),
        "error_code": run.error_code,
        "error_summary": run.error_message,
        "planned": run.planned,
        "counts": dict(run.counts),
    }


def summary_as_json(summary: RunSummary, coverage: Coverage) -> dict[str, Any]:
    """Return what a run came to, with its coverage and verdict."""
    return {**asdict(summary), "coverage": asdict(coverage), "run_health": coverage.verdict}


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None
