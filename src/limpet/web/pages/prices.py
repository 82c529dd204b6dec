"""Prices: the latest offers, and the history of one product."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from limpet.apps.prices.views import count_products, latest_offers, price_history
from limpet.errors import NotThere
from limpet.web.asking import After, Search
from limpet.web.chart import draw
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

_OFFERS_A_PAGE = 60
_POINTS_LISTED = 60


@router.get("/prices")
async def prices(
    request: Request, house: TheHouse, after: After = 0, source: Search = None, search: Search = None
) -> Response:
    """List products with their newest price."""
    look = partial(
        latest_offers, source_id=source or None, search=search or None, after=after, limit=_OFFERS_A_PAGE + 1
    )
    offers = await house.ledger.read(look)
    context = {
        "offers": offers[:_OFFERS_A_PAGE],
        "has_more": len(offers) > _OFFERS_A_PAGE,
        "products": await house.ledger.read(count_products),
        "sources": house.catalogue.list(app="prices"),
        "after": after,
        "source": source or "",
        "search": search or "",
    }
    return render(request, "prices.html", context)


@router.get("/prices/{source_id}/{identity:path}")
async def history(request: Request, house: TheHouse, source_id: str, identity: str) -> Response:
    """Show how one product's price went."""
    look = partial(price_history, source_id=source_id, identity_key=identity)
    product = await house.ledger.read(look)
    if product is None:
        raise NotThere(
            "No price of this product was ever recorded.", fix="The list of prices shows all there are."
        )
    context = {
        "product": product,
        "chart": draw(product.points),
        "listed": list(reversed(product.points))[:_POINTS_LISTED],
        "prices_seen": {point.price_cents for point in product.points},
    }
    return render(request, "price.html", context)
