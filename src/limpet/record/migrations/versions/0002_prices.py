"""The price monitor's tables: products, their identifiers, prices and what was set aside."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.types import Json, RowId, UtcTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = ("source_products", "source_product_identifiers", "prices", "quarantined_records")


def upgrade() -> None:
    _products()
    _identifiers()
    _prices()
    _quarantine()


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)


def _products() -> None:
    op.create_table(
        "source_products",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("identity_key", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("brand", sa.Text(), nullable=True),
        sa.Column("retailer_sku", sa.Text(), nullable=True),
        sa.Column("retailer_product_id", sa.Text(), nullable=True),
        sa.Column("upc", sa.Text(), nullable=True),
        sa.Column("image_url", sa.Text(), nullable=True),
        sa.Column("attributes", Json, nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["source_id"], ["sources.id"], name=op.f("fk_source_products_source_id_sources")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_source_products")),
        sa.UniqueConstraint(
            "source_id", "identity_key", name=op.f("uq_source_products_source_id_identity_key")
        ),
    )


def _identifiers() -> None:
    op.create_table(
        "source_product_identifiers",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("identity_key", sa.Text(), nullable=False),
        sa.Column("id_type", sa.Text(), nullable=False),
        sa.Column("id_value", sa.Text(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_source_product_identifiers")),
        sa.UniqueConstraint(
            "source_id",
            "identity_key",
            "id_type",
            "id_value",
            name=op.f("uq_source_product_identifiers_source_id_identity_key_id_type_id_value"),
        ),
    )
    op.create_index(
        "ix_source_product_identifiers_value",
        "source_product_identifiers",
        ["id_type", "id_value"],
        unique=False,
    )


def _prices() -> None:
    op.create_table(
        "prices",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("job_id", RowId, nullable=False),
        sa.Column("ingestion_run_type", sa.Text(), nullable=False),
        sa.Column("ingestion_run_id", RowId, nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("identity_key", sa.Text(), nullable=False),
        sa.Column("price_cents", sa.Integer(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("availability", sa.Text(), nullable=False),
        sa.Column("in_stock", sa.Boolean(), nullable=False),
        sa.Column("shipping_cents", sa.Integer(), nullable=True),
        sa.Column("tiers", Json, nullable=True),
        sa.Column("observed_at", UtcTime(), nullable=False),
        sa.Column("adapter_version", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_prices_job_id_jobs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prices")),
        sa.UniqueConstraint("job_id", "identity_key", name=op.f("uq_prices_job_id_identity_key")),
    )
    op.create_index("ix_prices_history", "prices", ["source_id", "identity_key", "observed_at"], unique=False)
    op.create_index("ix_prices_run", "prices", ["ingestion_run_id"], unique=False)


def _quarantine() -> None:
    op.create_table(
        "quarantined_records",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("job_id", RowId, nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("identity_key", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=True),
        sa.Column("record", Json, nullable=True),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_quarantined_records_job_id_jobs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quarantined_records")),
        sa.UniqueConstraint("job_id", name=op.f("uq_quarantined_records_job_id")),
    )
    op.create_index(
        "ix_quarantined_records_open", "quarantined_records", ["status", "created_at"], unique=False
    )
