"""Links what shops sell to canonical products, with the evidence; in doubt a person decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, insert, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from limpet.apps.prices.fingerprint import fingerprint_of, valid_upc
from limpet.apps.prices.market_tables import product_links, products, source_trust_config
from limpet.apps.prices.tables import source_products
from limpet.record.bulk import is_sqlite

_BATCH = 500


@dataclass(frozen=True, slots=True)
class Resolution:
    """What became of one source product."""

    source_product_id: int
    product_id: int | None
    method: str
    evidence: dict[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> str:
        return "linked" if self.product_id is not None else "needs_review"


def resolve_new(connection: Connection, *, now: datetime, limit: int = _BATCH) -> int:
    """Resolve source products nobody has looked at since they last changed; return how many.

    What a person decided stays, whatever the page says later.
    """
    rows = connection.execute(_waiting(limit)).all()
    for row in rows:
        _keep(connection, _resolve(connection, row, now=now), now=now)
    return len(rows)


def link_by_hand(
    connection: Connection, source_product_id: int, product_id: int, *, by: str, now: datetime
) -> None:
    """Link as a person decided."""
    resolution = Resolution(source_product_id, product_id, "manual", {"decided_by": by})
    _keep(connection, resolution, now=now)


def _waiting(limit: int) -> Select[Any]:
    is_new = product_links.c.source_product_id.is_(None)
    has_changed = (product_links.c.resolved_at < source_products.c.updated_at) & (
        product_links.c.method != "manual"
    )
    return (
        select(source_products, source_trust_config.c.upc_trusted)
        .outerjoin(product_links, product_links.c.source_product_id == source_products.c.id)
        .outerjoin(source_trust_config, source_trust_config.c.source_id == source_products.c.source_id)
        .where(or_(is_new, has_changed))
        .order_by(source_products.c.id)
        .limit(limit)
    )


def _resolve(connection: Connection, row: Row[Any], *, now: datetime) -> Resolution:
    upc = valid_upc(row.upc)
    if upc is not None and row.upc_trusted:
        product_id = _product_for(connection, "upc", upc, row, now=now)
        return Resolution(row.id, product_id, "upc", {"upc": upc})
    fingerprint = fingerprint_of(row.brand, row.attributes or {})
    evidence = {"upc": row.upc, "upc_trusted": bool(row.upc_trusted), "fingerprint": fingerprint}
    if fingerprint is not None:
        product_id = _product_for(connection, "fingerprint", fingerprint, row, now=now)
        return Resolution(row.id, product_id, "fingerprint", evidence)
    return Resolution(row.id, None, "none", evidence)


def _product_for(connection: Connection, column: str, value: str, row: Row[Any], *, now: datetime) -> int:
    key = products.c[column]
    found = connection.execute(select(products.c.id).where(key == value)).scalar_one_or_none()
    if found is not None:
        return int(found)
    made = connection.execute(
        insert(products)
        .values(
            {
                column: value,
                "title": row.title,
                "brand": row.brand,
                "attributes": row.attributes,
                "created_at": now,
            }
        )
        .returning(products.c.id)
    )
    return int(made.scalar_one())


def _keep(connection: Connection, resolution: Resolution, *, now: datetime) -> None:
    values = {
        "source_product_id": resolution.source_product_id,
        "product_id": resolution.product_id,
        "method": resolution.method,
        "status": resolution.status,
        "evidence": resolution.evidence,
        "resolved_at": now,
    }
    dialect = sqlite if is_sqlite(connection) else postgresql
    statement = dialect.insert(product_links).values(values)
    changed = {name: value for name, value in values.items() if name != "source_product_id"}
    connection.execute(
        statement.on_conflict_do_update(index_elements=[product_links.c.source_product_id], set_=changed)
    )
