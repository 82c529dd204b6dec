"""The past read again under /api/v1: re-extraction with before and after, and canaries on recorded pages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import AwareDatetime, Field, WithJsonSchema

from limpet.apps.prices.before_after import Pair, outcomes_of, pairs_of
from limpet.engine.comparing import Change
from limpet.engine.page_canary import PAGES, last_flight
from limpet.engine.rereading import sources_meant
from limpet.errors import NotThere, UsageError
from limpet.record.recorded_pages import PageWish
from limpet.record.rereadings import Rereading
from limpet.target.outcome import Mode, Trigger
from limpet.web import deeds
from limpet.web.access.caller import TheCaller
from limpet.web.api.bodies import Body, Id, PerhapsWhy
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import Shape
from limpet.web.asking import After, Limit, RowNumber
from limpet.web.lookout import TheHouse

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)

_MOST_PAGES = 5_000
Value = Annotated[Any, WithJsonSchema({"description": "As it was read; null when nothing was."})]
Counted = Annotated[
    dict[Change, int], Field(description="Pages by what became of them; every word is named.")
]
Fields = Annotated[dict[str, int], Field(description="How often each field differs.")]


class FlyCanary(Body):
    """How many pages."""

    pages: int = Field(
        default=PAGES, ge=1, le=1_000, description="Half of them bad ones, if there are so many."
    )


class Reextract(Body):
    """Which recorded pages to read again, and whether to record what changed."""

    app: str = Field(max_length=100, examples=["prices"])
    source: str | None = Field(default=None, max_length=200, examples=["shop"])
    site: str | None = Field(default=None, max_length=200, examples=["shop_site"])
    run: Id | None = Field(default=None, description="Only pages this run recorded.")
    since: AwareDatetime | None = Field(default=None, description="Only pages recorded from then on.")
    until: AwareDatetime | None = Field(default=None, description="Only pages recorded before then.")
    limit: int = Field(default=500, ge=1, le=_MOST_PAGES, description="More at once: `limpet reextract`.")
    apply: bool = Field(default=False, description="Record newer versions; otherwise nothing is written.")
    with_losses: bool = Field(default=False, description="Also withdraw what is no longer readable.")
    reason: PerhapsWhy = ""


class RereadExample(Shape):
    """One page that reads otherwise."""

    change: Change
    target: str
    job_id: int
    run_id: int
    seen_at: datetime
    snapshot: str
    outcome_before: str
    outcome_after: str
    field: str | None
    before: Value
    after: Value


class OutcomesShape(Shape):
    """How many pages went from one word to another."""

    before: str
    after: str
    pages: int


class RereadRunShape(Shape):
    """Which run read which earlier one again."""

    rereads: int
    run_id: int


class ReportShape(Shape):
    """Before and after."""

    app: str
    adapters: list[str] = Field(description="Which adapters read, with their versions.")
    pages: int
    changes: Counted
    fields: Fields
    outcomes: list[OutcomesShape]
    examples: list[RereadExample]
    recorded: int = Field(description="How many newer versions were written.")
    runs: list[RereadRunShape]


class FlightShape(Shape):
    """How an adapter read its recorded pages."""

    adapter_id: str
    version: str
    is_good: bool = Field(description="Nothing that was readable got worse.")
    still_fails: bool = Field(description="It fails on most of what it failed on.")
    sentence: str
    pages: int
    was_good: int
    was_bad: int
    still_bad: int
    changes: Counted
    fields: Fields
    worse: list[RereadExample]
    failing: list[RereadExample]


class KeptFlightShape(FlightShape):
    """A canary as it was kept."""

    at: datetime
    by: str


class PairShape(Shape):
    """One page before and after; `fields` holds what differs, where both readings found something."""

    job_id: int
    observed_by: int = Field(description="The job that brought the page.")
    observed_in: int = Field(description="The run of that job.")
    url: str
    seen_at: datetime
    snapshot: str
    outcome_before: str
    outcome_after: str
    fields: dict[str, tuple[Value, Value]]
    price_before: Mapping[str, Any] | None
    price_after: Mapping[str, Any] | None


class BeforeAfterShape(Shape):
    """A run that read pages again, held against what it replaced."""

    run_id: int
    outcomes: list[OutcomesShape]
    items: list[PairShape]
    next: int | None = Field(description="The `after` of the next page; null on the last.")


@router.post("/reextractions", tags=["runs"])
async def reextract(house: TheHouse, caller: TheCaller, body: Reextract) -> ReportShape:
    """Read recorded pages again with today's adapters and rules, offline, and say what changes.

    Nothing is written unless `apply`; then each page that became readable or reads otherwise is a newer version of the
    same observation, under its own date. Asking again changes nothing.
    """
    if body.with_losses and not body.apply:
        raise UsageError("`with_losses` says what `apply` records.", fix="Set `apply`, or leave it out.")
    rereader = await deeds.rereader_of(house, body.app)
    chosen = sources_meant(
        rereader.app, rereader.sources.values(), house.sites, source_id=body.source, site_id=body.site
    )
    wish = PageWish(body.app, chosen, body.run, _utc(body.since), _utc(body.until))
    errand = Rereading(body.app, caller.name, body.reason, Trigger.UI) if body.apply else None
    report = await rereader.report(wish, limit=body.limit, errand=errand, with_losses=body.with_losses)
    return ReportShape.model_validate(report.to_json())


@router.get("/runs/{run_id}/rereading", tags=["runs"])
async def rereading(
    house: TheHouse, run_id: RowNumber, after: After = 0, limit: Limit = 100
) -> BeforeAfterShape:
    """Return before and after of a run in mode `reread`, page by page."""
    if (await house.ledger.run(run_id)).mode is not Mode.REREAD:
        raise NotThere(f"Run {run_id} read nothing again.", fix="Its mode is not `reread`.")
    found: list[Pair] = await house.ledger.read(
        partial(pairs_of, run_id=run_id, after=after, limit=limit + 1)
    )
    outcomes = await house.ledger.read(partial(outcomes_of, run_id=run_id))
    return BeforeAfterShape(
        run_id=run_id,
        outcomes=[OutcomesShape.model_validate(each) for each in outcomes],
        items=[PairShape.model_validate(each) for each in found[:limit]],
        next=found[limit - 1].job_id if len(found) > limit else None,
    )


@router.post("/adapters/{adapter_id}/canary", tags=["sources"])
async def fly(house: TheHouse, caller: TheCaller, adapter_id: str, body: FlyCanary) -> FlightShape:
    """Read an adapter's newest recorded pages again, good and bad ones, and compare with what was recorded then."""
    flight = await deeds.fly_canary(house, caller, adapter_id, pages=body.pages)
    return FlightShape.model_validate(flight.to_json())


@router.get("/adapters/{adapter_id}/canary", tags=["sources"])
async def last(house: TheHouse, adapter_id: str) -> KeptFlightShape:
    """Return the last canary of an adapter."""
    house.sites.get(adapter_id)
    kept = await house.ledger.read(partial(last_flight, adapter_id=adapter_id))
    if kept is None:
        raise NotThere(f"No canary of {adapter_id!r} was flown yet.", fix="POST to this address flies one.")
    return KeptFlightShape.model_validate({**kept.details, "at": kept.at, "by": kept.actor})


def _utc(moment: datetime | None) -> datetime | None:
    try:
        return None if moment is None else moment.astimezone(UTC)
    except OverflowError:
        raise UsageError("That is before or after all time.", fix="Give a year people live in.") from None
