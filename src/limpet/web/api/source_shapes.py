"""The shapes of what is said about sources: gates, clocks, pace, and how well promises are kept."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field

from limpet.web.api.shapes import Shape


class GateShape(Shape):
    """Whether a source may be visited."""

    is_open: bool
    reason: str
    fix: str


class ClocksShape(Shape):
    """The three clocks."""

    last_attempt_at: datetime | None
    last_fetch_at: datetime | None
    last_change_at: datetime | None


class PaceShape(Shape):
    """How fast the source's domains may be asked."""

    requests_per_second: float | None
    min_delay_seconds: float
    jitter: float
    max_concurrent: int


class VisitsShape(Shape):
    """Visits in a window: due by schedule, and those that brought a page."""

    due: int
    kept: int
    share: float | None
    burn: float | None = Field(description="1 spends the error budget exactly within the window.")


class ErrorBudgetShape(BaseModel):
    """How well a source keeps its promise of freshness."""

    objective: float
    since: datetime | None
    windows: dict[str, VisitsShape] = Field(description="By window: `1d`, `7d`, `30d`.")
    left: float | None = Field(description="Unspent part of the budget of 30 days; below 0 it is overspent.")


class LaneShape(Shape):
    """How a registrable domain is held now: breaker and budget, shared by all workers."""

    domain: str
    is_open: bool
    breaker: str = Field(description="`closed`, `open`, `half_open`, or `unknown` while its store is away.")
    failures: int
    opened_at: datetime | None
    rest_seconds: float
    paused_seconds: float = Field(description="Asked for by the site with Retry-After.")


class SourceShape(BaseModel):
    """A source, its terms and how it stands."""

    id: str
    app: str
    site: str
    name: str
    hosts: list[str]
    schedule: str | None
    fetcher: str
    grade: str
    gate: GateShape
    clocks: ClocksShape
    pace: PaceShape
    targets: int
    terms_approved_by: str | None
    terms_reviewed_at: datetime | None
    error_budget: ErrorBudgetShape | None = Field(description="Null while nothing was promised, or counted.")


class SourceDetailShape(SourceShape):
    """A source with the gates it shares with others on its domains."""

    lanes: list[LaneShape]
