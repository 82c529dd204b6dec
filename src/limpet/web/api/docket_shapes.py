"""The shapes in which the API shows registers, numbers and cases, and takes what is asked of a court."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from limpet.apps.dockets.views.coverage import Word
from limpet.extract.parse.case_number import LARGEST_NUMBER
from limpet.web.api.bodies import Body, Why
from limpet.web.api.shapes import JobShape, Shape

Extra = Literal["parties", "related"]
Source = Annotated[str, Field(max_length=200, description="A source of dockets.", examples=["fct"])]
Prefix = Annotated[str, Field(pattern="^[A-Za-z]{1,5}$", description="The register.", examples=["IMM"])]
Year = Annotated[int, Field(ge=1970, le=2069, description="In full.", examples=[2025])]


class BoundShape(Shape):
    """How far the last probe found the register to go."""

    number: int
    probes: int
    found_at: datetime
    expires_at: datetime
    sees_through: int = Field(
        description="No hole of up to so many numbers hides more, unless fewer than `shortest_tail` follow it."
    )
    shortest_tail: int
    reached: int = Field(description="Behind wider holes, single numbers were tried up to this one.")


class RegisterShape(Shape):
    """One register of one year, and how many of its numbers stand how."""

    source_id: str
    prefix: str
    year: int
    found: int
    none: int
    failed: int
    asked: int
    unasked: int = Field(description="Of 1 to `last`, how many were never asked for.")
    last: int = Field(description="The last number with a record, as far as anybody knows.")
    bound: BoundShape | None = Field(description="Null while nobody has looked for the end.")


class SquareShape(Shape):
    """Neighbouring numbers, counted by their words."""

    first: int
    last: int
    counts: dict[Word, int]


class CoverageShape(RegisterShape):
    """A register and its map, a hundred numbers to a square."""

    squares: list[SquareShape]


class NumberShape(Shape):
    """One number and how it stands."""

    case_id: str
    number: int
    word: Word


class HoleShape(Shape):
    """Neighbouring numbers without a record, first and last included."""

    first: int
    last: int
    count: int


class GapsShape(Shape):
    """The holes of a register by how they are known."""

    upper_bound: int
    is_probed: bool
    is_whole: bool = Field(description="Whether every number up to a probed end is answered.")
    succeeded: int
    unasked: list[HoleShape]
    failed: list[HoleShape]
    absent: list[HoleShape]
    backfill: str = Field(description="The command that asks for what was never answered.")


class CaseLineShape(Shape):
    """A case as a list shows it."""

    id: int
    source_id: str
    case_id: str
    prefix: str
    year: int
    number: int
    status: str
    version: int
    attempts: int
    last_error: str | None
    last_attempt_at: datetime
    last_success_at: datetime | None
    vanished_at: datetime | None
    style_of_cause: str | None
    nature_of_proceeding: str | None
    filing_date: str | None
    entry_count: int | None


class EntryVersionShape(Shape):
    """An entry as it stood from one moment on."""

    entry_id: int
    version: int
    case_version: int
    date_filed: str | None
    office: str | None
    summary: str
    is_published: bool
    is_confidential: bool | None
    is_removed: bool
    recorded_at: datetime


class EntryShape(Shape):
    """An entry with everything it ever said, oldest first."""

    versions: list[EntryVersionShape]


class FieldChangeShape(Shape):
    """A field of the header that was changed."""

    name: str
    before: str | None
    after: str | None


class CaseVersionShape(Shape):
    """The case as it stood from one moment on."""

    version: int
    recorded_at: datetime
    entry_count: int
    job_id: int
    adapter_version: str
    url: str
    saved_path: str | None
    header: dict[str, str | None]
    parties: list[dict[str, Any]] | None = Field(description="Null when they were not asked for.")
    related_cases: list[dict[str, Any]] | None = Field(description="Null when they were not asked for.")
    changes: list[FieldChangeShape]
    entries_changed: int


class DocumentShape(Shape):
    """A published document that is kept; the file is at `/dockets/documents/{id}`."""

    id: int
    entry_id: int
    document_number: str
    sha256: str
    size_bytes: int
    stored_at: datetime


class CaseShape(Shape):
    """Everything known about one case."""

    line: CaseLineShape
    first_attempt_at: datetime
    known_from: str | None
    versions: list[CaseVersionShape] = Field(description="Newest first.")
    entries: list[EntryShape] = Field(description="Highest ID first; withdrawn ones are among them.")
    documents: list[DocumentShape]
    jobs: list[JobShape] = Field(default=[], description="How it was asked for, newest first.")


class RegisterBody(Body):
    """Which register, and why."""

    source: Source
    prefix: Prefix = "IMM"
    year: Year
    reason: Why


class RunBody(RegisterBody):
    """A range of numbers; the last one is start + max_cases - 1."""

    start: int = Field(default=1, ge=0, le=LARGEST_NUMBER)
    max_cases: int | None = Field(
        default=None,
        ge=1,
        le=LARGEST_NUMBER + 1,
        description="Null goes as far as the last probe found numbers.",
    )
    force: bool = Field(default=False, description="Ask also for what is answered or cools down.")
    extras: list[Extra] = Field(default=[], max_length=2)


class ProbeBody(RegisterBody):
    """The search for a register's last number."""

    again: bool = Field(default=False, description="Look anew although the last answer is fresh.")


class AgainBody(Body):
    """Single cases, whatever is known of them."""

    source: Source
    cases: list[Annotated[str, Field(max_length=40)]] = Field(
        min_length=1, max_length=1_000, examples=[["IMM-231-25"]]
    )
    extras: list[Extra] = Field(default=[], max_length=2)
    reason: Why
