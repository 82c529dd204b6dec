"""What people may read of the overlay: corrections, ignored runs, trust, and what a correction would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from limpet.apps.prices.correction_scope import check_scope
from limpet.apps.prices.market_tables import ignored_runs, price_corrections, source_trust_config
from limpet.apps.prices.overlays import Correction, correct
from limpet.apps.prices.visible import VisiblePrice, current_visible_prices

_MOST_PRICES = 100_000
_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Difference:
    """One product whose current price a correction would change; None means that nothing of it is seen any more."""

    source_id: str
    identity_key: str
    title: str
    currency: str
    before_cents: int | None
    after_cents: int | None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a correction would change among today's prices."""

    changed: int
    hidden: int
    examples: Sequence[Difference]


def list_trust(connection: Connection) -> dict[str, Mapping[str, Any]]:
    """Return what consumers may see, by source; a source nobody spoke about is not named, and hidden."""
    rows = connection.execute(select(source_trust_config))
    return {row.source_id: dict(row._mapping) for row in rows}


def list_corrections(connection: Connection, *, limit: int = 200) -> list[Mapping[str, Any]]:
    """Return corrections, newest first, also those that were revoked."""
    question = select(price_corrections).order_by(price_corrections.c.id.desc()).limit(limit)
    return [dict(row._mapping) for row in connection.execute(question)]


def list_ignored_runs(connection: Connection, *, limit: int = 200) -> list[Mapping[str, Any]]:
    """Return ignored runs, newest first, also those heeded again."""
    question = select(ignored_runs).order_by(ignored_runs.c.id.desc()).limit(limit)
    return [dict(row._mapping) for row in connection.execute(question)]


def effect_of(connection: Connection, correction: Correction, *, now: datetime) -> Effect:
    """Return what the correction would change: it is laid over the prices, looked at, and taken back at once."""
    check_scope(connection, correction.scope, correction.scope_id)
    before = _current(connection, now)
    trial = connection.begin_nested()
    try:
        correct(connection, correction, by="preview", now=now)
        after = _current(connection, now)
    finally:
        trial.rollback()
    found = [_difference(before.get(key), after.get(key)) for key in sorted({*before, *after})]
    differences = [each for each in found if each.before_cents != each.after_cents]
    hidden = sum(each.after_cents is None for each in differences)
    return Effect(len(differences), hidden, differences[:_SHOWN])


def _current(connection: Connection, now: datetime) -> dict[tuple[str, str], VisiblePrice]:
    found = current_visible_prices(connection, visibility="operator", now=now, limit=_MOST_PRICES)
    return {(price.source_id, price.identity_key): price for price in found}


def _difference(before: VisiblePrice | None, after: VisiblePrice | None) -> Difference:
    known = before or after
    assert known is not None
    return Difference(
        source_id=known.source_id,
        identity_key=known.identity_key,
        title=known.title,
        currency=known.currency,
        before_cents=before.price_cents if before else None,
        after_cents=after.price_cents if after else None,
    )
