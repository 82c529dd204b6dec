"""What one request asks for, besides its address."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from msgspec import Struct, field
from msgspec.structs import replace

from limpet.fetch.decode import ACCEPT_ENCODING
from limpet.fetch.filing import Sink
from limpet.source import Source
from limpet.target import Validators

# Names that must not follow a redirect to another origin.
_CREDENTIALS = frozenset({"authorization", "cookie", "proxy-authorization", "x-webhook-token"})
_BODY_HEADERS = frozenset({"content-type", "content-length"})
_CONDITIONS = frozenset({"if-none-match", "if-modified-since"})
_ACCEPT_PAGE = "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8"


class Ask(Struct, frozen=True):
    """One request: `kind` says what it is for (page, index, signed, robots, browser) and lands in the ledger."""

    kind: str = "page"
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    data: bytes | None = None
    validators: Validators = field(default_factory=Validators)
    has_secret_query: bool = False
    sink: Sink | None = None  # where the body of a good answer goes, instead of into memory

    @property
    def is_conditional(self) -> bool:
        """Whether 304 is an answer to it; a browser brings conditions of its own, about what it has cached."""
        return bool(self.validators) or any(name.lower() in _CONDITIONS for name in self.headers)

    @property
    def is_for_a_part(self) -> bool:
        """Whether 206 is an answer to it."""
        return any(name.lower() == "range" for name in self.headers)

    def with_form(self, fields: Mapping[str, str]) -> Ask:
        """Return the same request as a form post."""
        headers = {**self.headers, "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"}
        return replace(self, method="POST", headers=headers, data=urlencode(fields).encode())

    def after_redirect(self, status: int, *, same_origin: bool) -> Ask:
        """Return what may be asked of the next hop: no credentials abroad, no body where GET is meant."""
        dropped = frozenset() if same_origin else _CREDENTIALS
        ask = replace(self, validators=Validators()) if not same_origin else self
        if status == 303 or (status in (301, 302) and self.method == "POST"):
            ask, dropped = replace(ask, method="GET", data=None), dropped | _BODY_HEADERS
        kept = {name: value for name, value in ask.headers.items() if name.lower() not in dropped}
        return replace(ask, headers=kept)


def headers_for(source: Source, ask: Ask, user_agent: str) -> dict[str, str]:
    """Return the headers of one request: who we are, what we read, what we already hold."""
    headers = {
        "User-Agent": source.user_agent or user_agent,
        "Accept": _ACCEPT_PAGE,
        "Accept-Encoding": ACCEPT_ENCODING,
    }
    for more in (source.headers, ask.headers):
        if more:
            _put(headers, more)
    if ask.validators.etag:
        headers["If-None-Match"] = ask.validators.etag
    if ask.validators.last_modified:
        headers["If-Modified-Since"] = ask.validators.last_modified
    return headers


def _put(headers: dict[str, str], more: Mapping[str, str]) -> None:
    """Set these too; a name in another case is the same name, and is not said twice."""
    spelled = {name.lower(): name for name in headers}
    for name, value in more.items():
        headers[spelled.get(name.lower(), name)] = value
