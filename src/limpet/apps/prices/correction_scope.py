"""What a correction names must be there: one of nothing would correct nothing, and nobody would notice."""

from __future__ import annotations

from difflib import get_close_matches

from sqlalchemy import ColumnElement, Connection, select

from limpet.apps.prices.market_tables import products
from limpet.apps.prices.tables import source_products
from limpet.errors import UsageError
from limpet.record.tables import runs, sources

_APP = "prices"
_MOST_DIGITS = 18  # of a number every database can hold


def check_scope(connection: Connection, scope: str, scope_id: str) -> None:
    """Raise UsageError when there is no such source, product, source product or run."""
    if scope == "source":
        check_source(connection, scope_id)
    elif scope == "source_product":
        _check_source_product(connection, scope_id)
    elif scope == "product":
        _check_number(connection, scope_id, "product", products.c.id)
    else:
        _check_number(connection, scope_id, "run", runs.c.id, runs.c.app == _APP)


def check_source(connection: Connection, source_id: str) -> None:
    """Raise UsageError naming the likely source when this is none of prices."""
    question = select(sources.c.id).where(sources.c.app == _APP).order_by(sources.c.id)
    known = list(connection.execute(question).scalars())
    if source_id not in known:
        near = get_close_matches(source_id, known, n=1)
        fix = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known[:8]) or 'none yet'}."
        raise UsageError(f"There is no source {source_id[:80]!r} in the ledger.", fix=fix)


def _check_source_product(connection: Connection, scope_id: str) -> None:
    source_id, _, identity = scope_id.partition(" ")
    if not identity:
        raise UsageError(
            f"{scope_id[:80]!r} names no product of a source.",
            fix="Write the source, a space and the identity, such as 'shop PID:12'.",
        )
    check_source(connection, source_id)
    columns = source_products.c
    question = select(columns.id).where(columns.source_id == source_id, columns.identity_key == identity)
    if connection.execute(question).first() is None:
        raise UsageError(
            f"{source_id!r} has no product {identity[:80]!r}.",
            fix="`limpet prices current --json` shows every identity_key.",
        )


def _check_number(
    connection: Connection, text: str, kind: str, column: ColumnElement[int], *also: ColumnElement[bool]
) -> None:
    # The spelling counts: prices are matched by the text, and 007 would match none.
    is_number = text.isdecimal() and len(text) <= _MOST_DIGITS and str(int(text)) == text
    if not is_number or connection.execute(select(column).where(column == int(text), *also)).first() is None:
        where = "`limpet list` shows the runs" if kind == "run" else "`limpet prices current --json` has ids"
        raise UsageError(f"There is no {kind} {text[:80]!r} in the ledger.", fix=f"{where}.")
