"""Sources under /api/v1: the gate, the clocks, the pace, and how well each keeps its promise."""

from __future__ import annotations

from fastapi import APIRouter

from limpet.observe.promise import ErrorBudget
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import ListShape
from limpet.web.api.source_shapes import (
    ClocksShape,
    ErrorBudgetShape,
    GateShape,
    LaneShape,
    PaceShape,
    SourceDetailShape,
    SourceShape,
    VisitsShape,
)
from limpet.web.glance import Glance
from limpet.web.lane_gates import lane_gates
from limpet.web.lookout import TheHouse, TheLookout

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)


@router.get("/sources", tags=["sources"])
async def sources(lookout: TheLookout) -> ListShape[SourceShape]:
    """List every configured source with its gate, clocks and grade."""
    glance = await lookout.glance()
    return ListShape(items=_source_shapes(glance), next=None)


@router.get("/sources/{source_id}", tags=["sources"])
async def source(house: TheHouse, lookout: TheLookout, source_id: str) -> SourceDetailShape:
    """Return one source."""
    known = house.catalogue.get(source_id)
    shape = next(each for each in _source_shapes(await lookout.glance()) if each.id == known.id)
    lanes = [LaneShape.model_validate(lane) for lane in await lane_gates(house, known)]
    return SourceDetailShape(**shape.model_dump(), lanes=lanes)


def _source_shapes(glance: Glance) -> list[SourceShape]:
    return [
        SourceShape(
            id=each.source.id,
            app=each.source.app,
            site=each.source.site,
            name=each.source.name,
            hosts=list(each.source.hosts),
            schedule=each.source.schedule,
            fetcher=each.source.fetcher,
            grade=glance.grade_of(each).value,
            gate=GateShape.model_validate(each.gate),
            clocks=ClocksShape.model_validate(each.clocks),
            pace=PaceShape.model_validate(each.source.pace),
            targets=each.targets,
            terms_approved_by=each.source.terms.approved_by,
            terms_reviewed_at=each.source.terms.reviewed_at,
            error_budget=_budget_shape(glance.budget_of(each)),
        )
        for each in glance.standings
    ]


def _budget_shape(budget: ErrorBudget | None) -> ErrorBudgetShape | None:
    if budget is None:
        return None
    windows = {
        name: VisitsShape(due=visits.due, kept=visits.kept, share=visits.share, burn=budget.burn(name))
        for name, visits in budget.visits.items()
    }
    return ErrorBudgetShape(objective=budget.objective, since=budget.since, windows=windows, left=budget.left)
