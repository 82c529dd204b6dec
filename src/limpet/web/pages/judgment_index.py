"""A court's index on the portal: its versions, what each changed, two compared, a held one let through; and gaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from limpet.apps.judgments.case_diff import case_diff_of
from limpet.apps.judgments.index.differences import Differences
from limpet.apps.judgments.index.listing import list_versions, one_version, version_before
from limpet.apps.judgments.scraping import APP_NAME
from limpet.apps.judgments.views import named_cases
from limpet.assembly import House
from limpet.errors import NotThere
from limpet.web.acting import Acting, back_to
from limpet.web.asking import LARGEST_ID, After, RowNumber, Search
from limpet.web.judging import compare_versions, release_version
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render
from limpet.web.shelf import TheShelf

router = APIRouter(include_in_schema=False, prefix="/judgments")

_VERSIONS_A_PAGE = 40
_MOST_SHOWN = 200  # of each kind of difference; the API has them all
Number = Annotated[int, Query(ge=1, le=LARGEST_ID)]


@router.get("/versions")
async def versions(request: Request, house: TheHouse, source: Search = None, before: After = 0) -> Response:
    """List the versions of the index, the newest first."""
    look = partial(list_versions, source=source or None, before=before or None, limit=_VERSIONS_A_PAGE + 1)
    found = await house.ledger.read(look)
    context = {
        "versions": found[:_VERSIONS_A_PAGE],
        "has_more": len(found) > _VERSIONS_A_PAGE,
        "sources": house.catalogue.list(app=APP_NAME),
        "source": source or "",
        "before": before,
        "compared": await _usual_pair(house, found),
    }
    return render(request, "judgment_versions.html", context)


@router.get("/versions/{version_id}")
async def version(request: Request, house: TheHouse, version_id: RowNumber) -> Response:
    """Show one version: how it stands, and what it changed when it was applied."""
    found = await house.ledger.read(partial(one_version, version_id=version_id))
    if found is None:
        raise NotThere(f"There is no version {version_id} of any index.", fix="The list shows all there are.")
    look = partial(case_diff_of, version_id=version_id, limit=_MOST_SHOWN)
    context = {
        "edition": found,
        "brought": await house.ledger.read(look) if found["state"] == "applied" else None,
        "before": await house.ledger.read(
            partial(version_before, version_id=version_id, source=found["source"])
        ),
        "audit": await house.ledger.audit_entries(subject=f"index version {version_id}"),
        "most": _MOST_SHOWN,
    }
    return render(request, "judgment_version.html", context)


@router.post("/versions/{version_id}/release")
async def release(action: Acting, shelf: TheShelf, version_id: RowNumber) -> Response:
    """Let a held version through."""
    await release_version(action.house, action.caller, version_id, reason=action.reason)
    shelf.forget()
    return back_to(f"/judgments/versions/{version_id}", "index_released")


@router.get("/diff")
async def diff(request: Request, house: TheHouse, earlier: Number, later: Number) -> Response:
    """Compare two versions, field by field, from the files as they were published."""
    found = await compare_versions(house, earlier=earlier, later=later)
    changed = sorted(found.changed)[:_MOST_SHOWN]
    sets = {name: sorted(getattr(found, name))[:_MOST_SHOWN] for name in ("new", "removed", "reappeared")}
    context: dict[str, Any] = {
        "found": found,
        "earlier": earlier,
        "later": later,
        "changed": [(token, found.changed[token]) for token in changed],
        "sets": sets,
        "named": await _named(house, found, (*changed, *(token for each in sets.values() for token in each))),
        "most": _MOST_SHOWN,
    }
    return render(request, "judgment_diff.html", context)


@router.get("/gaps")
async def gaps(request: Request, shelf: TheShelf) -> Response:
    """Show what the archive probably lacks."""
    return render(request, "judgment_gaps.html", {"gaps": await shelf.gaps()})


async def _usual_pair(house: House, listed: Sequence[Mapping[str, Any]]) -> tuple[int, int] | None:
    """Return the two versions most people want compared: the newest that can be read, and what stood before it."""
    newest = next((each for each in listed if each["state"] != "invalid"), None)
    if newest is None:
        return None
    look = partial(version_before, version_id=newest["id"], source=newest["source"])
    before = await house.ledger.read(look)
    return (before, newest["id"]) if before is not None else None


async def _named(
    house: House, found: Differences, tokens: Iterable[str]
) -> dict[str, tuple[int, str | None]]:
    look = partial(named_cases, source_id=found.source, tokens=list(tokens))
    return await house.ledger.read(look)
