"""Orders about matches under /api/v1: paused, watched again, the browser replaced. The monitor carries them out."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from limpet.apps.matches.care_log import give_order
from limpet.apps.matches.monitor.orders import RECYCLE
from limpet.apps.matches.window import MatchWindow
from limpet.web.access.caller import TheCaller, act
from limpet.web.api.bodies import Reasoned
from limpet.web.api.routes import PROBLEMS
from limpet.web.lookout import TheHouse

router = APIRouter(prefix="/api/v1/matches", responses=PROBLEMS, tags=["matches"])


class OrderShape(BaseModel):
    """An order the monitor will carry out."""

    order: int = Field(description="Its number in the ledger.", examples=[7])


@router.post("/recycle", status_code=202)
async def recycle(house: TheHouse, caller: TheCaller, body: Reasoned) -> OrderShape:
    """Have the browser replaced and everything asked anew."""
    made = await act(house, caller, give_order, action=RECYCLE, match_id=None, reason=body.reason)
    return OrderShape(order=made)


@router.post("/{match_id}/{deed}", status_code=202)
async def pause_or_resume(
    house: TheHouse, caller: TheCaller, match_id: str, deed: Literal["pause", "resume"], body: Reasoned
) -> OrderShape:
    """Leave a match alone until it is resumed, or watch it again."""
    ours = (await MatchWindow(house.ledger, house.monitor).match(match_id)).line.match_id
    made = await act(house, caller, give_order, action=deed, match_id=ours, reason=body.reason)
    return OrderShape(order=made)
