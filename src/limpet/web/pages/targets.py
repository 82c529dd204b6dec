"""Targets: searched, added by pasting, paused, resumed, blocked, rechecked and deleted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from limpet.errors import UsageError
from limpet.record.editing_targets import STATUSES, TargetFilter, delete_targets, edit_targets, list_targets
from limpet.web import deeds
from limpet.web.acting import Acting, back_to
from limpet.web.asking import After, Search
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render
from limpet.web.uploading import text_of

router = APIRouter(include_in_schema=False)

_TARGETS_A_PAGE = 100
Status = Annotated[Literal["active", "paused", "broken", "stale", ""] | None, Query()]
# What each button changes; a person's word also ends a series of failures.
CHANGES: Mapping[str, Mapping[str, Any]] = {
    "pause": {"status": "paused"},
    "resume": {"status": "active", "consecutive_failures": 0},
    "block": {"robots_path_blocked": True},
    "unblock": {"robots_path_blocked": False},
}


@router.get("/targets")
async def targets(
    request: Request,
    house: TheHouse,
    *,
    source: Search = None,
    status: Status = None,
    search: Search = None,
    after: After = 0,
) -> Response:
    """List targets, with what became of each last time."""
    wanted = TargetFilter(source_id=source or None, status=status or None, text=search or None)
    look = partial(list_targets, wanted=wanted, after=after, limit=_TARGETS_A_PAGE + 1)
    found = await house.ledger.read(look)
    context = {
        "targets": found[:_TARGETS_A_PAGE],
        "has_more": len(found) > _TARGETS_A_PAGE,
        "sources": house.catalogue.list(),
        "finds_by_itself": any(house.app(each.app).is_monitored for each in house.catalogue.list()),
        "statuses": STATUSES,
        "source": source or "",
        "status": status or "",
        "search": search or "",
        "after": after,
        "actions": ["visit now", *CHANGES, "delete"],
    }
    return render(request, "targets.html", context)


@router.post("/targets/import")
async def bring_in(request: Request, action: Acting) -> Response:
    """Add what was pasted or sent as a file, and say what became of every line."""
    source_id = action.field("source") or None
    sent = action.files.get("file")
    tables = [action.field("table"), await text_of(sent) if sent is not None else ""]
    results = [
        result
        for table in tables
        for result in await deeds.import_targets(action.house, action.caller, table, source_id=source_id)
    ]
    if not results:
        fix = "One address a line, or a table with a header."
        raise UsageError("Nothing was pasted, and no file chosen.", fix=fix)
    return render(request, "imported.html", {"results": results, "source": source_id})


@router.post("/targets/change")
async def change(action: Acting) -> Response:
    """Do to the ticked targets what the button says."""
    word, now = action.field("action"), action.now
    if not action.ids:
        raise UsageError("No target was ticked.", fix="Tick some first.")
    if word == "visit now":
        run = await deeds.visit_now(action.house, action.caller, action.ids, reason=action.reason)
        return RedirectResponse(f"/runs/{run.id}", 303)
    if word == "delete":
        await action.write(
            partial(delete_targets, ids=action.ids, by=action.by, reason=action.reason, now=now)
        )
        return back_to("/targets", "deleted")
    if word not in CHANGES:
        raise UsageError("There is no such button.", fix="Open the page again.")
    changes = dict(CHANGES[word])
    act = partial(edit_targets, ids=action.ids, changes=changes, by=action.by, reason=action.reason, now=now)
    await action.write(act)
    return back_to("/targets", "changed")
