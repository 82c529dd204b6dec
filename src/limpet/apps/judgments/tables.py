"""What the judgment archive remembers: every version of an index, every case with its history, every file.

Names and columns of the seed are kept; `valid`, `is_criminal` and `is_active` are 0 or 1 as its queries expect.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    func,
    literal_column,
)

from limpet.record.tables import metadata
from limpet.record.types import RowId, UtcTime

csv_versions = Table(
    "csv_versions",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("source", Text, ForeignKey("sources.id"), nullable=False),
    Column("fetched_at", UtcTime, nullable=False),
    Column("source_url", Text, nullable=False),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("sha256", Text, nullable=False),  # empty when nothing came
    Column("row_count", Integer, nullable=False),
    Column("valid", Integer, CheckConstraint("valid IN (0, 1)", name="valid"), nullable=False),
    Column("error_code", Text),
    Column("error_message", Text),
    Column("file_path", Text, nullable=False),  # below the data directory; empty when nothing came
    Column("checked_at", UtcTime, nullable=False),  # when the origin last said that this is what it has
    Column("checks", Integer, nullable=False),
    Column("is_held", Boolean, nullable=False),  # readable, but too much vanished: a person must say yes
    Column("case_count", Integer, nullable=False),
    Column("new_count", Integer, nullable=False),
    Column("changed_count", Integer, nullable=False),
    Column("removed_count", Integer, nullable=False),
    Column("reappeared_count", Integer, nullable=False),
    Column("criminal_count", Integer, nullable=False),
    Column("blank_count", Integer, nullable=False),
    Column("duplicate_count", Integer, nullable=False),
    Column("undated_count", Integer, nullable=False),
    Index("ix_csv_versions_source", "source", "id"),
)

cases = Table(
    "cases",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("action_token_raw", Text, nullable=False),
    Column("action_token_norm", Text, nullable=False),
    Column("title", Text),
    Column("neutral_citation", Text),
    Column("cause_number", Text),
    Column("court", Text),
    Column("category", Text),
    Column("subject", Text),
    Column("judgment_date", Text),  # YYYY-MM-DD; none when the text names no day we may believe
    Column("judgment_date_raw", Text),
    Column(
        "is_criminal", Integer, CheckConstraint("is_criminal IN (0, 1)", name="is_criminal"), nullable=False
    ),
    Column("is_active", Integer, CheckConstraint("is_active IN (0, 1)", name="is_active"), nullable=False),
    Column("source", Text, ForeignKey("sources.id"), nullable=False),
    Column("first_seen_version_id", RowId, ForeignKey("csv_versions.id"), nullable=False),
    Column("last_seen_version_id", RowId, ForeignKey("csv_versions.id"), nullable=False),
    Column("address", Text, nullable=False),  # of its target: the same for good
    Column("file_key", Text, nullable=False, unique=True),  # of its file: no two judgments share one
    Column("fingerprint", Text, nullable=False),  # of what the index says, to see at once what changed
    UniqueConstraint("source", "action_token_raw"),
    UniqueConstraint("source", "address"),
    Index("idx_cases_token_norm", "action_token_norm"),
    Index("idx_cases_source", "source", "id"),
)
# The newest judgment first, over all sources or one: what people leaf through. A day nobody knows comes last.
DAY = func.coalesce(cases.c.judgment_date, literal_column("''"))
Index("ix_cases_newest", DAY, cases.c.id)
Index("ix_cases_newest_of_source", cases.c.source, DAY, cases.c.id)

case_searches = Table(
    "case_searches",
    metadata,
    # What words are looked for in, by case: apart, so that a search reads this and no more of a hundred thousand cases.
    Column("id", RowId, ForeignKey("cases.id"), primary_key=True, autoincrement=False),
    Column("searched", Text, nullable=False),  # lower case, a statement a line
)

case_changes = Table(
    "case_changes",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("case_id", RowId, ForeignKey("cases.id"), nullable=False),
    Column("version_id", RowId, ForeignKey("csv_versions.id"), nullable=False),
    Column(
        "kind",
        Text,
        CheckConstraint("kind IN ('changed', 'removed', 'reappeared')", name="kind"),
        nullable=False,
    ),
    Column("field", Text),  # of a change
    Column("old_value", Text),
    Column("new_value", Text),
    Column("changed_at", UtcTime, nullable=False),
    Index("ix_case_changes_case", "case_id", "id"),
    Index("ix_case_changes_version", "version_id"),
)

case_files = Table(
    "case_files",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("job_id", RowId, ForeignKey("jobs.id"), nullable=False, unique=True),
    Column("run_id", RowId, ForeignKey("runs.id"), nullable=False),
    Column("case_id", RowId, ForeignKey("cases.id"), nullable=False),
    Column("path", Text, nullable=False),  # below the data directory
    Column("sha256", Text, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("box_url", Text),  # host and path alone: what was signed stays outside
    Column("was_adopted", Boolean, nullable=False),  # it stood there already, and was not asked for again
    Column("stored_at", UtcTime, nullable=False),
    Index("ix_case_files_case", "case_id"),
    Index("ix_case_files_run", "run_id"),
)

judgment_runs = Table(
    "judgment_runs",
    metadata,
    Column("run_id", RowId, ForeignKey("runs.id"), primary_key=True, autoincrement=False),
    Column("source", Text, nullable=False),
    Column("csv_version_id", RowId, ForeignKey("csv_versions.id"), nullable=False),
    Column("is_fallback", Boolean, nullable=False),  # the index could not be had: the last good one served
    Column("resume_strategy", Text, nullable=False),
    Column("cases_total", Integer, nullable=False),  # active in this version
    Column("cases_criminal", Integer, nullable=False),  # of these, left out by the criminal rule
    Column("cases_downloaded", Integer, nullable=False),  # of these, there already
    Column("cases_targeted", Integer, nullable=False),
    Column("is_limited", Boolean, nullable=False),  # some of what it could have gone over was left for later
    Column("expected_bytes", BigInteger, nullable=False),
    Column("free_bytes", BigInteger, nullable=False),
    Column("planned_at", UtcTime, nullable=False),
    Index("ix_judgment_runs_source", "source", "run_id"),
)
