"""What opens the door, made anew: a password, a token, a link. None gives more than its maker has."""

from __future__ import annotations

import asyncio
from functools import partial

from starlette.requests import Request

from limpet.assembly import House
from limpet.record.access.accounts import Account, find_account, set_password
from limpet.record.access.passwords import check_strength, hash_password
from limpet.record.access.roles import Scope
from limpet.record.access.sessions import new_link
from limpet.record.access.tokens import create_token
from limpet.web.access.caller import Caller, act
from limpet.web.access.errors import NotAllowed
from limpet.web.access.passage import check_password


async def change_password(house: House, request: Request, caller: Caller, *, old: str, new: str) -> None:
    """Take a new password once the old one was said; all sessions of the account end."""
    known = await house.ledger.read(partial(find_account, name=caller.name))
    if known.has_password:
        await check_password(house, request, name=caller.name, password=old)
    elif caller.via == "token":
        # Whoever found a token must not become its owner for good.
        raise NotAllowed(
            "The first password is chosen in the portal, not with a token.",
            fix=f"Come in by a link: `limpet accounts link {caller.name}`.",
        )
    check_strength(new, name=caller.name)
    hashed = await asyncio.to_thread(hash_password, new)
    await act(house, caller, set_password, name=caller.name, password_hash=hashed)


async def make_token(house: House, caller: Caller, *, name: str, scope: Scope, days: int) -> tuple[int, str]:
    """Return the id of a new token of the caller's and the token itself; 0 days is until revoked."""
    if caller.via == "token" and not caller.role.includes(scope.role):
        raise NotAllowed(
            f"This token may not make one that can {scope.value}.",
            fix="Make it in the portal, under your name.",
        )
    days_or_ever = days or None
    return await act(
        house, caller, create_token, name=name, account=caller.name, scope=scope, days=days_or_ever
    )


async def allow_entry(house: House, caller: Caller, name: str) -> Account:
    """Note that the caller lets somebody in, and return whom."""
    account = await house.ledger.read(partial(find_account, name=name))
    await house.ledger.audit(caller.name, "make_link", subject=f"account {account.name}")
    return account


async def entry_path(house: House, account_id: int) -> str:
    """Return the path of a link that signs the account in, once, within the hour."""
    make = partial(new_link, account_id=account_id, now=house.clock.now())
    return f"/enter/{await house.ledger.write(make)}"
