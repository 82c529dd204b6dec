"""Before the door opens: nobody listens beyond this machine without an admin, and a newcomer gets a link."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from limpet.assembly import House
from limpet.cli.admitting import entry_address
from limpet.errors import NoAdmin
from limpet.record.access.accounts import (
    add_account,
    has_admin_with_password,
    has_any_account,
    list_accounts,
)
from limpet.record.access.roles import Role
from limpet.record.access.sessions import new_link
from limpet.web.access.cookies import is_loopback

FIRST = "owner"


async def check_admission(house: House) -> None:
    """Raise NoAdmin when others could reach the portal and nobody is there to decide who may come in."""
    host = house.settings.host
    if is_loopback(f"[{host}]" if ":" in host else host):
        return
    if not await house.ledger.read(has_admin_with_password):
        raise NoAdmin(
            f"The portal would listen on {host}, and there is no admin with a password.",
            fix="Make one first: limpet accounts add NAME --role admin",
        )


async def newcomers_link(house: House, port: int) -> str | None:
    """Return a link that lets the owner of this machine in, once; None when somebody has a password."""

    def link(connection: Connection) -> str | None:
        return _first_link(connection, house.clock.now())

    try:
        secret = await house.ledger.write(link)
    except IntegrityError:  # another portal has made the first account of this ledger at the very same moment
        secret = await house.ledger.write(link)
    return None if secret is None else entry_address(secret, host=house.settings.host, port=port)


def _first_link(connection: Connection, now: datetime) -> str | None:
    if has_admin_with_password(connection):
        return None
    if not has_any_account(connection):
        add_account(connection, FIRST, role=Role.ADMIN, password_hash=None, by="first start", now=now)
    admin = next((each for each in list_accounts(connection) if each.role is Role.ADMIN), None)
    return None if admin is None else new_link(connection, admin.id, now=now)
