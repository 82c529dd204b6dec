"""Prices: the latest offers, and the history of one product."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from limpet.apps.prices.changes import Kind, changes
from limpet.apps.prices.links import canonical_of
from limpet.apps.prices.overlay_views import list_trust
from limpet.apps.prices.views import count_products, latest_offers, price_history
from limpet.errors import NotThere
from limpet.web.asking import After, Search
from limpet.web.chart import draw
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

_OFFERS_A_PAGE = 60
_POINTS_LISTED = 60
Days = Annotated[int, Query(ge=1, le=365)]


@router.get("/prices")
async def prices(
    request: Request, house: TheHouse, after: After = 0, source: Search = None, search: Search = None
) -> Response:
    """List products with their newest price."""
    look = partial(latest_offers, visibility="operator", now=house.clock.now(), source_id=source or None)
    offers = await house.ledger.read(
        partial(look, search=search or None, after=after, limit=_OFFERS_A_PAGE + 1)
    )
    context = {
        "offers": offers[:_OFFERS_A_PAGE],
        "has_more": len(offers) > _OFFERS_A_PAGE,
        "products": await house.ledger.read(count_products),
        "sources": house.catalogue.list(app="prices"),
        "trust": await house.ledger.read(list_trust),
        "after": after,
        "source": source or "",
        "search": search or "",
    }
    return render(request, "prices.html", context)


@router.get("/prices/changes")
async def news(request: Request, house: TheHouse, kind: Kind = "price_drop", days: Days = 7) -> Response:
    """List prices that fell, or products that are back in stock."""
    now = house.clock.now()
    look = partial(changes, kind=kind, visibility="operator", since=now - timedelta(days=days), now=now)
    context = {"changes": await house.ledger.read(look), "kind": kind, "days": days}
    return render(request, "changes.html", context)


@router.get("/prices/{source_id}/{identity:path}")
async def history(request: Request, house: TheHouse, source_id: str, identity: str) -> Response:
    """Show how one product's price went."""
    look = partial(price_history, source_id=source_id, identity_key=identity, visibility="operator")
    product = await house.ledger.read(partial(look, now=house.clock.now()))
    if product is None:
        raise NotThere(
            "No price of this product was ever recorded.", fix="The list of prices shows all there are."
        )
    context = {
        "product": product,
        "chart": draw(product.points),
        "listed": list(reversed(product.points))[:_POINTS_LISTED],
        "prices_seen": {point.price_cents for point in product.points},
        "canonical": await house.ledger.read(
            partial(canonical_of, source_product_id=product.source_product_id)
        ),
        "trust": (await house.ledger.read(list_trust)).get(source_id),
    }
    return render(request, "price.html", context)
