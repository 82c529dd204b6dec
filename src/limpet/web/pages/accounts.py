"""Everybody who may come in; for admins."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from limpet.assembly import House
from limpet.errors import LimpetError
from limpet.record.access.accounts import Account, add_account, list_accounts, remove_account, set_role
from limpet.record.access.roles import Role
from limpet.record.access.tokens import list_tokens, revoke_token
from limpet.web.access import keys
from limpet.web.access.caller import TheAdmin, act
from limpet.web.asking import Reason, RowNumber
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

TheRole = Annotated[Role, Form()]


@router.get("/accounts")
async def accounts(request: Request, house: TheHouse, caller: TheAdmin) -> Response:
    """List everybody, and every token."""
    return await _page(request, house)


@router.post("/accounts")
async def add(
    request: Request,
    house: TheHouse,
    caller: TheAdmin,
    name: Annotated[str, Form(max_length=200)],
    role: TheRole,
) -> Response:
    """Add somebody, and show the link by which they come in and choose a password."""
    try:
        account = await act(house, caller, add_account, name=name, role=role, password_hash=None)
    except LimpetError as refusal:
        return await _page(request, house, refusal=refusal)
    return await _with_link(request, house, account)


@router.post("/accounts/{name}/link")
async def link(request: Request, house: TheHouse, caller: TheAdmin, name: str) -> Response:
    """Show a link that lets somebody in once, as when they forgot their password."""
    return await _with_link(request, house, await keys.allow_entry(house, caller, name))


@router.post("/accounts/{name}/role")
async def change_role(house: TheHouse, caller: TheAdmin, name: str, role: TheRole) -> Response:
    """Make somebody something else."""
    await act(house, caller, set_role, name=name, role=role)
    return RedirectResponse("/accounts", 303)


@router.post("/accounts/{name}/remove")
async def remove(house: TheHouse, caller: TheAdmin, name: str, reason: Reason = "") -> Response:
    """Remove somebody; what they did stays on record."""
    await act(house, caller, remove_account, name=name, reason=reason)
    return RedirectResponse("/accounts", 303)


@router.post("/accounts/tokens/{token_id}/revoke")
async def end_token(house: TheHouse, caller: TheAdmin, token_id: RowNumber, reason: Reason = "") -> Response:
    """End anybody's token."""
    await act(house, caller, revoke_token, token_id=token_id, reason=reason)
    return RedirectResponse("/accounts", 303)


async def _with_link(request: Request, house: House, account: Account) -> Response:
    address = _origin(request) + await keys.entry_path(house, account.id)
    return await _page(request, house, link=address, for_name=account.name)


def _origin(request: Request) -> str:
    return request.headers.get("origin") or f"http://{request.headers.get('host', '')}"


async def _page(
    request: Request, house: House, *, link: str = "", for_name: str = "", refusal: LimpetError | None = None
) -> Response:
    context = {
        "accounts": await house.ledger.read(list_accounts),
        "tokens": [each for each in await house.ledger.read(list_tokens) if each.revoked_at is None],
        "roles": list(Role),
        "link": link,
        "for_name": for_name,
        "refusal": refusal,
    }
    headers = {"cache-control": "no-store"} if link else {}
    return render(request, "accounts.html", context, status=400 if refusal else 200, headers=headers)
