"""What the docket reader remembers: numbers asked for, cases and entries with their history, documents, bounds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.migrations.docket_views import create_docket_views, drop_docket_views
from limpet.record.types import Json, RowId, UtcTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TABLES = ("docket_cases", "docket_case_versions", "docket_entries", "docket_documents", "docket_bounds")


def upgrade() -> None:
    _cases()
    _case_versions()
    _entries()
    _documents()
    _bounds()
    create_docket_views(op.get_bind())


def downgrade() -> None:
    drop_docket_views(op.get_bind())
    for table in reversed(TABLES):
        op.drop_table(table)


def _cases() -> None:
    op.create_table(
        "docket_cases",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content_sha256", sa.Text(), nullable=True),
        sa.Column("last_job_id", RowId, nullable=True),
        sa.Column("known_from", sa.Text(), nullable=True),
        sa.Column("first_attempt_at", UtcTime(), nullable=False),
        sa.Column("last_attempt_at", UtcTime(), nullable=False),
        sa.Column("last_success_at", UtcTime(), nullable=True),
        sa.Column("vanished_at", UtcTime(), nullable=True),
        sa.CheckConstraint(
            "status IN ('succeeded', 'no_record', 'failed')", name=op.f("ck_docket_cases_status")
        ),
        sa.ForeignKeyConstraint(
            ["source_id"], ["sources.id"], name=op.f("fk_docket_cases_source_id_sources")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_docket_cases")),
        sa.UniqueConstraint("source_id", "case_id", name=op.f("uq_docket_cases_source_id_case_id")),
    )
    op.create_index(
        "ix_docket_cases_register", "docket_cases", ["source_id", "prefix", "year", "number"], unique=False
    )


def _case_versions() -> None:
    op.create_table(
        "docket_case_versions",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("docket_case_id", RowId, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("style_of_cause", sa.Text(), nullable=True),
        sa.Column("case_type", sa.Text(), nullable=True),
        sa.Column("type_of_action", sa.Text(), nullable=True),
        sa.Column("nature_of_proceeding", sa.Text(), nullable=True),
        sa.Column("filing_date", sa.Text(), nullable=True),
        sa.Column("office", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("entry_count", sa.Integer(), nullable=False),
        sa.Column("parties", Json, nullable=True),
        sa.Column("related_cases", Json, nullable=True),
        sa.Column("details", Json, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("content_sha256", sa.Text(), nullable=False),
        sa.Column("job_id", RowId, nullable=False),
        sa.Column("adapter_version", sa.Text(), nullable=False),
        sa.Column("recorded_at", UtcTime(), nullable=False),
        sa.Column("saved_path", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["docket_case_id"],
            ["docket_cases.id"],
            name=op.f("fk_docket_case_versions_docket_case_id_docket_cases"),
        ),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_docket_case_versions_job_id_jobs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_docket_case_versions")),
        sa.UniqueConstraint(
            "docket_case_id", "version", name=op.f("uq_docket_case_versions_docket_case_id_version")
        ),
    )
    op.create_index("ix_docket_case_versions_job_id", "docket_case_versions", ["job_id"], unique=False)
    op.create_index(
        "ix_docket_case_versions_unsaved",
        "docket_case_versions",
        ["id"],
        unique=False,
        sqlite_where=sa.text("saved_path IS NULL"),
        postgresql_where=sa.text("saved_path IS NULL"),
    )


def _entries() -> None:
    op.create_table(
        "docket_entries",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("docket_case_id", RowId, nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("case_version", sa.Integer(), nullable=False),
        sa.Column("date_filed", sa.Text(), nullable=True),
        sa.Column("office", sa.Text(), nullable=True),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("is_published", sa.Boolean(), nullable=False),
        sa.Column("is_removed", sa.Boolean(), nullable=False),
        sa.Column("details", Json, nullable=False),
        sa.Column("content_sha256", sa.Text(), nullable=False),
        sa.Column("recorded_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["docket_case_id"],
            ["docket_cases.id"],
            name=op.f("fk_docket_entries_docket_case_id_docket_cases"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_docket_entries")),
        sa.UniqueConstraint(
            "docket_case_id",
            "entry_id",
            "version",
            name=op.f("uq_docket_entries_docket_case_id_entry_id_version"),
        ),
    )


def _documents() -> None:
    op.create_table(
        "docket_documents",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("docket_case_id", RowId, nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("document_number", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("size_bytes", RowId, nullable=False),
        sa.Column("job_id", RowId, nullable=False),
        sa.Column("stored_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["docket_case_id"],
            ["docket_cases.id"],
            name=op.f("fk_docket_documents_docket_case_id_docket_cases"),
        ),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_docket_documents_job_id_jobs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_docket_documents")),
        sa.UniqueConstraint(
            "docket_case_id",
            "document_number",
            "sha256",
            name=op.f("uq_docket_documents_docket_case_id_document_number_sha256"),
        ),
    )


def _bounds() -> None:
    op.create_table(
        "docket_bounds",
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("year", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("upper_bound", sa.Integer(), nullable=False),
        sa.Column("probes", sa.Integer(), nullable=False),
        sa.Column("terms", Json, nullable=False),
        sa.Column("found_at", UtcTime(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["source_id"], ["sources.id"], name=op.f("fk_docket_bounds_source_id_sources")
        ),
        sa.PrimaryKeyConstraint("source_id", "prefix", "year", name=op.f("pk_docket_bounds")),
    )
