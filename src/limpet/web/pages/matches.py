"""Deeds of the match pages: a match paused or watched again, the browser replaced. The monitor carries them out."""

from __future__ import annotations

from functools import partial
from typing import Literal

from fastapi import APIRouter
from starlette.responses import Response

from limpet.apps.matches.care_log import give_order
from limpet.apps.matches.monitor.orders import RECYCLE
from limpet.apps.matches.window import MatchWindow
from limpet.web.acting import Acting, Action, back_to
from limpet.web.words import in_path

router = APIRouter(include_in_schema=False)


@router.post("/matches/recycle")
async def recycle(action: Acting) -> Response:
    """Have the browser replaced and everything asked anew."""
    await _order(action, RECYCLE, None)
    return back_to("/matches", "ordered")


@router.post("/matches/{match_id}/{deed}")
async def pause_or_resume(action: Acting, match_id: str, deed: Literal["pause", "resume"]) -> Response:
    """Leave a match alone until it is resumed, or watch it again."""
    window = MatchWindow(action.house.ledger, action.house.monitor)
    ours = (await window.match(match_id)).line.match_id
    await _order(action, deed, ours)
    return back_to(f"/matches/{in_path(ours)}", "ordered")


async def _order(action: Action, what: str, match_id: str | None) -> None:
    order = partial(
        give_order, action=what, match_id=match_id, by=action.by, reason=action.reason, now=action.now
    )
    await action.write(order)
