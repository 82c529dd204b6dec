"""Sessions of browsers, and the links that open one without a password. A secret is seen once, here only hashed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, or_, select, update

from limpet.record.access.roles import Role
from limpet.record.access.secrets import digest, new_secret
from limpet.record.access.tables import accounts, entry_links, web_sessions
from limpet.record.logbook import audit
from limpet.record.storable import storable

IDLE = timedelta(hours=2)
LINK_LIVES = timedelta(hours=1)
_NOTE_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Session:
    """A browser somebody is signed in with."""

    id: int
    account_id: int
    name: str
    role: Role
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    address: str


def open_session(
    connection: Connection, account_id: int, *, lives: timedelta, address: str, now: datetime
) -> str:
    """Open a session and return its secret: always a new one, so that nobody can prepare it for another."""
    secret = new_secret()
    values = {
        "token_hash": digest(secret),
        "account_id": account_id,
        "created_at": now,
        "seen_at": now,
        "expires_at": now + lives,
        "address": storable(address),
    }
    connection.execute(insert(web_sessions).values(values))
    _sweep(connection, now=now)
    return secret


def find_session(connection: Connection, secret: str, *, now: datetime) -> Session | None:
    """Return the session, unless it is over or was left alone for too long."""
    columns = [web_sessions.c[name] for name in _OWN] + [accounts.c.name, accounts.c.role]
    question = (
        select(*columns)
        .join(accounts, accounts.c.id == web_sessions.c.account_id)
        .where(
            web_sessions.c.token_hash == digest(secret),
            web_sessions.c.expires_at > now,
            web_sessions.c.seen_at > now - IDLE,
        )
    )
    row = connection.execute(question).one_or_none()
    return None if row is None else Session(**{**row._mapping, "role": Role(row.role)})


def needs_noting(session: Session, now: datetime) -> bool:
    """Whether it is time to write down that the session is in use."""
    return now - session.seen_at > _NOTE_EVERY


def note_seen(connection: Connection, session_id: int, *, now: datetime) -> None:
    """Note that the session is in use."""
    connection.execute(update(web_sessions).where(web_sessions.c.id == session_id).values(seen_at=now))


def close_session(connection: Connection, secret: str) -> None:
    """End the session; doing it twice does nothing."""
    connection.execute(delete(web_sessions).where(web_sessions.c.token_hash == digest(secret)))


def new_link(connection: Connection, account_id: int, *, now: datetime) -> str:
    """Return the secret of a link that signs the account in, once, within the hour."""
    secret = new_secret()
    values = {
        "token_hash": digest(secret),
        "account_id": account_id,
        "created_at": now,
        "expires_at": now + LINK_LIVES,
    }
    connection.execute(insert(entry_links).values(values))
    return secret


def use_link(connection: Connection, secret: str, *, now: datetime) -> int | None:
    """Return the account the link is for and spend it; None when it is spent, over or nobody's."""
    unspent = update(entry_links).where(
        entry_links.c.token_hash == digest(secret),
        entry_links.c.used_at.is_(None),
        entry_links.c.expires_at > now,
    )
    found = connection.execute(unspent.values(used_at=now).returning(entry_links.c.account_id)).first()
    if found is None:
        return None
    name = connection.execute(select(accounts.c.name).where(accounts.c.id == found.account_id)).scalar_one()
    audit(connection, name, "sign_in", subject=f"account {name}", now=now, details={"by": "one-time link"})
    return int(found.account_id)


def _sweep(connection: Connection, *, now: datetime) -> None:
    over = or_(web_sessions.c.expires_at <= now, web_sessions.c.seen_at <= now - IDLE)
    connection.execute(delete(web_sessions).where(over))
    connection.execute(delete(entry_links).where(entry_links.c.expires_at <= now))


_OWN = ("id", "account_id", "created_at", "seen_at", "expires_at", "address")
