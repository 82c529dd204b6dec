"""Accounts: added, given a password, removed; each with its entry in the audit log."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from limpet.errors import NotThere, UsageError
from limpet.record.access.roles import Role
from limpet.record.access.tables import accounts, api_tokens, entry_links, web_sessions
from limpet.record.logbook import audit

_NAME = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,63}")


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may come in."""

    id: int
    name: str
    role: Role
    has_password: bool
    created_at: datetime
    created_by: str


def list_accounts(connection: Connection) -> list[Account]:
    """Return everybody, by name."""
    return [_account_of(row) for row in connection.execute(select(accounts).order_by(accounts.c.name))]


def find_account(connection: Connection, name: str) -> Account:
    """Return the account, or raise NotThere."""
    row = connection.execute(select(accounts).where(accounts.c.name == name.lower())).one_or_none()
    if row is None:
        raise NotThere(f"There is no account {name[:80]!r}.", fix="`limpet accounts list` shows them.")
    return _account_of(row)


def kept_password(connection: Connection, name: str) -> tuple[int, str] | None:
    """Return the account's id and the hash of its password; None when there is nothing to compare with."""
    columns = accounts.c.id, accounts.c.password_hash
    row = connection.execute(select(*columns).where(accounts.c.name == name.lower())).one_or_none()
    return None if row is None or row.password_hash is None else (row.id, row.password_hash)


def add_account(
    connection: Connection, name: str, *, role: Role, password_hash: str | None, by: str, now: datetime
) -> Account:
    """Add somebody; raise UsageError when the name is taken or cannot be one."""
    name = name.strip().lower()
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name[:80]!r} cannot be the name of an account.",
            fix="Use 1 to 64 of: letters, digits, . _ @ + - (a letter or digit first).",
        )
    if connection.execute(select(accounts.c.id).where(accounts.c.name == name)).first():
        raise UsageError(
            f"There is an account {name!r} already.", fix="Take another name, or give it a new password."
        )
    values = {
        "name": name,
        "role": role.value,
        "password_hash": password_hash,
        "password_set_at": now if password_hash else None,
        "created_at": now,
        "created_by": by,
    }
    connection.execute(insert(accounts).values(values))
    audit(connection, by, "add_account", subject=f"account {name}", now=now, details={"role": role.value})
    return find_account(connection, name)


def set_password(connection: Connection, name: str, *, password_hash: str, by: str, now: datetime) -> None:
    """Give the account a new password; every session it has ends."""
    account = find_account(connection, name)
    values = {"password_hash": password_hash, "password_set_at": now}
    connection.execute(update(accounts).where(accounts.c.id == account.id).values(values))
    connection.execute(delete(web_sessions).where(web_sessions.c.account_id == account.id))
    audit(connection, by, "set_password", subject=f"account {account.name}", now=now)


def set_role(connection: Connection, name: str, *, role: Role, by: str, now: datetime) -> Account:
    """Make the account something else; the last admin stays one."""
    account = find_account(connection, name)
    if account.role is Role.ADMIN and role is not Role.ADMIN:
        _keep_an_admin(connection, account)
    connection.execute(update(accounts).where(accounts.c.id == account.id).values(role=role.value))
    audit(
        connection, by, "set_role", subject=f"account {account.name}", now=now, details={"role": role.value}
    )
    return find_account(connection, account.name)


def remove_account(connection: Connection, name: str, *, by: str, reason: str, now: datetime) -> None:
    """Remove somebody with all that opens the door for them; what they did stays in the audit log."""
    account = find_account(connection, name)
    if account.role is Role.ADMIN:
        _keep_an_admin(connection, account)
    for table in (web_sessions, entry_links, api_tokens):
        connection.execute(delete(table).where(table.c.account_id == account.id))
    connection.execute(delete(accounts).where(accounts.c.id == account.id))
    audit(connection, by, "remove_account", subject=f"account {account.name}", now=now, reason=reason)


def has_any_account(connection: Connection) -> bool:
    """Whether anybody may come in at all."""
    return connection.execute(select(accounts.c.id).limit(1)).first() is not None


def has_admin_with_password(connection: Connection) -> bool:
    """Whether somebody can decide who else may come in, and prove it."""
    is_one = accounts.c.role == Role.ADMIN.value, accounts.c.password_hash.is_not(None)
    return connection.execute(select(accounts.c.id).where(*is_one).limit(1)).first() is not None


def _keep_an_admin(connection: Connection, account: Account) -> None:
    others = accounts.c.role == Role.ADMIN.value, accounts.c.id != account.id
    if not connection.execute(select(func.count()).select_from(accounts).where(*others)).scalar_one():
        raise UsageError(f"{account.name!r} is the only admin.", fix="Make somebody else an admin first.")


def _account_of(row: Row[tuple[object, ...]]) -> Account:
    return Account(
        id=row.id,
        name=row.name,
        role=Role(row.role),
        has_password=row.password_hash is not None,
        created_at=row.created_at,
        created_by=row.created_by,
    )
