"""Which headers cross the egress guard, in both directions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from limpet.fetch.browser.answer import Answer

_HOP_BY_HOP = frozenset(
    [
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ]
)
# Forward frames, encodes and addresses its requests itself.
_NOT_FORWARDED = _HOP_BY_HOP | {"host", "content-length", "accept-encoding"}
# Bodies arrive decoded; other services, reports and login prompts would be traffic of Chromium's own.
_NOT_RETURNED = _HOP_BY_HOP | frozenset(
    [
        "content-encoding",
        "content-length",
        "www-authenticate",
        "alt-svc",
        "nel",
        "report-to",
        "reporting-endpoints",
    ]
)
_NOT_LOADED_DESTINATIONS = frozenset(["image", "font", "style", "video", "audio", "track"])
_LEGAL_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CACHEABLE = re.compile(
    r"(text|application)/(x-)?javascript|text/css|(image|font|audio|video)/.*|application/wasm"
)

NOT_LOADED_SUFFIXES = (
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".webp",
    ".avif",
    ".svg",
    ".ico",
    ".bmp",
    ".woff",
    ".woff2",
    ".ttf",
    ".otf",
    ".eot",
    ".css",
    ".mp4",
    ".webm",
    ".mp3",
)


def headers_to_forward(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return what the origin may see of Chromium's headers, by lower-case name; repeated ones are joined."""
    kept: dict[str, str] = {}
    for raw_name, raw_value in raw:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if name in _NOT_FORWARDED or name.startswith("proxy-"):
            continue
        joiner = "; " if name == "cookie" else ", "
        kept[name] = f"{kept[name]}{joiner}{value}" if name in kept else value
    return kept


def headers_to_return(answer: Answer) -> list[tuple[bytes, bytes]]:
    """Return what Chromium may see of the origin's headers."""
    # Scripts may be kept, each costs the site a request; pages and data must be as fresh as we say they are.
    may_be_cached = bool(_CACHEABLE.fullmatch(answer.media_type))
    kept = [
        (name.encode("latin-1"), _storable(value))
        for name, value in answer.headers
        if _LEGAL_NAME.fullmatch(name)
        and name.lower() not in _NOT_RETURNED
        and (may_be_cached or name.lower() != "cache-control")
    ]
    return kept if may_be_cached or 300 <= answer.status < 400 else [*kept, (b"cache-control", b"no-store")]


def is_decoration(url: str, headers: Mapping[str, str]) -> bool:
    """Whether a request is for images, fonts or styles, which are not loaded unless a site asks."""
    destination = headers.get("sec-fetch-dest")
    if destination is not None:
        return destination in _NOT_LOADED_DESTINATIONS
    if headers.get("accept", "").startswith(("image/", "text/css")):
        return True
    return urlsplit(url).path.lower().endswith(NOT_LOADED_SUFFIXES)


def _storable(value: str) -> bytes:
    """Return a header value as bytes that may stand on one line."""
    return re.sub(rb"[\x00-\x08\x0a-\x1f\x7f]", b" ", value.encode("latin-1", "replace")).strip()
