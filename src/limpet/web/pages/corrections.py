"""Visibility and corrections: who may see which prices, what lies over them, and what a correction would change."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import cast, get_args

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from limpet.apps.prices import overlays
from limpet.apps.prices.overlay_views import effect_of, list_corrections, list_ignored_runs, list_trust
from limpet.apps.prices.overlays import Correction, Scope
from limpet.errors import UsageError
from limpet.web.acting import Acting, Action, back_to
from limpet.web.asking import RowNumber
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

HOME = "/prices/corrections"
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


@router.get(HOME)
async def corrections(request: Request, house: TheHouse, scope: str = "", scope_id: str = "") -> Response:
    """Show what consumers may see, and every correction, also those taken off again."""
    sources = house.catalogue.list(app="prices")
    context = {
        "sources": sources,
        "trust": await house.ledger.read(list_trust),
        "corrections": await house.ledger.read(list_corrections),
        "ignored": await house.ledger.read(list_ignored_runs),
        "scopes": get_args(Scope),
        "scope": scope,
        "scope_id": scope_id,
    }
    return render(request, "corrections.html", context)


@router.post(f"{HOME}/preview")
async def preview(request: Request, action: Acting) -> Response:
    """Show what a correction would change, before anything is."""
    correction = _correction(action)
    effect = await action.write(partial(effect_of, correction=correction, now=action.now))
    context = {"correction": correction, "effect": effect, "fields": action.fields}
    return render(request, "correction_preview.html", context)


@router.post(f"{HOME}/apply")
async def apply(action: Acting) -> Response:
    """Lay it over the prices."""
    act = partial(overlays.correct, correction=_correction(action), by=action.by, now=action.now)
    await action.write(act)
    return back_to(HOME, "correction")


@router.post(f"{HOME}/{{correction_id}}/revoke")
async def revoke(action: Acting, correction_id: RowNumber) -> Response:
    """Take a correction off again."""
    act = partial(overlays.revoke, correction_id=correction_id, by=action.by, now=action.now)
    await action.write(partial(act, reason=action.reason))
    return back_to(HOME, "revoked")


@router.post(f"{HOME}/runs/{{run_id}}/{{word}}")
async def about_run(action: Acting, run_id: RowNumber, word: str) -> Response:
    """Hide every price of a run, or show them again."""
    act = {"ignore": overlays.ignore_run, "heed": overlays.heed_run}.get(word)
    if act is None:
        raise UsageError("There is no such button.", fix="Open the page again.")
    await action.write(partial(act, run_id=run_id, by=action.by, reason=action.reason, now=action.now))
    return back_to(HOME, "correction" if word == "ignore" else "revoked")


@router.post(f"{HOME}/trust")
async def trust(action: Acting) -> Response:
    """Say whether consumers may see a source's prices, and whether its UPCs are believed."""
    act = partial(
        overlays.trust,
        source_id=action.field("source"),
        visible=action.field("visible") == "yes",
        upc_trusted=action.field("upc_trusted") == "yes",
    )
    await action.write(partial(act, by=action.by, reason=action.reason, now=action.now))
    return back_to(HOME, "trusted")


def _correction(action: Action) -> Correction:
    word, scope, factor = action.field("action"), action.field("scope"), action.field("factor")
    if word not in {"IGNORE", "MULTIPLIER"} or scope not in get_args(Scope) or not action.field("scope_id"):
        raise UsageError("Say what is to be corrected, and how.", fix="Fill in action, scope and which one.")
    if (word == "MULTIPLIER") != bool(factor):
        raise UsageError("MULTIPLIER needs a factor, and IGNORE takes none.", fix="Go back and mend it.")
    return Correction(
        action=cast("overlays.Action", word),
        scope=cast("Scope", scope),
        scope_id=action.field("scope_id"),
        starts_at=_moment(action.field("starts")) or _EVER,
        ends_at=_moment(action.field("ends")),
        reason=action.reason,
        factor_millionths=overlays.factor_from(factor) if factor else None,
    )


def _moment(text: str) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text[:40]!r} is no moment.", fix="Write it like 2026-01-31T12:00.") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
