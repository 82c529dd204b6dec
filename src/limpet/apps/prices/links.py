"""The canonical product behind what a shop sells, how it was recognised, and who else sells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from limpet.apps.prices.market_tables import product_links, products
from limpet.apps.prices.tables import source_products


@dataclass(frozen=True, slots=True)
class Canonical:
    """A link with its evidence; without a product a person has to look."""

    status: str
    method: str | None
    evidence: Mapping[str, Any]
    product_id: int | None = None
    title: str = ""
    elsewhere: Sequence[tuple[str, str, str]] = ()  # source, identity and title of the same product at others


def canonical_of(connection: Connection, source_product_id: int) -> Canonical | None:
    """Return how this source product is linked; None when nobody has looked at it yet."""
    question = (
        select(product_links, products.c.title)
        .outerjoin(products, products.c.id == product_links.c.product_id)
        .where(product_links.c.source_product_id == source_product_id)
    )
    row = connection.execute(question).one_or_none()
    if row is None:
        return None
    if row.product_id is None:
        return Canonical(row.status, row.method, row.evidence)
    others = (
        select(source_products.c.source_id, source_products.c.identity_key, source_products.c.title)
        .join(product_links, product_links.c.source_product_id == source_products.c.id)
        .where(product_links.c.product_id == row.product_id, source_products.c.id != source_product_id)
        .order_by(source_products.c.source_id)
        .limit(50)
    )
    elsewhere = [(each[0], each[1], each[2]) for each in connection.execute(others)]
    return Canonical(row.status, row.method, row.evidence, row.product_id, row.title, elsewhere)
