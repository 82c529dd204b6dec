"""What people may read of prices: the latest offers, and how one product's price went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, func, or_, select
from sqlalchemy.sql.elements import KeyedColumnElement

from limpet.apps.prices.tables import prices, source_products
from limpet.apps.prices.versions import is_superseded
from limpet.apps.prices.visible import Overlaid, Visibility, is_visible, overlays_of
from limpet.record.storable import storable

_POINT_COLUMNS = (
    "observed_at",
    "price_cents",
    "currency",
    "availability",
    "in_stock",
    "run_id",
    "job_id",
    "adapter_version",
    "price_id",
    "shipping_cents",
    "tiers",
    "rereads",
)


@dataclass(frozen=True, slots=True)
class PricePoint:
    """One observation."""

    observed_at: datetime
    price_cents: int
    currency: str
    availability: str
    in_stock: bool
    run_id: int
    job_id: int
    adapter_version: str
    price_id: int = 0
    shipping_cents: int | None = None
    tiers: Sequence[Mapping[str, int]] = ()
    corrected_cents: int | None = None  # what corrections make of it, where any lie over it
    rereads: int | None = None  # the job that saw it, when `job_id` read its page again later
    is_hidden: bool = False  # ignored, by itself or with its run: no consumer sees it

    @property
    def cents(self) -> int:
        """What it is taken to cost, corrections included."""
        return self.price_cents if self.corrected_cents is None else self.corrected_cents


@dataclass(frozen=True, slots=True)
class LatestOffer:
    """A product with its newest price, and the different one it had before, if it ever had one."""

    product_id: int
    source_id: str
    identity_key: str
    title: str
    url: str
    brand: str | None
    latest: PricePoint
    previous_cents: int | None = None

    @property
    def change_cents(self) -> int | None:
        """How much the last change was; negative when it became cheaper."""
        return None if self.previous_cents is None else self.latest.cents - self.previous_cents


@dataclass(frozen=True, slots=True)
class PriceHistory:
    """A product and its observations, oldest first; `is_cut` when older ones were left out."""

    source_id: str
    identity_key: str
    title: str
    url: str
    brand: str | None
    attributes: Mapping[str, Any]
    identifiers: Mapping[str, str | None]
    points: Sequence[PricePoint]
    is_cut: bool = False
    source_product_id: int = 0
    image_url: str | None = None


def latest_offers(
    connection: Connection,
    *,
    visibility: Visibility,
    now: datetime,
    source_id: str | None = None,
    search: str | None = None,
    after: int = 0,
    limit: int = 50,
) -> list[LatestOffer]:
    """Return a page of products with their newest price; `after` is the product id it starts above.

    A consumer is shown the newest visible price of the last week, or nothing; an operator the newest of all.
    """
    newest = _newest_price_id(visibility, now)
    question = (
        select(source_products, *_point_columns(), _previous_cents(visibility, now))
        .join_from(source_products, prices, prices.c.id == newest)
        .where(source_products.c.id > after)
        .order_by(source_products.c.id)
        .limit(limit)
    )
    if source_id is not None:
        question = question.where(source_products.c.source_id == storable(source_id))
    if search:
        question = question.where(_mentions(search))
    offers = [_offer_of(row) for row in connection.execute(question)]
    overlaid = overlays_of(connection, [offer.latest.price_id for offer in offers])
    return [replace(offer, latest=_under(offer.latest, overlaid)) for offer in offers]


def count_products(connection: Connection) -> int:
    """Return how many products have ever been recorded."""
    return connection.execute(select(func.count()).select_from(source_products)).scalar_one()


def price_history(
    connection: Connection,
    source_id: str,
    identity_key: str,
    *,
    visibility: Visibility,
    now: datetime,
    limit: int = 1_000,
) -> PriceHistory | None:
    """Return the product with its newest observations, oldest first; None when there is nothing to be seen of it."""
    source_id, identity_key = storable(source_id), storable(identity_key)
    product = connection.execute(
        select(source_products).where(
            source_products.c.source_id == source_id, source_products.c.identity_key == identity_key
        )
    ).one_or_none()
    if product is None:
        return None
    question = _observations(source_id, identity_key)
    if visibility == "consumer":
        question = question.where(is_visible(prices, now=now))
    newest_first = connection.execute(question.limit(limit + 1)).all()
    if visibility == "consumer" and not newest_first:
        return None
    observed = [_point_of(row) for row in newest_first[:limit]]
    overlaid = overlays_of(connection, [point.price_id for point in observed])
    points = [_under(point, overlaid) for point in observed]
    return PriceHistory(
        source_id=product.source_id,
        identity_key=product.identity_key,
        title=product.title,
        url=product.url,
        brand=product.brand,
        attributes=product.attributes or {},
        identifiers={
            "sku": product.retailer_sku,
            "product id": product.retailer_product_id,
            "upc": product.upc,
        },
        points=points[::-1],
        is_cut=len(newest_first) > limit,
        source_product_id=product.id,
        image_url=product.image_url,
    )


def _under(point: PricePoint, overlaid: Mapping[int, Overlaid]) -> PricePoint:
    """Return the observation with what lies over it."""
    over = overlaid.get(point.price_id)
    if over is None:
        return point
    corrected = over.price_cents if over.price_cents != point.price_cents else None
    return replace(point, corrected_cents=corrected, is_hidden=over.is_hidden)


def _observations(source_id: str, identity_key: str) -> Select[Any]:
    return (
        select(*_point_columns())
        .where(prices.c.source_id == source_id, prices.c.identity_key == identity_key, ~is_superseded(prices))
        .order_by(prices.c.observed_at.desc(), prices.c.id.desc())
    )


def _point_columns() -> list[KeyedColumnElement[Any]]:
    return [
        prices.c.observed_at,
        prices.c.price_cents,
        prices.c.currency,
        prices.c.availability,
        prices.c.in_stock,
        prices.c.ingestion_run_id.label("run_id"),
        prices.c.job_id,
        prices.c.adapter_version,
        prices.c.id.label("price_id"),
        prices.c.shipping_cents,
        prices.c.tiers,
        prices.c.rereads,
    ]


def _newest_price_id(visibility: Visibility, now: datetime) -> Any:
    older = prices.alias("newest")
    may_be_seen = [is_visible(older, now=now)] if visibility == "consumer" else []
    return (
        select(older.c.id)
        .where(_same_product(older), ~is_superseded(older), *may_be_seen)
        .order_by(older.c.observed_at.desc(), older.c.id.desc())
        .limit(1)
        .correlate(source_products)
        .scalar_subquery()
    )


def _previous_cents(visibility: Visibility, now: datetime) -> Any:
    """The newest price that was a different one, in the same currency."""
    older = prices.alias("older")
    may_be_seen = [is_visible(older, now=now)] if visibility == "consumer" else []
    return (
        select(older.c.price_cents)
        .where(
            _same_product(older),
            older.c.currency == prices.c.currency,
            older.c.price_cents != prices.c.price_cents,
            ~is_superseded(older),
            *may_be_seen,
        )
        .order_by(older.c.observed_at.desc())
        .limit(1)
        .correlate(source_products, prices)
        .scalar_subquery()
        .label("previous_cents")
    )


def _same_product(other: Any) -> ColumnElement[bool]:
    return and_(
        other.c.source_id == source_products.c.source_id,
        other.c.identity_key == source_products.c.identity_key,
    )


def _mentions(search: str) -> ColumnElement[bool]:
    """Whether the text stands in title, brand or identity; its wildcards are plain characters."""
    columns = (source_products.c.title, source_products.c.brand, source_products.c.identity_key)
    return or_(*(column.icontains(storable(search), autoescape=True) for column in columns))


def _point_of(row: Row[Any]) -> PricePoint:
    read = {name: getattr(row, name) for name in _POINT_COLUMNS}
    return PricePoint(**(read | {"tiers": row.tiers or ()}))


def _offer_of(row: Row[Any]) -> LatestOffer:
    return LatestOffer(
        product_id=row.id,
        source_id=row.source_id,
        identity_key=row.identity_key,
        title=row.title,
        url=row.url,
        brand=row.brand,
        latest=_point_of(row),
        previous_cents=row.previous_cents,
    )
