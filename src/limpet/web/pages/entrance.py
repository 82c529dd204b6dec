"""The entrance: sign in, enter by a one-time link, sign out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from limpet.errors import TooManyLogins
from limpet.web.access.caller import TheCaller, caller_of
from limpet.web.access.cookies import take_session
from limpet.web.access.errors import NotAllowed, WrongPassword
from limpet.web.access.passage import (
    check_password,
    end_session,
    let_in,
    local_path,
    refuse_plain,
    spend_link,
)
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

Next = Annotated[str, Query(max_length=2_000)]


@router.get("/login")
async def login_form(request: Request, next: Next = "/") -> Response:  # noqa: A002 - the usual name
    """Ask who it is; somebody already signed in goes on."""
    if caller_of(request) is not None:
        return RedirectResponse(local_path(next), 303)
    return _form(request, next)


@router.post("/login")
async def login(
    request: Request,
    house: TheHouse,
    name: Annotated[str, Form(max_length=200)] = "",
    password: Annotated[str, Form(max_length=4_000)] = "",
    next: Annotated[str, Form(max_length=2_000)] = "/",  # noqa: A002
) -> Response:
    """Let somebody in by their password, or say why not."""
    try:
        refuse_plain(house, request)
        account_id = await check_password(house, request, name=name, password=password)
    except (WrongPassword, TooManyLogins, NotAllowed) as refusal:
        headers = {"retry-after": f"{refusal.retry_after:.0f}"} if isinstance(refusal, TooManyLogins) else {}
        status = {WrongPassword: 401, TooManyLogins: 429}.get(type(refusal), 403)
        return _form(request, next, name=name, refusal=refusal, status=status, headers=headers)
    return await let_in(house, request, account_id, then=next)


@router.get("/enter/{secret}")
async def enter(request: Request, house: TheHouse, secret: str) -> Response:
    """Let somebody in by a link that works once."""
    account_id = await spend_link(house, secret[:100])
    if account_id is not None:
        return await let_in(house, request, account_id, then="/")
    if caller_of(request) is not None:
        return RedirectResponse("/", 303)
    refusal = NotAllowed(
        "This link has been used, or its hour is over.",
        fix="Get another one where Limpet runs: `limpet accounts link NAME`",
    )
    return _form(request, "/", refusal=refusal, status=403)


@router.post("/logout")
async def logout(request: Request, house: TheHouse, caller: TheCaller) -> Response:
    """End the session, here and in the browser."""
    subject = f"account {caller.name}"
    await house.ledger.audit(caller.name, "sign_out", subject=subject)
    await end_session(house, request)
    response = RedirectResponse("/login", 303)
    take_session(response)
    return response


def _form(
    request: Request,
    then: str,
    *,
    name: str = "",
    refusal: WrongPassword | TooManyLogins | NotAllowed | None = None,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> Response:
    context = {"then": local_path(then), "name": name[:100], "refusal": refusal}
    return render(request, "login.html", context, status=status, headers=headers)
