"""One's own account: a new password, and the tokens that speak in its name."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from limpet.assembly import House
from limpet.errors import LimpetError, UsageError
from limpet.record.access.accounts import find_account
from limpet.record.access.roles import Scope, lesser
from limpet.record.access.tokens import list_tokens, revoke_token
from limpet.web.access import keys
from limpet.web.access.caller import Caller, TheCaller, act
from limpet.web.access.passage import let_in
from limpet.web.asking import Reason, RowNumber
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

Password = Annotated[str, Form(max_length=4_000)]


@router.get("/account")
async def account(request: Request, house: TheHouse, caller: TheCaller) -> Response:
    """Show who is signed in, and what speaks in their name."""
    return await _page(request, house, caller)


@router.post("/account/password")
async def change_password(
    request: Request, house: TheHouse, caller: TheCaller, new: Password, old: Password = ""
) -> Response:
    """Take a new password; every other session of the account ends, this one goes on anew."""
    try:
        await keys.change_password(house, request, caller, old=old, new=new)
    except UsageError as refusal:
        return await _page(request, house, caller, refusal=refusal)
    return await let_in(house, request, caller.account_id, then="/account?done=password")


@router.post("/account/tokens")
async def add_token(
    request: Request,
    house: TheHouse,
    caller: TheCaller,
    *,
    name: Annotated[str, Form(max_length=200)],
    scope: Annotated[Scope, Form()],
    days: Annotated[int, Form(ge=0, le=3_650)] = 90,
) -> Response:
    """Make a token and show it, this once."""
    _, secret = await keys.make_token(house, caller, name=name, scope=scope, days=days)
    return await _page(request, house, caller, secret=secret)


@router.post("/account/tokens/{token_id}/revoke")
async def end_token(house: TheHouse, caller: TheCaller, token_id: RowNumber, reason: Reason = "") -> Response:
    """End a token of one's own."""
    await act(house, caller, revoke_token, token_id=token_id, reason=reason, owner=caller.name)
    return RedirectResponse("/account", 303)


async def _page(
    request: Request, house: House, caller: Caller, *, secret: str = "", refusal: LimpetError | None = None
) -> Response:
    context = {
        "known": await house.ledger.read(partial(find_account, name=caller.name)),
        "tokens": await house.ledger.read(partial(list_tokens, account=caller.name)),
        "scopes": [each for each in Scope if lesser(caller.role, each.role) is each.role],
        "secret": secret,
        "refusal": refusal,
    }
    headers = {"cache-control": "no-store"} if secret else {}
    return render(request, "account.html", context, status=400 if refusal else 200, headers=headers)
