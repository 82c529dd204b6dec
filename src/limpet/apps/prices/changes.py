"""What is news to a buyer: prices that fell, and products that are back in stock. What is hidden is no news."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select

from limpet.apps.prices.tables import prices, source_products
from limpet.apps.prices.versions import is_superseded
from limpet.apps.prices.visible import Visibility, is_visible, overlays_of

Kind = Literal["price_drop", "back_in_stock"]
_BEFORE = timedelta(days=30)  # how far back the observation before a change may lie


@dataclass(frozen=True, slots=True)
class Change:
    """One observation that differs from the one before it."""

    source_id: str
    identity_key: str
    title: str
    observed_at: datetime
    currency: str
    price_cents: int
    before_cents: int
    job_id: int
    is_current: bool  # nothing else was observed since

    @property
    def percent(self) -> float:
        """How much cheaper it became, in hundredths of what it was."""
        return 100 * (self.before_cents - self.price_cents) / self.before_cents if self.before_cents else 0.0


def changes(
    connection: Connection,
    kind: Kind,
    *,
    visibility: Visibility,
    since: datetime,
    now: datetime,
    limit: int = 100,
) -> list[Change]:
    """Return what changed since then, newest first."""
    rows = connection.execute(_changes(kind, visibility, since, now).limit(limit)).all()
    overlaid = overlays_of(connection, [each for row in rows for each in (row.id, row.before_id)])
    found = []
    for row in rows:
        over, before = overlaid.get(row.id), overlaid.get(row.before_id)
        if (over and over.is_hidden) or (before and before.is_hidden):
            continue
        change = Change(
            source_id=row.source_id,
            identity_key=row.identity_key,
            title=row.title,
            observed_at=row.observed_at,
            currency=row.currency,
            price_cents=over.price_cents if over else row.price_cents,
            before_cents=before.price_cents if before else row.before_cents,
            job_id=row.job_id,
            is_current=row.next_id is None,
        )
        # A correction may turn what looked like a fall into none.
        if kind == "back_in_stock" or change.price_cents < change.before_cents:
            found.append(change)
    return found


def _changes(kind: Kind, visibility: Visibility, since: datetime, now: datetime) -> Select[Any]:
    in_turn: dict[str, Any] = {
        "partition_by": (prices.c.source_id, prices.c.identity_key),
        "order_by": (prices.c.observed_at, prices.c.id),
    }
    seen = select(
        prices,
        func.lag(prices.c.id).over(**in_turn).label("before_id"),
        func.lag(prices.c.price_cents).over(**in_turn).label("before_cents"),
        func.lag(prices.c.currency).over(**in_turn).label("before_currency"),
        func.lag(prices.c.in_stock).over(**in_turn).label("before_in_stock"),
        func.lead(prices.c.id).over(**in_turn).label("next_id"),
    ).where(prices.c.observed_at >= since - _BEFORE, ~is_superseded(prices))
    if visibility == "consumer":
        seen = seen.where(is_visible(prices, now=now))
    each = seen.subquery()
    return (
        select(each, source_products.c.title)
        .join(
            source_products,
            and_(
                source_products.c.source_id == each.c.source_id,
                source_products.c.identity_key == each.c.identity_key,
            ),
        )
        .where(each.c.observed_at >= since, _differs(kind, each))
        .order_by(each.c.observed_at.desc(), each.c.id.desc())
    )


def _differs(kind: Kind, each: Any) -> ColumnElement[bool]:
    if kind == "back_in_stock":
        return and_(each.c.in_stock.is_(True), each.c.before_in_stock.is_(False))
    return and_(each.c.price_cents < each.c.before_cents, each.c.currency == each.c.before_currency)
