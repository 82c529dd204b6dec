"""The webhook of a change watcher such as ChangeDetection.io: something new was published, go and look.

It takes a shared secret, starts `new` runs alone, answers at once, and does not mind being told twice.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from limpet.errors import LimpetError, UsageError
from limpet.settings import Settings
from limpet.web.api.judgments.waiting import Bell, Ring
from limpet.web.form import fields_of, raw_body
from limpet.web.lookout import TheHouse
from limpet.web.scrape_planning import source_named

router = APIRouter(tags=["judgments"])

USUAL_LIMIT = 50


@router.post("/webhook/changedetection", status_code=202)
async def changedetection(request: Request, house: TheHouse) -> Response:
    """Start one `new` run because a watched page changed. Needs the secret, in the header `X-Webhook-Token`."""
    settings = house.settings
    if not settings.webhook_secret:
        return _refused(404, "webhook_disabled", "No webhook secret is set.")
    try:
        body = await raw_body(request)
        if not _knows_secret(request, body, settings):
            return _refused(403, "invalid_token", "The webhook token is missing or wrong.")
        ring = _ring(request, body, settings)
        ring = ring.at(source_named(house, ring.source_id))
    except UsageError as wrong:
        return _refused(400, "invalid_params", str(wrong), fix=wrong.fix)
    bell: Bell = request.app.state.bell
    try:
        answer = await bell.rung(ring)
    except LimpetError as trouble:
        return _refused(503, trouble.code, str(trouble), fix=trouble.fix)
    told = {"ok": True, "entrypoint": "webhook", "mode": "new", "target_source": ring.source_id}
    return JSONResponse(told | answer, 202)


def _knows_secret(request: Request, body: bytes, settings: Settings) -> bool:
    """Compare in constant time: the bare token, or a signature of the body that a replay cannot be made of."""
    secret = settings.webhook_secret or ""
    signed = request.headers.get("x-webhook-signature", "").removeprefix("sha256=")
    if signed:
        return _same(hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(), signed.lower())
    token = request.headers.get("x-webhook-token", "")
    if not token and settings.webhook_query_token:
        token = request.query_params.get("token", "")
    return _same(secret, token)


def _same(one: str, other: str) -> bool:
    # Hashed first: the time a comparison takes must not tell how long the secret is.
    digests = (hashlib.sha256(each.encode()).digest() for each in (one, other))
    return hmac.compare_digest(*digests)


def _ring(request: Request, body: bytes, settings: Settings) -> Ring:
    """Read what is asked for; what stands in the body goes before what stands in the address."""
    asked = {**request.query_params, **_asked(body, request.headers.get("content-type", ""))}
    if asked.get("mode", "new") != "new":
        raise UsageError(
            f"A webhook starts runs of mode 'new', not {str(asked['mode'])[:40]!r}.", fix="Leave it out."
        )
    source = asked.get("target_source")
    return Ring(
        source_id=str(source)[:200] if source else None,
        limit=_limit(asked.get("new_limit"), most=settings.webhook_new_limit_max),
        key=_key(request, asked, body),
    )


def _asked(body: bytes, content_type: str) -> dict[str, Any]:
    """Return the fields of the body; a watcher's own message in plain text has none."""
    if content_type.partition(";")[0].strip().lower() in ("text/plain", "text/html", "text/markdown"):
        return {}
    return fields_of(body, content_type)


def _limit(wish: object, *, most: int) -> int:
    if wish is None or wish == "":
        return min(USUAL_LIMIT, most)
    try:
        number = int(str(wish))
    except ValueError as wrong:
        raise UsageError(f"new_limit is no number: {str(wish)[:40]!r}.", fix=f"Give 1 to {most}.") from wrong
    return max(1, min(number, most))


def _key(request: Request, asked: dict[str, Any], body: bytes) -> str:
    """Return by what a replay is known: the key the sender gave, or all that was sent."""
    named = request.headers.get("idempotency-key") or asked.get("event")
    parts = (b"named", str(named).encode()) if named else (request.url.query.encode(), body)
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]


def _refused(status: int, error: str, detail: str, *, fix: str = "") -> Response:
    told = {"ok": False, "error": error, "detail": detail} | ({"fix": fix} if fix else {})
    return JSONResponse(told, status)
