"""What the verbs `accounts` and `tokens` do."""

from __future__ import annotations

import sys
from datetime import datetime

import typer
from sqlalchemy import Connection

from limpet.cli.in_ledger import ask, decide, decide_beforehand
from limpet.cli.listing import Row
from limpet.cli.opening import read_settings
from limpet.errors import UsageError
from limpet.record.access import accounts, tokens
from limpet.record.access.passwords import check_strength, hash_password
from limpet.record.access.roles import Role, Scope
from limpet.record.access.sessions import new_link
from limpet.record.logbook import audit


def add(name: str, role: Role, *, password: str | None) -> None:
    """Add an account, with a password or without."""
    hashed = _hashed(password, name) if password is not None else None
    decide_beforehand(accounts.add_account, name=name, role=role, password_hash=hashed)


def change_password(name: str, password: str) -> None:
    """Give an account another password."""
    ask(lambda connection: accounts.find_account(connection, name))
    decide(accounts.set_password, name=name, password_hash=_hashed(password, name))


def change_role(name: str, role: Role) -> None:
    """Make an account something else."""
    decide(accounts.set_role, name=name, role=role)


def remove(name: str, reason: str) -> None:
    """Remove an account."""
    decide(accounts.remove_account, name=name, reason=reason)


def link_for(name: str) -> str:
    """Return the address that lets the account in, once."""

    def make(connection: Connection, *, by: str, now: datetime) -> str:
        account = accounts.find_account(connection, name)
        audit(connection, by, "make_link", subject=f"account {account.name}", now=now)
        return new_link(connection, account.id, now=now)

    return entry_address(decide(make), host=read_settings().host, port=read_settings().port)


def entry_address(secret: str, *, host: str, port: int) -> str:
    """Return where a one-time link leads; a portal on every address of the machine is entered at home."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"}.get(host, host)
    return f"http://{name}:{port}/enter/{secret}"


def account_rows() -> list[Row]:
    """Return everybody."""
    return [
        {
            "name": each.name,
            "role": each.role.value,
            "password": "set" if each.has_password else "none",
            "added_at": each.created_at.isoformat(timespec="seconds"),
            "added_by": each.created_by,
        }
        for each in ask(accounts.list_accounts)
    ]


def make_token(name: str, *, account: str, scope: Scope, days: int | None) -> tuple[int, str]:
    """Return the id of a new token and the token itself."""
    return decide(tokens.create_token, name=name, account=account, scope=scope, days=days)


def end_token(token_id: int, reason: str) -> None:
    """Revoke a token."""
    decide(tokens.revoke_token, token_id=token_id, reason=reason)


def token_rows(*, everything: bool) -> list[Row]:
    """Return tokens as people may see them."""
    found = ask(tokens.list_tokens)
    return [
        {
            "id": each.id,
            "name": each.name,
            "begins": each.begins,
            "account": each.account,
            "scope": each.scope.value,
            "last_used": _moment(each.used_at) or "never",
            "ends": _moment(each.revoked_at or each.expires_at) or "never",
        }
        for each in found
        if everything or each.revoked_at is None
    ]


def ask_for_password(*, from_stdin: bool) -> str:
    """Return a password that was typed twice, or the first line of stdin."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise UsageError(
            "There is no terminal to ask for a password.",
            fix="Pipe it in with --password-stdin, or use --link for a link that works once.",
        )
    password: str = typer.prompt(
        "Password (12 characters or more)", hide_input=True, confirmation_prompt=True
    )
    return password


def _hashed(password: str, name: str) -> str:
    check_strength(password, name=name)
    return hash_password(password)


def _moment(at: datetime | None) -> str:
    return "" if at is None else at.isoformat(timespec="seconds")
