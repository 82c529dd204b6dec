"""What a consumer may see: the newest price of each product that nothing hides. Hidden unless somebody says not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    Text,
    and_,
    case,
    cast,
    func,
    literal,
    or_,
    select,
)

from limpet.apps.prices.market_tables import (
    price_corrections,
    product_links,
    source_trust_config,
)
from limpet.apps.prices.overlays import MILLION
from limpet.apps.prices.tables import prices, source_products
from limpet.apps.prices.versions import is_of_ignored_run, is_superseded, rereading_run
from limpet.record.tables import sources

LOOK_BACK = timedelta(days=7)
_IDS_AT_ONCE = 500
MOST_MULTIPLIERS = 2  # more than two corrections of one price contradict each other: it is hidden

# Every reader says for whom it reads; there is no way to forget it.
Visibility = Literal["consumer", "operator"]


@dataclass(frozen=True, slots=True)
class VisiblePrice:
    """The current price of one product at one source, corrected."""

    source_id: str
    identity_key: str
    title: str
    url: str
    price_cents: int
    observed_cents: int
    currency: str
    availability: str
    in_stock: bool
    observed_at: datetime
    product_id: int | None


def current_visible_prices(
    connection: Connection,
    *,
    visibility: Visibility,
    now: datetime,
    source_id: str | None = None,
    limit: int = 1_000,
) -> list[VisiblePrice]:
    """Return the newest visible price per product of the last seven days; a product without one has none."""
    rows = connection.execute(_current(visibility, now, source_id).limit(limit))
    return [
        VisiblePrice(
            source_id=row.source_id,
            identity_key=row.identity_key,
            title=row.title,
            url=row.url,
            price_cents=_corrected(row.price_cents, row.smallest_factor, row.largest_factor, row.factors),
            observed_cents=row.price_cents,
            currency=row.currency,
            availability=row.availability,
            in_stock=row.in_stock,
            observed_at=row.observed_at,
            product_id=row.product_id,
        )
        for row in rows
    ]


def _corrected(cents: int, smallest: int | None, largest: int | None, factors: int) -> int:
    for factor in (smallest, largest)[:factors]:
        cents = (cents * int(factor or MILLION) + MILLION // 2) // MILLION
    return cents


def _current(visibility: Visibility, now: datetime, source_id: str | None) -> Select[tuple[object, ...]]:
    seen = _visible(visibility, now, source_id).subquery()
    newest = func.row_number().over(
        partition_by=(seen.c.source_id, seen.c.identity_key),
        order_by=(seen.c.observed_at.desc(), seen.c.id.desc()),
    )
    ranked = select(seen, newest.label("place")).subquery()
    return (
        select(ranked)
        .where(ranked.c.place == 1)
        .order_by(ranked.c.source_id, ranked.c.title, ranked.c.identity_key)
    )


def _visible(visibility: Visibility, now: datetime, source_id: str | None) -> Select[tuple[object, ...]]:
    factors = _multipliers().subquery()
    query = (
        select(
            prices,
            source_products.c.title,
            source_products.c.url,
            product_links.c.product_id,
            factors.c.smallest_factor,
            factors.c.largest_factor,
            func.coalesce(factors.c.factors, 0).label("factors"),
        )
        .select_from(prices)
        .join(
            source_products,
            and_(
                source_products.c.source_id == prices.c.source_id,
                source_products.c.identity_key == prices.c.identity_key,
            ),
        )
        .outerjoin(product_links, product_links.c.source_product_id == source_products.c.id)
        .outerjoin(factors, factors.c.price_id == prices.c.id)
        .where(
            prices.c.observed_at >= now - LOOK_BACK,
            prices.c.observed_at <= now,
            ~is_of_ignored_run(prices),
            ~is_superseded(prices),
            ~_is_ignored(prices),
            func.coalesce(factors.c.factors, 0) <= MOST_MULTIPLIERS,
        )
    )
    if source_id is not None:
        query = query.where(prices.c.source_id == source_id)
    return query if visibility == "operator" else query.where(_may_be_shown(prices))


def is_visible(observed: FromClause, *, now: datetime) -> ColumnElement[bool]:
    """Whether a consumer may be shown this row of prices, or of an alias of them."""
    factors = (
        select(func.count())
        .select_from(price_corrections)
        .where(_covers(observed), price_corrections.c.action == "MULTIPLIER")
        .scalar_subquery()
    )
    return and_(
        observed.c.observed_at >= now - LOOK_BACK,
        observed.c.observed_at <= now,
        ~is_of_ignored_run(observed),
        ~is_superseded(observed),
        ~_is_ignored(observed),
        factors <= MOST_MULTIPLIERS,
        _may_be_shown(observed),
    )


@dataclass(frozen=True, slots=True)
class Overlaid:
    """What lies over one observed price: hidden, or worth something else."""

    is_hidden: bool
    price_cents: int


def overlays_of(connection: Connection, price_ids: Sequence[int]) -> dict[int, Overlaid]:
    """Return what corrections and ignored runs make of these prices; those nothing lies over are not named."""
    found: dict[int, Overlaid] = {}
    for start in range(0, len(price_ids), _IDS_AT_ONCE):
        chosen = prices.c.id.in_(price_ids[start : start + _IDS_AT_ONCE])
        factors = _multipliers().where(chosen).subquery()
        hidden = or_(
            is_of_ignored_run(prices),
            _is_ignored(prices),
            func.coalesce(factors.c.factors, 0) > MOST_MULTIPLIERS,
        )
        question = (
            select(prices.c.id, prices.c.price_cents, hidden.label("is_hidden"), factors)
            .outerjoin(factors, factors.c.price_id == prices.c.id)
            .where(chosen, or_(hidden, factors.c.factors > 0))
        )
        for row in connection.execute(question):
            factor_count = min(row.factors or 0, MOST_MULTIPLIERS)
            cents = _corrected(row.price_cents, row.smallest_factor, row.largest_factor, factor_count)
            found[row.id] = Overlaid(bool(row.is_hidden), cents)
    return found


def _may_be_shown(observed: FromClause) -> ColumnElement[bool]:
    """Consumers see a source only when it was made eligible, its terms are approved and it keeps to robots.txt.

    Stopping a source does not hide what was collected while it was allowed.
    """
    eligible = (
        select(sources.c.id)
        .join(source_trust_config, source_trust_config.c.source_id == sources.c.id)
        .where(
            sources.c.id == observed.c.source_id,
            source_trust_config.c.visibility_status == "ELIGIBLE",
            sources.c.robots_compliant.is_(True),
            sources.c.tos_reviewed_at.is_not(None),
            sources.c.tos_approved_by.is_not(None),
        )
    )
    return eligible.exists()


def is_corrected(observed: FromClause) -> ColumnElement[bool]:
    """Whether any correction in force lies over this row of prices."""
    return select(price_corrections.c.id).where(_covers(observed)).exists()


def _is_ignored(observed: FromClause) -> ColumnElement[bool]:
    ignoring = _covers(observed), price_corrections.c.action == "IGNORE"
    return select(price_corrections.c.id).where(*ignoring).exists()


def _covers(observed: FromClause) -> ColumnElement[bool]:
    """Whether a correction in force covers a price: by scope, and by when it was observed (the end not included)."""
    product_of_price = (
        select(cast(product_links.c.product_id, Text))
        .join(source_products, source_products.c.id == product_links.c.source_product_id)
        .where(
            source_products.c.source_id == observed.c.source_id,
            source_products.c.identity_key == observed.c.identity_key,
        )
        .correlate(observed)  # of itself it would not see past the question right above it
        .scalar_subquery()
    )
    subject = case(
        (price_corrections.c.scope == "source", observed.c.source_id),
        (price_corrections.c.scope == "run", cast(observed.c.ingestion_run_id, Text)),
        (
            price_corrections.c.scope == "source_product",
            observed.c.source_id + literal(" ") + observed.c.identity_key,
        ),
        (price_corrections.c.scope == "product", product_of_price),
    )
    of_rereading = and_(
        price_corrections.c.scope == "run",
        observed.c.rereads.is_not(None),
        price_corrections.c.scope_id == cast(rereading_run(observed), Text),
    )
    return and_(
        price_corrections.c.revoked_at.is_(None),
        or_(price_corrections.c.scope_id == subject, of_rereading),
        price_corrections.c.starts_at <= observed.c.observed_at,
        or_(price_corrections.c.ends_at.is_(None), price_corrections.c.ends_at > observed.c.observed_at),
    )


def _multipliers() -> Select[tuple[object, ...]]:
    factor = price_corrections.c.factor_millionths
    return (
        select(
            prices.c.id.label("price_id"),
            func.min(factor).label("smallest_factor"),
            func.max(factor).label("largest_factor"),
            func.count().label("factors"),
        )
        .select_from(prices)
        .join(price_corrections, and_(_covers(prices), price_corrections.c.action == "MULTIPLIER"))
        .group_by(prices.c.id)
    )
