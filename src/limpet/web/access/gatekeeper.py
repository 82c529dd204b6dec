"""The gatekeeper: finds out who asks, and lets nobody past who may not. Closed unless said otherwise."""

from __future__ import annotations

from functools import partial
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from limpet.assembly import House
from limpet.errors import LimpetError
from limpet.record.access import sessions, tokens
from limpet.record.access.roles import Role
from limpet.record.access.roles import Scope as TokenScope
from limpet.record.access.secrets import forgery_token
from limpet.web.access.caller import Caller
from limpet.web.access.cookies import session_secret
from limpet.web.access.errors import NotAllowed, NotSignedIn
from limpet.web.access.forgery import READING, came_from_elsewhere
from limpet.web.access.public import is_for_metrics, is_public
from limpet.web.problems import answer_to, is_for_machines

_BEARER = "bearer "
# What also viewers may change: what is theirs.
_ONES_OWN = ("/account/", "/api/v1/account/", "/logout")


class Gatekeeper:
    """ASGI middleware: every request behind it has a caller, unless its address is public."""

    def __init__(self, app: ASGIApp, *, house: House) -> None:
        self._app = app
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            caller = await self._recognise(request)
            self._refuse(request, caller)
        except NotSignedIn as unknown:
            await _ask_to_sign_in(request, unknown)(scope, receive, send)
        except LimpetError as refusal:
            await answer_to(request, refusal)(scope, receive, send)
        else:
            request.state.caller = caller
            await self._app(scope, receive, send)

    async def _recognise(self, request: Request) -> Caller | None:
        try:
            return await self._ask_the_ledger(request)
        except Exception:
            if is_public(request.scope["path"]):
                return None  # /health must answer even when nobody can be known
            raise

    async def _ask_the_ledger(self, request: Request) -> Caller | None:
        said = request.headers.get("authorization", "")
        if said:
            return await self._by_token(said)
        secret = session_secret(request.headers, allow_plain=self._house.settings.plain_http)
        return await self._by_session(secret) if secret else None

    async def _by_token(self, said: str) -> Caller:
        token = said[len(_BEARER) :].strip() if said.lower().startswith(_BEARER) else ""
        now, ledger = self._house.clock.now(), self._house.ledger
        holder = await ledger.read(partial(tokens.find_holder, secret=token, now=now)) if token else None
        if holder is None:
            raise NotSignedIn(
                "This token opens nothing.", fix="Send `Authorization: Bearer lmp_…`; see `limpet tokens`."
            )
        if tokens.token_needs_noting(holder, now):
            await ledger.write(partial(tokens.note_used, token_id=holder.token_id, now=now))
        return Caller(holder.account_id, holder.name, holder.role, "token", scope=holder.scope)

    async def _by_session(self, secret: str) -> Caller | None:
        now, ledger = self._house.clock.now(), self._house.ledger
        session = await ledger.read(partial(sessions.find_session, secret=secret, now=now))
        if session is None:
            return None
        if sessions.needs_noting(session, now):
            await ledger.write(partial(sessions.note_seen, session_id=session.id, now=now))
        own = forgery_token(secret)
        return Caller(session.account_id, session.name, session.role, "session", forgery_token=own)

    def _refuse(self, request: Request, caller: Caller | None) -> None:
        path, is_change = request.scope["path"], request.method not in READING
        if is_change and came_from_elsewhere(request.headers):
            raise NotAllowed("Another site's page asked for this.", fix="Do it from the portal itself.")
        if is_public(path):
            return
        if caller is None:
            raise NotSignedIn("You are not signed in.", fix="Sign in, or send an API token.")
        if caller.scope is TokenScope.METRICS and not is_for_metrics(path):
            raise NotAllowed("This token is for /metrics alone.", fix="Create one with the scope `read`.")
        if is_change and caller.scope is TokenScope.READ:
            raise NotAllowed("This token only reads.", fix="Create one with the scope `operate`.")
        if is_change and not path.startswith(_ONES_OWN):
            caller.require(Role.OPERATOR)


def _ask_to_sign_in(request: Request, unknown: NotSignedIn) -> Response:
    """Send people to the door and come back with them; tell machines what is missing."""
    if is_for_machines(request) or request.method not in READING:
        return answer_to(request, unknown)
    wanted = request.scope["path"] + (f"?{query}" if (query := request.url.query) else "")
    target = "/login" if wanted == "/" else f"/login?next={quote(wanted, safe='')}"
    return RedirectResponse(target, 303)
