"""The judgment archive: versions of an index, cases and their history, files, and what each run went over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.migrations.judgment_views import create_judgment_views, drop_judgment_views
from limpet.record.types import RowId, UtcTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TABLES = ("csv_versions", "cases", "case_changes", "case_files", "judgment_runs")


def upgrade() -> None:
    _csv_versions()
    _cases()
    _case_changes()
    _case_files()
    _judgment_runs()
    create_judgment_views(op.get_bind())


def downgrade() -> None:
    drop_judgment_views(op.get_bind())
    for table in reversed(TABLES):
        op.drop_table(table)


def _csv_versions() -> None:
    counts = (
        "case_count",
        "new_count",
        "changed_count",
        "removed_count",
        "reappeared_count",
        "criminal_count",
        "blank_count",
        "duplicate_count",
        "undated_count",
    )
    op.create_table(
        "csv_versions",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("fetched_at", UtcTime(), nullable=False),
        sa.Column("source_url", sa.Text(), nullable=False),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("row_count", sa.Integer(), nullable=False),
        sa.Column("valid", sa.Integer(), nullable=False),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("error_message", sa.Text(), nullable=True),
        sa.Column("file_path", sa.Text(), nullable=False),
        sa.Column("checked_at", UtcTime(), nullable=False),
        sa.Column("checks", sa.Integer(), nullable=False),
        sa.Column("is_held", sa.Boolean(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in counts),
        sa.CheckConstraint("valid IN (0, 1)", name=op.f("ck_csv_versions_valid")),
        sa.ForeignKeyConstraint(["source"], ["sources.id"], name=op.f("fk_csv_versions_source_sources")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_csv_versions")),
    )
    op.create_index("ix_csv_versions_source", "csv_versions", ["source", "id"], unique=False)


def _cases() -> None:
    said = (
        "title",
        "neutral_citation",
        "cause_number",
        "court",
        "category",
        "subject",
        "judgment_date",
        "judgment_date_raw",
    )
    op.create_table(
        "cases",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("action_token_raw", sa.Text(), nullable=False),
        sa.Column("action_token_norm", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=True) for name in said),
        sa.Column("is_criminal", sa.Integer(), nullable=False),
        sa.Column("is_active", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("first_seen_version_id", RowId, nullable=False),
        sa.Column("last_seen_version_id", RowId, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("file_key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.CheckConstraint("is_criminal IN (0, 1)", name=op.f("ck_cases_is_criminal")),
        sa.CheckConstraint("is_active IN (0, 1)", name=op.f("ck_cases_is_active")),
        sa.ForeignKeyConstraint(["source"], ["sources.id"], name=op.f("fk_cases_source_sources")),
        sa.ForeignKeyConstraint(
            ["first_seen_version_id"],
            ["csv_versions.id"],
            name=op.f("fk_cases_first_seen_version_id_csv_versions"),
        ),
        sa.ForeignKeyConstraint(
            ["last_seen_version_id"],
            ["csv_versions.id"],
            name=op.f("fk_cases_last_seen_version_id_csv_versions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cases")),
        sa.UniqueConstraint("file_key", name=op.f("uq_cases_file_key")),
        sa.UniqueConstraint("source", "action_token_raw", name=op.f("uq_cases_source_action_token_raw")),
        sa.UniqueConstraint("source", "address", name=op.f("uq_cases_source_address")),
    )
    op.create_index("idx_cases_token_norm", "cases", ["action_token_norm"], unique=False)
    op.create_index("idx_cases_source", "cases", ["source", "is_active"], unique=False)


def _case_changes() -> None:
    op.create_table(
        "case_changes",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("case_id", RowId, nullable=False),
        sa.Column("version_id", RowId, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("field", sa.Text(), nullable=True),
        sa.Column("old_value", sa.Text(), nullable=True),
        sa.Column("new_value", sa.Text(), nullable=True),
        sa.Column("changed_at", UtcTime(), nullable=False),
        sa.CheckConstraint("kind IN ('changed', 'removed', 'reappeared')", name=op.f("ck_case_changes_kind")),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name=op.f("fk_case_changes_case_id_cases")),
        sa.ForeignKeyConstraint(
            ["version_id"], ["csv_versions.id"], name=op.f("fk_case_changes_version_id_csv_versions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_changes")),
    )
    op.create_index("ix_case_changes_case", "case_changes", ["case_id", "id"], unique=False)
    op.create_index("ix_case_changes_version", "case_changes", ["version_id"], unique=False)


def _case_files() -> None:
    op.create_table(
        "case_files",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("job_id", RowId, nullable=False),
        sa.Column("run_id", RowId, nullable=False),
        sa.Column("case_id", RowId, nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("box_url", sa.Text(), nullable=True),
        sa.Column("was_adopted", sa.Boolean(), nullable=False),
        sa.Column("stored_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_case_files_job_id_jobs")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_case_files_run_id_runs")),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name=op.f("fk_case_files_case_id_cases")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_files")),
        sa.UniqueConstraint("job_id", name=op.f("uq_case_files_job_id")),
    )
    op.create_index("ix_case_files_case", "case_files", ["case_id"], unique=False)
    op.create_index("ix_case_files_run", "case_files", ["run_id"], unique=False)


def _judgment_runs() -> None:
    counts = ("cases_total", "cases_criminal", "cases_downloaded", "cases_targeted")
    op.create_table(
        "judgment_runs",
        sa.Column("run_id", RowId, autoincrement=False, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("csv_version_id", RowId, nullable=False),
        sa.Column("is_fallback", sa.Boolean(), nullable=False),
        sa.Column("resume_strategy", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in counts),
        sa.Column("is_limited", sa.Boolean(), nullable=False),
        sa.Column("expected_bytes", sa.BigInteger(), nullable=False),
        sa.Column("free_bytes", sa.BigInteger(), nullable=False),
        sa.Column("planned_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_judgment_runs_run_id_runs")),
        sa.ForeignKeyConstraint(
            ["csv_version_id"], ["csv_versions.id"], name=op.f("fk_judgment_runs_csv_version_id_csv_versions")
        ),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_judgment_runs")),
    )
    op.create_index("ix_judgment_runs_source", "judgment_runs", ["source", "run_id"], unique=False)
