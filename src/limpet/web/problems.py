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
    DataDirUnusable,
    DiskInsufficient,
    LedgerBusy,
    LedgerUnreadable,
    LimpetError,
    NotThere,
    QueueFull,
    RunBusy,
    SwitchedOff,
    UnknownRun,
    UnknownSource,
    UsageError,
)
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
_RETRY_SECONDS = "2"


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
    if _is_machine(request):
        body: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": sentence}
        extra = {"code": code, "fix": fix, "errors": errors}
        body |= {name: value for name, value in extra.items() if value}
        return JSONResponse(body, status, headers=headers, media_type=PROBLEM)
    context = {"status": status, "heading": title, "sentence": sentence, "fix": fix}
    return render(request, "problem.html", context, status=status, headers=headers)


def _is_machine(request: Request) -> bool:
    """Whether a program asks; matches are shown to both, and a browser says that it wants a page."""
    path = request.scope["path"]
    if path.startswith("/matches"):
        return "text/html" not in request.headers.get("accept", "")
    return bool(path.startswith(_FOR_MACHINES))


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
    is_page = not _is_machine(request)
    if is_page and all(each["where"][0] == "path" for each in found):
        return refuse(request, 404, "There is nothing at this address.")
    first = f"{'.'.join(found[0]['where'])}: {found[0]['what']}" if found else "The question cannot be read."
    return refuse(request, 422, first, errors=found)


async def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, LimpetError)
    status = _status_of(error)
    headers = {"retry-after": _RETRY_SECONDS} if status == 503 else None
    if isinstance(error, QueueFull):
        headers = {"retry-after": f"{error.retry_after:.0f}"}
    return refuse(request, status, str(error), fix=error.fix, code=error.code, headers=headers)


def _status_of(error: LimpetError) -> int:
    if isinstance(error, NotThere | UnknownRun | UnknownSource):
        return 404
    if isinstance(error, LedgerBusy | LedgerUnreadable | DataDirUnusable | DiskInsufficient):
        return 503
    if isinstance(error, QueueFull):
        return 429
    if isinstance(error, SwitchedOff | RunBusy):
        return 409
    return 400 if isinstance(error, UsageError) else 500
