"""What the price monitor remembers. Prices are only ever appended."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from limpet.record.tables import metadata
from limpet.record.types import Json, RowId, UtcTime

source_products = Table(
    "source_products",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("source_id", Text, ForeignKey("sources.id"), nullable=False),
    Column("identity_key", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("brand", Text),
    Column("retailer_sku", Text),
    Column("retailer_product_id", Text),
    Column("upc", Text),
    Column("image_url", Text),
    Column("attributes", Json),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    UniqueConstraint("source_id", "identity_key"),
)

source_product_identifiers = Table(
    "source_product_identifiers",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("source_id", Text, nullable=False),
    Column("identity_key", Text, nullable=False),
    Column("id_type", Text, nullable=False),  # UPC, SKU, PID
    Column("id_value", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    UniqueConstraint("source_id", "identity_key", "id_type", "id_value"),
    Index("ix_source_product_identifiers_value", "id_type", "id_value"),
)

prices = Table(
    "prices",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("job_id", RowId, ForeignKey("jobs.id"), nullable=False),
    Column("ingestion_run_type", Text, nullable=False),
    Column("ingestion_run_id", RowId, nullable=False),
    Column("source_id", Text, nullable=False),
    Column("identity_key", Text, nullable=False),
    Column("price_cents", Integer, nullable=False),
    Column("currency", Text, nullable=False),
    Column("availability", Text, nullable=False),
    Column("in_stock", Boolean, nullable=False),
    Column("shipping_cents", Integer),
    Column("tiers", Json),
    Column("observed_at", UtcTime, nullable=False),
    Column("adapter_version", Text, nullable=False),
    Column("rereads", RowId),  # the job that observed it, when `job_id` only read its page again
    UniqueConstraint("job_id", "identity_key"),
    Index("ix_prices_history", "source_id", "identity_key", "observed_at"),
    Index("ix_prices_run", "ingestion_run_id"),
)

quarantined_records = Table(
    "quarantined_records",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("job_id", RowId, ForeignKey("jobs.id"), nullable=False, unique=True),
    Column("source_id", Text, nullable=False),
    Column("identity_key", Text),
    Column("reason", Text, nullable=False),
    Column("details", Text),
    Column("record", Json),
    Column("url", Text, nullable=False),
    Column("status", Text, nullable=False),  # open, accepted, corrected, rejected, superseded
    Column("created_at", UtcTime, nullable=False),
    Index("ix_quarantined_records_open", "status", "created_at"),
)
