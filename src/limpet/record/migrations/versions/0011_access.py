"""Accounts, sessions, one-time links and API tokens; answers kept for repeated requests; the emergency stop."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.types import Json, RowId, UtcTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create them."""
    _accounts()
    _sessions()
    _links()
    _tokens()
    _failures()
    _answers()
    _halts()


def downgrade() -> None:
    """Drop them."""
    for table in (
        *("halts", "idempotency_keys", "login_failures", "api_tokens", "entry_links", "web_sessions"),
        "accounts",
    ):
        op.drop_table(table)


def _accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("password_set_at", UtcTime(), nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.CheckConstraint("role IN ('viewer', 'operator', 'admin')", name=op.f("ck_accounts_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name", name=op.f("uq_accounts_name")),
    )


def _sessions() -> None:
    op.create_table(
        "web_sessions",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        _of_an_account(),
        *(sa.Column(name, UtcTime(), nullable=False) for name in ("created_at", "seen_at", "expires_at")),
        sa.Column("address", sa.Text(), nullable=False),
        _points_at_an_account("web_sessions"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_web_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_web_sessions_token_hash")),
    )
    op.create_index("ix_web_sessions_account_id", "web_sessions", ["account_id"], unique=False)


def _links() -> None:
    op.create_table(
        "entry_links",
        sa.Column("token_hash", sa.Text(), nullable=False),
        _of_an_account(),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=False),
        sa.Column("used_at", UtcTime(), nullable=True),
        _points_at_an_account("entry_links"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_entry_links")),
    )


def _tokens() -> None:
    op.create_table(
        "api_tokens",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("name", "token_hash", "begins")),
        _of_an_account(),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        *(sa.Column(name, UtcTime(), nullable=True) for name in ("expires_at", "used_at", "revoked_at")),
        sa.CheckConstraint(
            "scope IN ('metrics', 'read', 'operate', 'admin')", name=op.f("ck_api_tokens_scope")
        ),
        _points_at_an_account("api_tokens"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_tokens_token_hash")),
    )
    op.create_index("ix_api_tokens_account_id", "api_tokens", ["account_id"], unique=False)


def _failures() -> None:
    op.create_table(
        "login_failures",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_failures")),
    )
    op.create_index("ix_login_failures_at", "login_failures", ["at"], unique=False)


def _answers() -> None:
    op.create_table(
        "idempotency_keys",
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("caller", "key", "fingerprint")),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("headers", Json, nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("caller", "key", name=op.f("pk_idempotency_keys")),
    )
    op.create_index("ix_idempotency_keys_created_at", "idempotency_keys", ["created_at"], unique=False)


def _halts() -> None:
    op.create_table(
        "halts",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("halted_at", UtcTime(), nullable=False),
        sa.Column("halted_by", sa.Text(), nullable=False),
        sa.CheckConstraint("scope <> ''", name=op.f("ck_halts_scope")),
        sa.PrimaryKeyConstraint("scope", name=op.f("pk_halts")),
    )


def _of_an_account() -> sa.Column[int]:
    return sa.Column("account_id", RowId, nullable=False)


def _points_at_an_account(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_account_id_accounts")
    return sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=name)
