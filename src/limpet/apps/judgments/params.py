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
class Bounds:
    """What a wish may be, both ends included."""

    least: int
    most: int
    about: str

    def check(self, value: float) -> None:
        """Raise UsageError unless the value lies within; what is no number lies nowhere."""
        if not self.least <= value <= self.most:
            raise UsageError(
                f"{self.about} must be {self.least} to {self.most}, not {value}.",
                fix="Choose one within that, or leave it out: then the source's own terms hold.",
            )


# For every door: the command line, the API and Python.
BOUNDS: Mapping[str, Bounds] = {
    "per_download_delay": Bounds(0, 3_600, "The seconds between two requests"),
    "max_retries": Bounds(1, 20, "The tries per document"),
    "concurrency": Bounds(1, 64, "How many are fetched at once"),
    "limit": Bounds(1, 1_000_000, "The number of documents"),
    "stale_after_seconds": Bounds(1, 604_800, "The seconds of silence"),
}


@dataclass(frozen=True, slots=True)
class ScrapeParams:
    """One scrape. What is None is left to the source's own terms; wishes may slow it down, never speed it up.

    Raises UsageError for a wish out of bounds, and for a strategy where nothing is resumed.
    """

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

    def __post_init__(self) -> None:
        for name, bounds in BOUNDS.items():
            value = getattr(self, name)
            if value is not None:
                bounds.check(value)
        if self.mode != "resume" and self.strategy != "none":
            # Taken at its word it would leave out whatever no earlier run tried, and call that a full run.
            raise UsageError(
                f"A resume strategy belongs to mode resume, not to mode {self.mode}.",
                fix=f"Choose mode resume with {self.strategy}, or leave the strategy out.",
            )

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
