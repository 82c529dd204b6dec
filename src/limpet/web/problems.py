"""What goes wrong, said twice: as a page for people, as problem+json (RFC 9457) for machines."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from limpet.errors import (
    AdapterStillFails,
    DataDirUnusable,
    DiskInsufficient,
    LedgerBusy,
    LedgerUnreadable,
    LimpetError,
    NotThere,
    QueueFull,
    RunBusy,
    SwitchedOff,
    TooManyLogins,
    UnknownRun,
    UnknownSite,
    UnknownSource,
    UsageError,
)
from limpet.web.access.errors import KeyReused, NotAllowed, NotSignedIn, WrongPassword
from limpet.web.rendering import render

PROBLEM = "application/problem+json"
_FOR_MACHINES = (
    "/api/",
    "/health",
    "/ready",
    "/metrics",
    "/live",
    "/start",
    "/resume",
    "/report",
    "/logs/",
    "/webhook/",
    "/status",
    "/cricket-data/",
    "/admin/",
)
_FOR_BOTH = ("/matches", "/export/", "/download/", "/files/")
_RETRY_SECONDS = "2"


def is_for_machines(request: Request) -> bool:
    """Whether a program asks; some addresses are for both, and a browser says that it wants a page."""
    path: str = request.scope["path"]
    if path.startswith(_FOR_BOTH):
        return "text/html" not in request.headers.get("accept", "")
    return path.startswith(_FOR_MACHINES)


def refuse(
    request: Request,
    status: int,
    sentence: str,
    *,
    fix: str = "",
    code: str = "",
    errors: list[dict[str, Any]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the answer in the language of the one who asked."""
    title = HTTPStatus(status).phrase
    if is_for_machines(request):
        body: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": sentence}
        extra = {"code": code, "fix": fix, "errors": errors}
        body |= {name: value for name, value in extra.items() if value}
        return JSONResponse(body, status, headers=headers, media_type=PROBLEM)
    context = {"status": status, "heading": title, "sentence": sentence, "fix": fix}
    return render(request, "problem.html", context, status=status, headers=headers)


def teach_problems(app: FastAPI) -> None:
    """Make the app answer every error it knows in one of the two languages."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(LimpetError, _ours)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = "There is nothing at this address." if error.status_code == 404 else str(error.detail)
    return refuse(request, error.status_code, sentence, headers=error.headers)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = [
        {"where": [str(part) for part in each["loc"]], "what": str(each["msg"])} for each in error.errors()
    ]
    if not is_for_machines(request) and all(each["where"][0] == "path" for each in found):
        return refuse(request, 404, "There is nothing at this address.")
    first = f"{'.'.join(found[0]['where'])}: {found[0]['what']}" if found else "The question cannot be read."
    return refuse(request, 422, first, errors=found)


async def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, LimpetError)
    return answer_to(request, error)


def answer_to(request: Request, error: LimpetError) -> Response:
    """Return what one of our own errors looks like from outside."""
    status = _status_of(error)
    headers = {"retry-after": _RETRY_SECONDS} if status == 503 else {}
    if isinstance(error, QueueFull | TooManyLogins):
        headers = {"retry-after": f"{error.retry_after:.0f}"}
    if isinstance(error, NotSignedIn):
        headers = {"www-authenticate": "Bearer"}
    return refuse(request, status, str(error), fix=error.fix, code=error.code, headers=headers)


# The first that fits counts: a special kind stands before the general one.
_STATUSES: tuple[tuple[type[LimpetError] | tuple[type[LimpetError], ...], int], ...] = (
    ((NotThere, UnknownRun, UnknownSource, UnknownSite), 404),
    ((LedgerBusy, LedgerUnreadable, DataDirUnusable, DiskInsufficient), 503),
    ((QueueFull, TooManyLogins), 429),
    ((SwitchedOff, RunBusy, KeyReused, AdapterStillFails), 409),
    ((NotSignedIn, WrongPassword), 401),
    (NotAllowed, 403),
    (UsageError, 400),
)


def _status_of(error: LimpetError) -> int:
    return next((status for kinds, status in _STATUSES if isinstance(error, kinds)), 500)
