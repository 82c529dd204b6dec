"""The shapes of the archive under /api/v1: cases, their history, versions of the index, gaps."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from limpet.apps.judgments.gaps import JudgmentGaps
from limpet.observe.gaps import Numbering
from limpet.web.api.shapes import JobShape, Shape

CaseState = Literal["stored", "waiting", "failed", "criminal", "removed"]


class CaseShape(Shape):
    """A case of the index, and the PDF it was stored as."""

    id: int
    source: str
    action_token_raw: str
    title: str | None
    neutral_citation: str | None
    cause_number: str | None
    judgment_date: str | None = Field(description="YYYY-MM-DD; null when the court's text names no day.")
    judgment_date_raw: str | None
    court: str | None
    category: str | None
    subject: str | None
    is_criminal: bool
    is_active: bool = Field(description="Whether the index names it now.")
    run_id: int | None = Field(description="The run that stored its PDF.")
    downloaded_at: datetime | None
    path: str | None = Field(description="Of the PDF, below the data directory.")
    size_bytes: int | None
    sha256: str | None


class ListedCaseShape(CaseShape):
    """A case on a list."""

    state: CaseState


class CaseChangeShape(Shape):
    """What one version of the index said otherwise."""

    version_id: int
    changed_at: datetime
    kind: Literal["new", "changed", "removed", "reappeared"]
    field: str | None
    old_value: str | None
    new_value: str | None


class CaseFileShape(Shape):
    """One file a case was stored as."""

    run_id: int
    job_id: int
    path: str
    sha256: str
    size_bytes: int
    box_url: str | None
    was_adopted: bool
    stored_at: datetime


class CaseStoryShape(BaseModel):
    """Everything known about one case."""

    case: CaseShape
    first_version_id: int
    last_version_id: int
    target_id: int | None
    changes: list[CaseChangeShape] = Field(description="Newest first, down to when it was first seen.")
    files: list[CaseFileShape]
    jobs: list[JobShape] = Field(description="What was done to fetch it, newest first.")


class VersionShape(BaseModel):
    """One version of a court's index."""

    model_config = ConfigDict(extra="ignore")

    id: int
    source: str
    state: Literal["applied", "held", "invalid"]
    fetched_at: datetime
    checked_at: datetime = Field(description="When the court last said that this is what it has.")
    checks: int
    source_url: str
    sha256: str
    row_count: int
    case_count: int
    new_count: int
    changed_count: int
    removed_count: int
    reappeared_count: int
    criminal_count: int
    blank_count: int
    duplicate_count: int
    undated_count: int
    error_code: str | None
    error_message: str | None


class FieldChangeShape(BaseModel):
    """A field before and after."""

    old: str | None
    new: str | None


class DiffShape(BaseModel):
    """What the later of two versions says otherwise, by token."""

    earlier: int
    later: int
    new: list[str]
    reappeared: list[str]
    removed: list[str]
    changed: dict[str, dict[str, FieldChangeShape]]


class HoleShape(BaseModel):
    """Numbers that follow each other and nobody has seen."""

    first: int
    last: int


class NumberingShape(BaseModel):
    """A sequence of numbers with holes."""

    sequence: str
    known: int
    last: int
    missing: list[HoleShape]


class QuietMonthShape(BaseModel):
    """A month with far less than is usual."""

    month: str
    count: int
    expected: float


class GapsShape(BaseModel):
    """What one source probably lacks."""

    source: str
    cases: int
    not_downloaded: int
    holes: list[NumberingShape]
    sparse: list[NumberingShape] = Field(description="Known too little of to tell.")
    quiet_months: list[QuietMonthShape]
    backfill: str | None = Field(
        description="The command that fills what can be filled; null when everything the index names is stored."
    )


class ReleaseShape(BaseModel):
    """What a released version did."""

    version_id: int
    new: int
    changed: int
    removed: int
    reappeared: int


def gaps_shape(gaps: JudgmentGaps) -> GapsShape:
    """Return one source's gaps as the API tells them."""
    months: list[dict[str, Any]] = [
        {"month": str(month), "count": month.count, "expected": month.expected} for month in gaps.quiet_months
    ]
    return GapsShape(
        source=gaps.source_id,
        cases=gaps.cases,
        not_downloaded=gaps.not_downloaded,
        holes=[_numbering(each) for each in gaps.holes],
        sparse=[_numbering(each) for each in gaps.sparse],
        quiet_months=[QuietMonthShape(**month) for month in months],
        backfill=gaps.backfill,
    )


def _numbering(each: Numbering) -> NumberingShape:
    missing = [HoleShape(first=hole.first, last=hole.last) for hole in each.holes]
    return NumberingShape(sequence=each.name, known=each.known, last=each.last, missing=missing)
