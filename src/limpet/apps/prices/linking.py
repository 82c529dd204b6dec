"""Products nobody could recognise by UPC or fingerprint: shown to a person, and linked as they decide."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from limpet.apps.prices.market_tables import product_links, products
from limpet.apps.prices.resolver import link_by_hand
from limpet.apps.prices.tables import source_products
from limpet.errors import NotThere
from limpet.record.logbook import audit


def waiting_for_review(connection: Connection, *, limit: int) -> list[dict[str, Any]]:
    """Return source products without a canonical one, oldest first, each with what was known of it."""
    question = (
        select(
            source_products.c.id,
            source_products.c.source_id,
            source_products.c.identity_key,
            source_products.c.title,
            source_products.c.brand,
            product_links.c.evidence,
            product_links.c.resolved_at,
        )
        .join(product_links, product_links.c.source_product_id == source_products.c.id)
        .where(product_links.c.status == "needs_review")
        .order_by(source_products.c.id)
        .limit(limit)
    )
    return [dict(row._mapping) for row in connection.execute(question)]


def link(
    connection: Connection, source_product_id: int, product_id: int, *, by: str, reason: str, now: datetime
) -> None:
    """Link a source product to a canonical one, whatever the pages say later; raise NotThere when either is unknown."""
    known = select(source_products.c.id).where(source_products.c.id == source_product_id)
    if connection.execute(known).first() is None:
        raise NotThere(
            f"There is no source product {source_product_id}.", fix="`limpet prices review` lists them."
        )
    if connection.execute(select(products.c.id).where(products.c.id == product_id)).first() is None:
        raise NotThere(
            f"There is no product {product_id}.", fix="`limpet prices current --json` shows product numbers."
        )
    before = connection.execute(
        select(product_links.c.product_id).where(product_links.c.source_product_id == source_product_id)
    ).scalar()
    link_by_hand(connection, source_product_id, product_id, by=by, now=now)
    audit(
        connection,
        by,
        "link_product",
        subject=f"source product {source_product_id}",
        now=now,
        reason=reason,
        details={"product_id": product_id, "before": before},
    )
