"""What the docket reader remembers: how each number stands, and every version of every case and entry."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from limpet.record.tables import metadata
from limpet.record.types import Json, RowId, UtcTime

# One row per number that was ever asked for: the answer to "must it be asked again?".
docket_cases = Table(
    "docket_cases",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("source_id", Text, ForeignKey("sources.id"), nullable=False),
    Column("case_id", Text, nullable=False),  # canonical: IMM-231-25
    Column("prefix", Text, nullable=False),
    Column("year", Integer, nullable=False),  # in full
    Column("number", Integer, nullable=False),
    Column(
        "status",
        Text,
        CheckConstraint("status IN ('succeeded', 'no_record', 'failed')", name="status"),
        nullable=False,
    ),
    Column("attempts", Integer, nullable=False),  # over all runs
    Column("last_error", Text),
    Column("version", Integer, nullable=False),  # the newest version on record, zero while there is none
    Column("content_sha256", Text),  # of that version, entries included
    Column("last_job_id", RowId),  # none when another ledger's checkpoint told us
    Column("known_from", Text),  # that checkpoint's run
    Column("first_attempt_at", UtcTime, nullable=False),
    Column("last_attempt_at", UtcTime, nullable=False),
    Column("last_success_at", UtcTime),
    Column("vanished_at", UtcTime),  # a case we hold, of which the court later said there is no record
    UniqueConstraint("source_id", "case_id"),
    Index("ix_docket_cases_register", "source_id", "prefix", "year", "number"),
    # The map, the counts and the gaps of a register are read from this alone.
    Index("ix_docket_cases_standing", "source_id", "prefix", "year", "status", "number"),
)

docket_case_versions = Table(
    "docket_case_versions",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("docket_case_id", RowId, ForeignKey("docket_cases.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("style_of_cause", Text),
    Column("case_type", Text),
    Column("type_of_action", Text),
    Column("nature_of_proceeding", Text),
    Column("filing_date", Text),  # YYYY-MM-DD; none when the court states none
    Column("office", Text),
    Column("language", Text),
    Column("entry_count", Integer, nullable=False),
    Column("parties", Json),  # none when they were not asked for
    Column("related_cases", Json),
    Column("details", Json, nullable=False),  # what only one of the two readers can see
    Column("url", Text, nullable=False),
    Column("content_sha256", Text, nullable=False),
    Column("job_id", RowId, ForeignKey("jobs.id"), nullable=False),
    Column("adapter_version", Text, nullable=False),
    Column("recorded_at", UtcTime, nullable=False),
    Column("saved_path", Text),  # its JSON file, relative to the data directory
    UniqueConstraint("docket_case_id", "version"),
    Index("ix_docket_case_versions_job_id", "job_id"),
    # Few versions ever wait for their file, and a batch asks for them twice a second.
    Index(
        "ix_docket_case_versions_unsaved",
        "id",
        sqlite_where=text("saved_path IS NULL"),
        postgresql_where=text("saved_path IS NULL"),
    ),
)

docket_entries = Table(
    "docket_entries",
    metadata,
    # An edited entry is a new version, and one that is gone from the docket is too: nothing is overwritten.
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("docket_case_id", RowId, ForeignKey("docket_cases.id"), nullable=False),
    Column("entry_id", Integer, nullable=False),  # the court's own ID column, never a row's position
    Column("version", Integer, nullable=False),
    Column("case_version", Integer, nullable=False),  # the version of the case it first stood in
    Column("date_filed", Text),
    Column("office", Text),
    Column("summary", Text, nullable=False),
    Column("is_published", Boolean, nullable=False),  # whether its document may be downloaded
    Column("is_removed", Boolean, nullable=False),
    Column("details", Json, nullable=False),
    Column("content_sha256", Text, nullable=False),
    Column("recorded_at", UtcTime, nullable=False),
    UniqueConstraint("docket_case_id", "entry_id", "version"),
)

docket_documents = Table(
    "docket_documents",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("docket_case_id", RowId, ForeignKey("docket_cases.id"), nullable=False),
    Column("entry_id", Integer, nullable=False),
    Column("document_number", Text, nullable=False),  # FOREMOST_NUMBER
    Column("sha256", Text, nullable=False),
    Column("path", Text, nullable=False),  # relative to the data directory
    Column("size_bytes", RowId, nullable=False),
    Column("job_id", RowId, ForeignKey("jobs.id"), nullable=False),
    Column("stored_at", UtcTime, nullable=False),
    UniqueConstraint("docket_case_id", "document_number", "sha256"),
)

docket_bounds = Table(
    "docket_bounds",
    metadata,
    # How far a year's numbers go, as the last probe found it; reused until it expires.
    Column("source_id", Text, ForeignKey("sources.id"), primary_key=True),
    Column("prefix", Text, primary_key=True),
    Column("year", Integer, primary_key=True, autoincrement=False),
    Column("upper_bound", Integer, nullable=False),  # the last number with a record; zero when there is none
    Column("probes", Integer, nullable=False),
    Column("terms", Json, nullable=False),  # the window and budget it was found with
    Column("found_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
)
