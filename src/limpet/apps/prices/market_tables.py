"""What lies over the observed prices: canonical products, whom we trust, and corrections. Prices themselves stay."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Table,
    Text,
    UniqueConstraint,
)

from limpet.record.tables import metadata
from limpet.record.types import Json, RowId, UtcTime

products = Table(
    "products",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("upc", Text, unique=True),
    Column("fingerprint", Text, unique=True),
    Column("title", Text, nullable=False),
    Column("brand", Text),
    Column("attributes", Json),
    Column("created_at", UtcTime, nullable=False),
    CheckConstraint("upc IS NOT NULL OR fingerprint IS NOT NULL", name="is_recognisable"),
)

product_links = Table(
    "product_links",
    metadata,
    Column("source_product_id", RowId, ForeignKey("source_products.id"), primary_key=True),
    Column("product_id", RowId, ForeignKey("products.id")),  # none while a person has to look
    Column(
        "method", Text, CheckConstraint("method IN ('upc', 'fingerprint', 'manual', 'none')", name="method")
    ),
    Column(
        "status", Text, CheckConstraint("status IN ('linked', 'needs_review')", name="status"), nullable=False
    ),
    Column("evidence", Json, nullable=False),
    Column("resolved_at", UtcTime, nullable=False),
    Index("ix_product_links_product", "product_id"),
    Index("ix_product_links_status", "status"),
)

source_trust_config = Table(
    "source_trust_config",
    metadata,
    Column("source_id", Text, ForeignKey("sources.id"), primary_key=True),
    Column(
        "visibility_status",
        Text,
        CheckConstraint("visibility_status IN ('INELIGIBLE', 'ELIGIBLE')", name="visibility_status"),
        nullable=False,
    ),
    Column("upc_trusted", Boolean, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

price_corrections = Table(
    "price_corrections",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column(
        "action", Text, CheckConstraint("action IN ('IGNORE', 'MULTIPLIER')", name="action"), nullable=False
    ),
    Column("factor_millionths", BigInteger),  # whole numbers: 0.01 is 10000
    Column(
        "scope",
        Text,
        CheckConstraint("scope IN ('source', 'source_product', 'product', 'run')", name="scope"),
        nullable=False,
    ),
    Column("scope_id", Text, nullable=False),
    Column("starts_at", UtcTime, nullable=False),
    Column("ends_at", UtcTime),  # not included; none means for good
    Column("reason", Text, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("revoked_at", UtcTime),
    Column("revoked_by", Text),
    CheckConstraint("(action = 'MULTIPLIER') = (factor_millionths IS NOT NULL)", name="factor"),
    Index("ix_price_corrections_scope", "scope", "scope_id"),
)

ignored_runs = Table(
    "ignored_runs",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("run_id", RowId, ForeignKey("runs.id"), nullable=False),
    Column("reason", Text, nullable=False),
    Column("ignored_by", Text, nullable=False),
    Column("ignored_at", UtcTime, nullable=False),
    Column("revoked_at", UtcTime),
    Column("revoked_by", Text),
    UniqueConstraint("run_id", "ignored_at"),
)
