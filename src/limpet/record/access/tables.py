"""Tables of those who may come in, and of what keeps their requests from counting twice."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, Table, Text

from limpet.record.access.roles import Role, Scope
from limpet.record.tables import metadata, only
from limpet.record.types import Json, RowId, UtcTime

accounts = Table(
    "accounts",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("name", Text, nullable=False, unique=True),
    Column("role", Text, only("role", Role), nullable=False),
    Column("password_hash", Text),  # argon2id; none for an account that only enters by one-time links
    Column("password_set_at", UtcTime),
    Column("created_at", UtcTime, nullable=False),
    Column("created_by", Text, nullable=False),
)

web_sessions = Table(
    "web_sessions",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("account_id", RowId, ForeignKey("accounts.id"), nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("seen_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("address", Text, nullable=False),
    Index("ix_web_sessions_account_id", "account_id"),
)

entry_links = Table(
    "entry_links",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("account_id", RowId, ForeignKey("accounts.id"), nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("used_at", UtcTime),
)

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("name", Text, nullable=False),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("begins", Text, nullable=False),  # enough to recognise it by, too little to use it
    Column("account_id", RowId, ForeignKey("accounts.id"), nullable=False),
    Column("scope", Text, only("scope", Scope), nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime),
    Column("used_at", UtcTime),
    Column("revoked_at", UtcTime),
    Index("ix_api_tokens_account_id", "account_id"),
)

login_failures = Table(
    "login_failures",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("name", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
    Index("ix_login_failures_at", "at"),
)

# A request said twice with the same key is done once; the second one hears the first one's answer.
idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("caller", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),  # of method, path and body
    Column("created_at", UtcTime, nullable=False),
    Column("status", Integer),  # none while the first one is under way
    Column("headers", Json),
    Column("body", LargeBinary),
    Index("ix_idempotency_keys_created_at", "created_at"),
)

# An emergency stop: everything, or one app. A single source is stopped by its switch.
halts = Table(
    "halts",
    metadata,
    Column("scope", Text, CheckConstraint("scope <> ''", name="scope"), primary_key=True),
    Column("reason", Text, nullable=False),
    Column("halted_at", UtcTime, nullable=False),
    Column("halted_by", Text, nullable=False),
)
