"""What lies over the prices: canonical products and their links, trust in sources, corrections, ignored runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.types import Json, RowId, UtcTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TABLES = ("products", "product_links", "source_trust_config", "price_corrections", "ignored_runs")


def upgrade() -> None:
    _products()
    _trust()
    _corrections()
    _ignored_runs()


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)


def _products() -> None:
    op.create_table(
        "products",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("upc", sa.Text(), nullable=True),
        sa.Column("fingerprint", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("brand", sa.Text(), nullable=True),
        sa.Column("attributes", Json, nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.CheckConstraint(
            "upc IS NOT NULL OR fingerprint IS NOT NULL", name=op.f("ck_products_is_recognisable")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_products")),
        sa.UniqueConstraint("upc", name=op.f("uq_products_upc")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_products_fingerprint")),
    )
    op.create_table(
        "product_links",
        sa.Column("source_product_id", RowId, autoincrement=False, nullable=False),
        sa.Column("product_id", RowId, nullable=True),
        sa.Column("method", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("evidence", Json, nullable=False),
        sa.Column("resolved_at", UtcTime(), nullable=False),
        sa.CheckConstraint(
            "method IN ('upc', 'fingerprint', 'manual', 'none')", name=op.f("ck_product_links_method")
        ),
        sa.CheckConstraint("status IN ('linked', 'needs_review')", name=op.f("ck_product_links_status")),
        sa.ForeignKeyConstraint(
            ["source_product_id"],
            ["source_products.id"],
            name=op.f("fk_product_links_source_product_id_source_products"),
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_product_links_product_id_products")
        ),
        sa.PrimaryKeyConstraint("source_product_id", name=op.f("pk_product_links")),
    )
    op.create_index("ix_product_links_product", "product_links", ["product_id"], unique=False)
    op.create_index("ix_product_links_status", "product_links", ["status"], unique=False)


def _trust() -> None:
    op.create_table(
        "source_trust_config",
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("visibility_status", sa.Text(), nullable=False),
        sa.Column("upc_trusted", sa.Boolean(), nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.CheckConstraint(
            "visibility_status IN ('INELIGIBLE', 'ELIGIBLE')",
            name=op.f("ck_source_trust_config_visibility_status"),
        ),
        sa.ForeignKeyConstraint(
            ["source_id"], ["sources.id"], name=op.f("fk_source_trust_config_source_id_sources")
        ),
        sa.PrimaryKeyConstraint("source_id", name=op.f("pk_source_trust_config")),
    )


def _corrections() -> None:
    op.create_table(
        "price_corrections",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("factor_millionths", sa.BigInteger(), nullable=True),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("starts_at", UtcTime(), nullable=False),
        sa.Column("ends_at", UtcTime(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("revoked_at", UtcTime(), nullable=True),
        sa.Column("revoked_by", sa.Text(), nullable=True),
        sa.CheckConstraint("action IN ('IGNORE', 'MULTIPLIER')", name=op.f("ck_price_corrections_action")),
        sa.CheckConstraint(
            "scope IN ('source', 'source_product', 'product', 'run')", name=op.f("ck_price_corrections_scope")
        ),
        sa.CheckConstraint(
            "(action = 'MULTIPLIER') = (factor_millionths IS NOT NULL)",
            name=op.f("ck_price_corrections_factor"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_price_corrections")),
    )
    op.create_index("ix_price_corrections_scope", "price_corrections", ["scope", "scope_id"], unique=False)


def _ignored_runs() -> None:
    op.create_table(
        "ignored_runs",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("run_id", RowId, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("ignored_by", sa.Text(), nullable=False),
        sa.Column("ignored_at", UtcTime(), nullable=False),
        sa.Column("revoked_at", UtcTime(), nullable=True),
        sa.Column("revoked_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_ignored_runs_run_id_runs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ignored_runs")),
        sa.UniqueConstraint("run_id", "ignored_at", name=op.f("uq_ignored_runs_run_id_ignored_at")),
    )
