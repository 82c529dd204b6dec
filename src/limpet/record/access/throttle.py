"""Slows down whoever guesses passwords: by name and address together, by address, and by name."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select

from limpet.errors import TooManyLogins
from limpet.record.access.tables import login_failures
from limpet.record.storable import storable

WINDOW = timedelta(minutes=15)
MOST_OF_ONE_AT_A_NAME = 5
MOST_OF_ONE_ADDRESS = 30
# Above what one forgetful person does: below it nobody could lock somebody else out from afar.
MOST_AT_A_NAME = 100


def refuse_if_too_many(connection: Connection, *, name: str, address: str, now: datetime) -> None:
    """Raise TooManyLogins when this name or address failed too often within a quarter of an hour."""
    since = login_failures.c.at > now - WINDOW
    at_name, of_address = login_failures.c.name == _key(name), login_failures.c.address == storable(address)
    for most, *which in (
        (MOST_OF_ONE_AT_A_NAME, at_name, of_address),
        (MOST_OF_ONE_ADDRESS, of_address),
        (MOST_AT_A_NAME, at_name),
    ):
        question = select(func.count(), func.min(login_failures.c.at)).where(since, *which)
        count, first_at = connection.execute(question).one()
        if count >= most:
            first = datetime.fromisoformat(first_at) if isinstance(first_at, str) else first_at
            wait = max(1.0, (first + WINDOW - now).total_seconds())
            raise TooManyLogins(
                "Too many wrong passwords.", fix=f"Try again in {wait / 60:.0f} minutes.", retry_after=wait
            )


def note_failure(connection: Connection, *, name: str, address: str, now: datetime) -> None:
    """Note a wrong password, and forget those that no longer count."""
    connection.execute(delete(login_failures).where(login_failures.c.at <= now - WINDOW))
    connection.execute(insert(login_failures).values(name=_key(name), address=storable(address), at=now))


def forget_failures(connection: Connection, *, name: str, address: str) -> None:
    """Forget what somebody mistyped before they got it right."""
    mine = login_failures.c.name == _key(name), login_failures.c.address == storable(address)
    connection.execute(delete(login_failures).where(*mine))


def _key(name: str) -> str:
    return storable(name.strip().lower()[:100])
