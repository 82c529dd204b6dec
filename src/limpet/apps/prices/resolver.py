"""Links what shops sell to canonical products, with the evidence; in doubt a person decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct, field
from sqlalchemy import Connection, Row, Select, or_, select

from limpet.apps.prices.fingerprint import fingerprint_of, valid_upc
from limpet.apps.prices.market_tables import product_links, products, source_trust_config
from limpet.apps.prices.tables import source_products
from limpet.record.bulk import BulkInsert, among, as_list, moment_writer, rows_of
from limpet.record.database import json_text

_BATCH = 1_000
# A product that is seen every minute need not be recognised anew every minute.
_LOOK_AGAIN_AFTER = timedelta(days=1)

_PRODUCTS = BulkInsert(
    "products", ("upc", "fingerprint", "title", "brand", "attributes", "created_at"), skip_known=True
)
_LINKS = BulkInsert(
    "product_links",
    ("source_product_id", "product_id", "method", "status", "evidence", "resolved_at"),
    on_conflict="ON CONFLICT (source_product_id) DO UPDATE SET "
    + ", ".join(
        f"{name} = excluded.{name}" for name in ("product_id", "method", "status", "evidence", "resolved_at")
    ),
)


class Recognition(Struct, frozen=True):
    """By what a source product can be recognised: `column` of the canonical products, or nothing."""

    row: Row[Any]
    column: str | None
    value: str | None
    evidence: dict[str, Any] = field(default_factory=dict)


def resolve_new(connection: Connection, *, now: datetime, limit: int = _BATCH) -> int:
    """Resolve source products that are new, or changed since they were looked at a day ago; return how many.

    What a person decided stays, whatever the page says later.
    """
    rows = connection.execute(_waiting(now, limit)).all()
    recognised = [_recognise(row) for row in rows]
    known = _canonical(connection, recognised, now=now)
    _link(connection, recognised, known, now=now)
    return len(rows)


def link_by_hand(
    connection: Connection, source_product_id: int, product_id: int, *, by: str, now: datetime
) -> None:
    """Link as a person decided."""
    evidence = json_text({"decided_by": by})
    at = moment_writer(connection)(now)
    _LINKS.run(connection, [(source_product_id, product_id, "manual", "linked", evidence, at)])


def _waiting(now: datetime, limit: int) -> Select[Any]:
    link = product_links.c
    has_changed = (
        (link.resolved_at < now - _LOOK_AGAIN_AFTER)
        & (link.resolved_at < source_products.c.updated_at)
        & (link.method != "manual")
    )
    return (
        select(
            source_products.c.id,
            source_products.c.title,
            source_products.c.brand,
            source_products.c.upc,
            source_products.c.attributes,
            source_trust_config.c.upc_trusted,
        )
        .outerjoin(product_links, link.source_product_id == source_products.c.id)
        .outerjoin(source_trust_config, source_trust_config.c.source_id == source_products.c.source_id)
        .where(or_(link.source_product_id.is_(None), has_changed))
        .order_by(source_products.c.id)
        .limit(limit)
    )


def _recognise(row: Row[Any]) -> Recognition:
    upc = valid_upc(row.upc)
    if upc is not None and row.upc_trusted:
        return Recognition(row, "upc", upc, {"upc": upc})
    fingerprint = fingerprint_of(row.brand, row.attributes or {})
    evidence = {"upc": row.upc, "upc_trusted": bool(row.upc_trusted), "fingerprint": fingerprint}
    return Recognition(row, "fingerprint" if fingerprint else None, fingerprint, evidence)


def _canonical(
    connection: Connection, recognised: Sequence[Recognition], *, now: datetime
) -> Mapping[tuple[str, str], int]:
    """Return the canonical product behind every key, making those that are not there yet."""
    wanted = {(each.column, each.value): each for each in recognised if each.column and each.value}
    at = moment_writer(connection)(now)
    _PRODUCTS.run(connection, [_product_row(each, at) for each in wanted.values()])
    found: dict[tuple[str, str], int] = {}
    for column in ("upc", "fingerprint"):
        values = [value for key, value in wanted if key == column]
        if values:
            where = among(connection, column, of="text")
            sql = f"SELECT {column}, id FROM {products.name} WHERE {where}"
            for value, number in rows_of(connection, sql, (as_list(connection, values),)):
                found[column, value] = number
    return found


def _product_row(each: Recognition, at: Any) -> tuple[Any, ...]:
    row = each.row
    upc = each.value if each.column == "upc" else None
    fingerprint = each.value if each.column == "fingerprint" else None
    attributes = json_text(row.attributes) if row.attributes else None
    return (upc, fingerprint, row.title, row.brand, attributes, at)


def _link(
    connection: Connection,
    recognised: Sequence[Recognition],
    known: Mapping[tuple[str, str], int],
    *,
    now: datetime,
) -> None:
    at = moment_writer(connection)(now)
    rows = []
    for each in recognised:
        product_id = known.get((each.column or "", each.value or ""))
        status = "linked" if product_id is not None else "needs_review"
        method = each.column or "none"
        rows.append((each.row.id, product_id, method, status, json_text(each.evidence), at))
    _LINKS.run(connection, rows)
