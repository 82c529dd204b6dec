"""What a scrape is asked to do, and what it came to: the seed's own types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from limpet.errors import UsageError
from limpet.target.outcome import Mode as RunMode

Mode = Literal["full", "new", "resume"]
ResumeStrategy = Literal["none", "retry_failed_only", "redo_in_progress", "auto"]


@dataclass(frozen=True, slots=True)
class ScrapeParams:
    """One scrape. What is None is left to the source's own terms; wishes may slow it down, never speed it up."""

    mode: Mode = "new"
    target_source: str = "unreported_judgments"
    per_download_delay: float | None = None
    max_retries: int | None = None
    concurrency: int | None = None
    resume_strategy: ResumeStrategy | None = None  # none when the mode's own
    dry_run: bool = False
    limit: int | None = None
    stale_after_seconds: float | None = None
    tokens: tuple[str, ...] = ()  # only these documents

    @property
    def strategy(self) -> ResumeStrategy:
        """The strategy; resuming without naming one means everything that was left."""
        return self.resume_strategy or ("auto" if self.mode == "resume" else "none")

    @property
    def run_mode(self) -> RunMode:
        """The mode in the ledger's words."""
        return RunMode(self.mode)

    def as_run_params(self) -> dict[str, Any]:
        """Return what the run's row keeps, so that another process can go on with it."""
        wishes = {
            "resume_strategy": self.strategy,
            "limit": self.limit,
            "per_download_delay": self.per_download_delay,
            "max_retries": self.max_retries,
            "concurrency": self.concurrency,
            "stale_after_seconds": self.stale_after_seconds,
            "tokens": list(self.tokens) or None,
        }
        return {name: value for name, value in wishes.items() if value is not None}


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a scrape came to; a dry run has no run of its own and its `run_id` is 0."""

    run_id: int
    cases_total: int
    cases_targeted: int
    downloads_completed: int
    downloads_failed: int
    downloads_skipped: int
    error_counts: Mapping[str, int]
    started_at: str
    ended_at: str


def strategy_of(params: Mapping[str, Any], mode: RunMode) -> ResumeStrategy:
    """Return the strategy of a run as its row has it; a run nobody gave one has its mode's own."""
    named = params.get("resume_strategy")
    if named is None:
        return "auto" if mode is RunMode.RESUME else "none"
    if named not in get_args(ResumeStrategy):
        raise UsageError(
            f"There is no resume strategy {named!r}.",
            fix=f"Choose from {', '.join(get_args(ResumeStrategy))}.",
        )
    strategy: ResumeStrategy = named
    return strategy
