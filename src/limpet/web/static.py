"""Our few files - style, script, mark - read once and served by name; no path is ever looked up."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from limpet.errors import NotThere

router = APIRouter(include_in_schema=False)

_MEDIA_TYPES = {
    "limpet.css": "text/css; charset=utf-8",
    "dockets.css": "text/css; charset=utf-8",
    "judgments.css": "text/css; charset=utf-8",
    "evidence.css": "text/css; charset=utf-8",
    "keys.js": "text/javascript; charset=utf-8",
    "live.js": "text/javascript; charset=utf-8",
    "mark.svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file with the tag that changes whenever it does."""

    body: bytes
    media_type: str
    tag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """Return every file by name."""
    folder = files("limpet.web") / "static"
    found = {}
    for name, media_type in _MEDIA_TYPES.items():
        body = (folder / name).read_bytes()
        found[name] = StaticFile(body, media_type, hashlib.sha256(body).hexdigest()[:16])
    return found


def address_of(name: str) -> str:
    """Return the file's address, which is another one after every change of the file."""
    return f"/static/{name}?v={static_files()[name].tag}"


@router.get("/static/{name}")
async def static_file(request: Request, name: str) -> Response:
    """Return the file; one asked for by its current tag may be kept for good."""
    file = static_files().get(name)
    if file is None:
        raise NotThere("There is no such file.")
    headers = {"etag": f'"{file.tag}"'}
    if name == "evidence.css":
        headers["cross-origin-resource-policy"] = "cross-origin"  # a sandboxed frame has no origin of its own
    if request.query_params.get("v") == file.tag:
        headers["cache-control"] = "public, max-age=31536000, immutable"
    if request.headers.get("if-none-match") == f'"{file.tag}"':
        return Response(status_code=304, headers=headers)
    return Response(file.body, media_type=file.media_type, headers=headers)
