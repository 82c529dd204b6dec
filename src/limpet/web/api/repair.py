"""What changed on the pages of a site that drifted, under /api/v1."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import Shape
from limpet.web.lookout import TheHouse
from limpet.web.pages.repair import bundle
from limpet.web.repairing import findings_of

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["sources"])


class CandidateShape(Shape):
    """Where a lost value may be now."""

    way: str = Field(description="css, json_ld, meta or json_path.", examples=["css"])
    where: str = Field(examples=["p.price"])
    says: str
    because: str
    is_steady: bool = Field(description="False when a name in it looks made by a machine or for the moment.")


class PlaceShape(Shape):
    """One place the site reads from, before and now."""

    name: str
    field: str
    way: str
    where: str
    within: str
    before: int | None
    now: int
    is_lost: bool
    is_needed: bool
    held: str
    stood: str
    stands: str
    candidates: list[CandidateShape]


class DifferenceShape(Shape):
    """Names of one kind that only one of the pages has; the lists are cut, the counts are not."""

    kind: str
    vanished: list[str]
    appeared: list[str]
    vanished_count: int
    appeared_count: int


class ReadAsShape(Shape):
    """A page, what was made of it then, and what is made of it now."""

    job_id: int
    run_id: int
    source_id: str
    url: str
    fetched_at: datetime | None
    sha256: str
    bytes: int
    then: str
    then_version: str | None
    now: str
    record: Mapping[str, Any]


class ProofShape(Shape):
    """What the bad page reads as with every lost place moved to its first candidate."""

    moved: Mapping[str, str]
    reads: str
    is_as_expected: bool


class RepairShape(Shape):
    """What the last good and the first bad page of a site tell; either may be missing, and `remarks` says so."""

    site_id: str
    site_version: str
    app: str
    good: ReadAsShape | None
    bad: ReadAsShape | None
    is_same_target: bool
    reasons: Mapping[str, int] = Field(description="How many targets are broken now, by reason.")
    failing_field: str
    failing_selector: str
    complaint: str
    remarks: list[str]
    places: list[PlaceShape]
    differences: list[DifferenceShape]
    likeness_percent: int | None
    expected: Mapping[str, Any] | None = Field(
        description="What the failing test asks for; null when none can be made."
    )
    doubts: list[str]
    general: str
    proof: ProofShape | None


@router.get("/adapters/{adapter_id}/repair")
async def repair(house: TheHouse, adapter_id: str) -> RepairShape:
    """Return what changed: failing fields, structural difference, and candidates for where the values are now."""
    return RepairShape.model_validate(await findings_of(house, adapter_id))


@router.get(
    "/adapters/{adapter_id}/repair.zip",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}}},
)
async def repair_bundle(house: TheHouse, adapter_id: str) -> Response:
    """Return the repair bundle: both pages as text, the findings, and a fixture that fails until the site is mended."""
    return await bundle(house, adapter_id)
