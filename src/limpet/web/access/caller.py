"""The one who asks, as every page and every answer may know them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Depends
from sqlalchemy import Connection
from starlette.requests import Request

from limpet.assembly import House
from limpet.record.access.roles import Role, Scope
from limpet.web.access.errors import NotAllowed, NotSignedIn

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody we know."""

    account_id: int
    name: str
    role: Role
    via: Literal["session", "token"]
    scope: Scope | None = None  # of the token
    forgery_token: str = ""  # what the pages of a session must say back

    @property
    def may_operate(self) -> bool:
        """Whether pages shall offer actions."""
        return self.role.includes(Role.OPERATOR)

    @property
    def is_admin(self) -> bool:
        """Whether pages shall offer what only admins may."""
        return self.role.includes(Role.ADMIN)

    def require(self, role: Role) -> None:
        """Raise NotAllowed unless the caller may do what this role may."""
        if not self.role.includes(role):
            raise NotAllowed(
                f"{self.name!r} may not do that as {self.role.value}.",
                fix=f"Ask somebody who is {role.value}.",
            )


def caller_of(request: Request) -> Caller | None:
    """Return who asks, or None on the few pages that are for everybody."""
    return getattr(request.state, "caller", None)


async def _known(request: Request) -> Caller:
    caller = caller_of(request)
    if caller is None:
        raise NotSignedIn("Nobody is signed in.", fix="Sign in first.")
    return caller


async def _admin(request: Request) -> Caller:
    caller = await _known(request)
    caller.require(Role.ADMIN)
    return caller


TheCaller = Annotated[Caller, Depends(_known)]
TheAdmin = Annotated[Caller, Depends(_admin)]


def act(house: House, caller: Caller, deed: Callable[..., T], **what: Any) -> Awaitable[T]:
    """Do it in one transaction, in the caller's name: `deed(connection, by=, now=, **what)`."""
    by, now = caller.name, house.clock.now()

    def do(connection: Connection) -> T:
        return deed(connection, by=by, now=now, **what)

    return house.ledger.write(do)
