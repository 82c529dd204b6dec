"""API tokens: shown once, scoped, revocable. What is kept cannot be used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, or_, select, update

from limpet.errors import NotThere, UsageError
from limpet.record.access.accounts import find_account
from limpet.record.access.roles import Role, Scope, lesser
from limpet.record.access.secrets import digest, new_api_token
from limpet.record.access.tables import accounts, api_tokens
from limpet.record.logbook import audit
from limpet.record.storable import storable

_NOTE_EVERY = timedelta(minutes=1)
_SHOWN = 9


@dataclass(frozen=True, slots=True)
class Token:
    """A token as people may see it."""

    id: int
    name: str
    begins: str
    account: str
    scope: Scope
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """Who speaks with a token, and how far it lets them."""

    token_id: int
    account_id: int
    name: str
    role: Role
    scope: Scope
    used_at: datetime | None


def create_token(
    connection: Connection,
    name: str,
    *,
    account: str,
    scope: Scope,
    days: int | None,
    by: str,
    now: datetime,
) -> tuple[int, str]:
    """Return the token's id and the token itself, which is never seen again."""
    owner = find_account(connection, account)
    if not name.strip() or len(name) > 80:
        raise UsageError("A token needs a name of 1 to 80 characters.", fix="Say what will use it.")
    secret = new_api_token()
    values = {
        "name": storable(name.strip()),
        "token_hash": digest(secret),
        "begins": secret[:_SHOWN],
        "account_id": owner.id,
        "scope": scope.value,
        "created_at": now,
        "expires_at": None if days is None else now + timedelta(days=days),
    }
    result = connection.execute(api_tokens.insert().values(values))
    key = result.inserted_primary_key
    assert key is not None
    token_id = int(key[0])
    details = {"name": name.strip(), "scope": scope.value, "account": owner.name}
    audit(connection, by, "create_token", subject=f"token {token_id}", now=now, details=details)
    return token_id, secret


def list_tokens(connection: Connection, *, account: str | None = None) -> list[Token]:
    """Return tokens, newest first; one account's or everybody's."""
    columns = [api_tokens.c[name] for name in Token.__slots__ if name not in ("account", "scope")]
    question = (
        select(*columns, api_tokens.c.scope, accounts.c.name.label("account"))
        .join(accounts, accounts.c.id == api_tokens.c.account_id)
        .order_by(api_tokens.c.id.desc())
    )
    if account is not None:
        question = question.where(accounts.c.name == account)
    return [Token(**{**row._mapping, "scope": Scope(row.scope)}) for row in connection.execute(question)]


def revoke_token(
    connection: Connection, token_id: int, *, by: str, reason: str, now: datetime, owner: str | None = None
) -> None:
    """End a token now; with `owner`, only when it is theirs."""
    mine = None if owner is None else find_account(connection, owner).id
    alive = update(api_tokens).where(api_tokens.c.id == token_id, api_tokens.c.revoked_at.is_(None))
    if mine is not None:
        alive = alive.where(api_tokens.c.account_id == mine)
    if not connection.execute(alive.values(revoked_at=now)).rowcount:
        raise NotThere(f"There is no living token {token_id}.", fix="`limpet tokens list` shows them.")
    audit(connection, by, "revoke_token", subject=f"token {token_id}", now=now, reason=reason)


def find_holder(connection: Connection, secret: str, *, now: datetime) -> TokenHolder | None:
    """Return who speaks with this token; None when it is nobody's, revoked or over."""
    question = (
        select(
            api_tokens.c.id,
            api_tokens.c.scope,
            api_tokens.c.used_at,
            accounts.c.id.label("account_id"),
            accounts.c.name,
            accounts.c.role,
        )
        .join(accounts, accounts.c.id == api_tokens.c.account_id)
        .where(
            api_tokens.c.token_hash == digest(secret),
            api_tokens.c.revoked_at.is_(None),
            or_(api_tokens.c.expires_at.is_(None), api_tokens.c.expires_at > now),
        )
    )
    row = connection.execute(question).one_or_none()
    if row is None:
        return None
    scope = Scope(row.scope)
    role = lesser(Role(row.role), scope.role)
    return TokenHolder(row.id, row.account_id, row.name, role, scope, row.used_at)


def token_needs_noting(holder: TokenHolder, now: datetime) -> bool:
    """Whether it is time to write down that the token is in use."""
    return holder.used_at is None or now - holder.used_at > _NOTE_EVERY


def note_used(connection: Connection, token_id: int, *, now: datetime) -> None:
    """Note that the token is in use."""
    connection.execute(update(api_tokens).where(api_tokens.c.id == token_id).values(used_at=now))
