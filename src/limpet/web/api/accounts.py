"""Accounts under /api/v1: everybody who may come in and every token, for admins; one's own, for everybody."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from limpet.record.access.accounts import add_account, find_account, list_accounts, remove_account, set_role
from limpet.record.access.roles import Role, Scope
from limpet.record.access.tokens import list_tokens, revoke_token
from limpet.web.access import keys
from limpet.web.access.caller import TheAdmin, TheCaller, act
from limpet.web.api.bodies import Body, Done, Reasoned
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import ListShape, Shape
from limpet.web.asking import RowNumber
from limpet.web.lookout import TheHouse

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["accounts"])

Name = Annotated[str, Path(max_length=200, description="The account's name.", examples=["ann"])]
# A secret is shown once: nobody on the way may keep it, and neither do we.
ONCE = {"cache-control": "no-store"}


class AccountShape(Shape):
    """Somebody who may come in."""

    name: str = Field(examples=["ann"])
    role: Role
    has_password: bool
    created_at: datetime
    created_by: str


class TokenShape(Shape):
    """A token as people may see it."""

    id: int
    name: str
    begins: str = Field(examples=["lmp_a1b2c"])
    account: str = Field(examples=["ann"])
    scope: Scope
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    revoked_at: datetime | None


class NewTokenShape(Shape):
    """A token, this once."""

    id: int
    token: str = Field(description="Shown once, never again.", examples=["lmp_…"])


class LinkShape(Shape):
    """A link that lets somebody in, once, within the hour."""

    name: str = Field(examples=["ann"])
    path: str = Field(description="Below the portal's own address.", examples=["/enter/…"])


class AddAccount(Body):
    """Who may come in, as what; they choose their password by the link in the answer."""

    name: str = Field(min_length=1, max_length=200, examples=["ann"])
    role: Role


class SetRole(Body):
    """What somebody becomes."""

    role: Role


class SetPassword(Body):
    """The old password and the new one."""

    old: str = Field(max_length=4_000, examples=["the words I had"])
    new: str = Field(max_length=4_000, examples=["four words in a row"])


class AddToken(Body):
    """A token speaks for its account, and never does more than the one who makes it."""

    name: str = Field(min_length=1, max_length=80, examples=["nightly export"])
    scope: Scope = Scope.READ
    days: int = Field(default=90, ge=0, le=3_650, description="How long it lives; 0 is until revoked.")


@router.get("/accounts")
async def accounts(house: TheHouse, caller: TheAdmin) -> ListShape[AccountShape]:
    """List everybody who may come in. For admins."""
    found = await house.ledger.read(list_accounts)
    return ListShape(items=[AccountShape.model_validate(each) for each in found], next=None)


@router.post("/accounts", status_code=201)
async def add(house: TheHouse, caller: TheAdmin, response: Response, body: AddAccount) -> LinkShape:
    """Add somebody and return the link by which they come in and choose a password. For admins."""
    made = await act(house, caller, add_account, name=body.name, role=body.role, password_hash=None)
    response.headers.update(ONCE)
    return LinkShape(name=made.name, path=await keys.entry_path(house, made.id))


@router.post("/accounts/{name}/link", status_code=201)
async def link(house: TheHouse, caller: TheAdmin, response: Response, name: Name) -> LinkShape:
    """Return a link that lets somebody in once, as when they forgot their password. For admins."""
    account = await keys.allow_entry(house, caller, name)
    response.headers.update(ONCE)
    return LinkShape(name=account.name, path=await keys.entry_path(house, account.id))


@router.post("/accounts/{name}/role")
async def change_role(house: TheHouse, caller: TheAdmin, name: Name, body: SetRole) -> AccountShape:
    """Make somebody something else; the last admin stays one. For admins."""
    return AccountShape.model_validate(await act(house, caller, set_role, name=name, role=body.role))


@router.post("/accounts/{name}/remove")
async def remove(house: TheHouse, caller: TheAdmin, name: Name, body: Reasoned) -> Done:
    """Remove somebody with their sessions and tokens; what they did stays on record. For admins."""
    await act(house, caller, remove_account, name=name, reason=body.reason)
    return Done()


@router.get("/accounts/tokens")
async def all_tokens(house: TheHouse, caller: TheAdmin) -> ListShape[TokenShape]:
    """List everybody's tokens, newest first. For admins."""
    found = await house.ledger.read(list_tokens)
    return ListShape(items=[TokenShape.model_validate(each) for each in found], next=None)


@router.post("/accounts/tokens/{token_id}/revoke")
async def end_any_token(house: TheHouse, caller: TheAdmin, token_id: RowNumber, body: Reasoned) -> Done:
    """End anybody's token. For admins."""
    await act(house, caller, revoke_token, token_id=token_id, reason=body.reason)
    return Done()


@router.get("/account")
async def account(house: TheHouse, caller: TheCaller) -> AccountShape:
    """Return who is asking."""
    return AccountShape.model_validate(await house.ledger.read(partial(find_account, name=caller.name)))


@router.post("/account/password")
async def change_password(request: Request, house: TheHouse, caller: TheCaller, body: SetPassword) -> Done:
    """Take a new password; every session of the account ends."""
    await keys.change_password(house, request, caller, old=body.old, new=body.new)
    return Done()


@router.get("/account/tokens")
async def tokens(house: TheHouse, caller: TheCaller) -> ListShape[TokenShape]:
    """List one's own tokens, newest first."""
    found = await house.ledger.read(partial(list_tokens, account=caller.name))
    return ListShape(items=[TokenShape.model_validate(each) for each in found], next=None)


@router.post("/account/tokens", status_code=201)
async def add_token(house: TheHouse, caller: TheCaller, response: Response, body: AddToken) -> NewTokenShape:
    """Make a token for oneself and return it, this once."""
    number, secret = await keys.make_token(house, caller, name=body.name, scope=body.scope, days=body.days)
    response.headers.update(ONCE)
    return NewTokenShape(id=number, token=secret)


@router.post("/account/tokens/{token_id}/revoke")
async def end_token(house: TheHouse, caller: TheCaller, token_id: RowNumber, body: Reasoned) -> Done:
    """End a token of one's own."""
    await act(house, caller, revoke_token, token_id=token_id, reason=body.reason, owner=caller.name)
    return Done()
