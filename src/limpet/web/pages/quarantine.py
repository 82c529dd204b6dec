"""Quarantine: what was read beside the page it was read from, and a person's decision."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from limpet.apps.prices import review
from limpet.apps.prices.review import Correction, count_quarantined, find_quarantined, list_quarantined
from limpet.errors import UsageError
from limpet.extract.parse.stock import Availability
from limpet.web import deeds
from limpet.web.acting import Acting, Action, back_to
from limpet.web.asking import After, RowNumber, Search
from limpet.web.lookout import TheHouse
from limpet.web.pages.evidence import exhibit_for
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

_RECORDS_A_PAGE = 50
Status = Annotated[Literal["open", "accepted", "corrected", "rejected", "superseded"], Query()]


@router.get("/quarantine")
async def quarantine(
    request: Request, house: TheHouse, status: Status = "open", source: Search = None, after: After = 0
) -> Response:
    """List what waits for a person."""
    look = partial(
        list_quarantined, status=status, source_id=source or None, after=after, limit=_RECORDS_A_PAGE + 1
    )
    found = await house.ledger.read(look)
    context = {
        "records": found[:_RECORDS_A_PAGE],
        "has_more": len(found) > _RECORDS_A_PAGE,
        "counts": await house.ledger.read(count_quarantined),
        "statuses": review.STATUSES,
        "status": status,
        "source": source or "",
        "after": after,
    }
    return render(request, "quarantine.html", context)


@router.get("/quarantine/{record_id}")
async def record(request: Request, house: TheHouse, record_id: RowNumber) -> Response:
    """Show what was read beside the page it was read from."""
    found = await house.ledger.read(partial(find_quarantined, record_id=record_id))
    kept, exhibit, damage = await exhibit_for(house, found.job_id)
    context = {
        "record": found,
        "kept": kept,
        "exhibit": exhibit,
        "damage": damage,
        "availabilities": [each.value for each in Availability if each is not Availability.UNKNOWN],
        "audit": await house.ledger.audit_entries(subject=f"quarantined record {record_id}"),
    }
    return render(request, "quarantined.html", context)


@router.post("/quarantine/{record_id}/accept")
async def accept(action: Acting, record_id: RowNumber) -> Response:
    """Believe it as it was read."""
    await deeds.accept_quarantined(action.house, action.caller, record_id, reason=action.reason)
    return back_to(f"/quarantine/{record_id}", "accepted")


@router.post("/quarantine/{record_id}/correct")
async def correct(action: Acting, record_id: RowNumber) -> Response:
    """Write what the page means instead."""
    meant, why = _correction(action), action.reason
    await deeds.accept_quarantined(action.house, action.caller, record_id, reason=why, correction=meant)
    return back_to(f"/quarantine/{record_id}", "corrected")


@router.post("/quarantine/{record_id}/reject")
async def reject(action: Acting, record_id: RowNumber) -> Response:
    """Leave it out for good."""
    decide = partial(review.reject, record_id=record_id, by=action.by, reason=action.reason, now=action.now)
    await action.write(decide)
    return back_to(f"/quarantine/{record_id}", "rejected")


def _correction(action: Action) -> Correction:
    stock, price, currency = (
        action.field("availability"),
        action.field("price"),
        action.field("currency").upper(),
    )
    if stock and stock not in {each.value for each in Availability}:
        raise UsageError("That is no word for stock.", fix="Choose one of the list.")
    if currency and not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
        raise UsageError("A currency is three letters.", fix="Write it like USD.")
    return Correction(
        price_cents=_cents(price) if price else None,
        availability=Availability(stock) if stock else None,
        title=action.field("title")[:500] or None,
        currency=currency or None,
    )


def _cents(text: str) -> int:
    """Return an amount as a person writes it, in whole cents."""
    plain = text.replace(",", "").lstrip("$€£ ")
    whole, point, rest = plain.partition(".")
    if not (whole.isascii() and whole.isdecimal()) or (point and not (rest.isdecimal() and len(rest) == 2)):
        raise UsageError(
            f"{text[:30]!r} is no price.", fix="Write it like 19.99, with a point before the cents."
        )
    return int(whole) * 100 + int(rest or 0)
