"""The shapes of the API's answers: pydantic at the border, built from what the rooms hand on."""

from __future__ import annotations

from datetime import datetime
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from limpet.target import JobState
from limpet.target.outcome import Mode, RunState, Trigger

T = TypeVar("T")


class Shape(BaseModel):
    """Read straight from a dataclass of the house."""

    model_config = ConfigDict(from_attributes=True)


class ListShape(BaseModel, Generic[T]):
    """One page of a list."""

    items: list[T]
    next: int | None = Field(description="Ask for `after` this to go on; null on the last page.")


class ProblemShape(BaseModel):
    """What every error looks like (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str | None = None
    fix: str | None = None


class RunShape(Shape):
    """A run with its counts, which add up to `planned`."""

    id: int
    app: str
    source_id: str | None
    trigger: Trigger
    mode: Mode
    state: RunState
    planned: int
    started_at: datetime
    ended_at: datetime | None
    dry_run: bool
    error_code: str | None
    error_message: str | None
    counts: dict[str, int]


class RunDetailShape(RunShape):
    """A run and why its targets ended as they did."""

    reasons: dict[str, int] = Field(description="How often each `state: reason` occurred.")


class AttemptShape(Shape):
    """One try of a job."""

    number: int
    started_at: datetime
    elapsed_ms: float
    outcome: str
    error_code: str | None
    error_message: str | None
    status: int | None


class JobShape(Shape):
    """One target in one run."""

    id: int
    run_id: int
    target_id: int
    source_id: str
    url: str
    lane: str
    state: JobState
    reason: str | None
    details: str | None
    attempts: int
    started_at: datetime | None
    ended_at: datetime | None
    snapshot: str | None
    site_id: str | None
    site_version: str | None
    rereads: int | None = Field(description="The job whose page this one read again; null for a visit.")
    tries: list[AttemptShape] = []


class PricePointShape(Shape):
    """One observation of a price."""

    observed_at: datetime
    price_cents: int
    currency: str
    availability: str
    in_stock: bool
    run_id: int
    job_id: int
    adapter_version: str
    shipping_cents: int | None
    tiers: list[dict[str, int]]
    corrected_cents: int | None = Field(description="What corrections make of it, where any lie over it.")
    is_hidden: bool = Field(description="Ignored, by itself or with its run.")


class OfferShape(Shape):
    """A product with its newest price."""

    product_id: int
    source_id: str
    identity_key: str
    title: str
    url: str
    brand: str | None
    latest: PricePointShape
    previous_cents: int | None


class PriceHistoryShape(Shape):
    """A product and its observations, oldest first."""

    source_id: str
    identity_key: str
    title: str
    url: str
    brand: str | None
    points: list[PricePointShape]
    is_cut: bool = Field(description="True when older observations were left out.")
