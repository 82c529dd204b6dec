"""What every pretend site is given and hands back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable
from urllib.parse import parse_qsl

Headers = tuple[tuple[str, str], ...]

JSON = "application/json; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Setup:
    """What a site needs to know to invent its content."""

    seed: int = 7
    products: int = 200
    plain: bool = False  # every product simply in stock, for benches that measure the client and nothing else
    page_cache: int = 256
    cases: int = 2_700  # how many judgments the court has published
    matches: int = 12  # one of each kind
    tick_seconds: float = 0.0
    epoch: float = 0.0  # the wall time of tick 0, in seconds since 1970
    poll_seconds: float = 4.0  # how often a live page asks for news
    code_book_seconds: float = 2.0  # how late a live page learns the first names; the others come later still
    heavy_kilobytes: int = 200  # how big the pages of the heaviest shop are; those of its model weigh 900
    files: int = 5_600  # the last court number of year 25 at the registry
    late_milliseconds: int = 120  # how long the registry's script thinks before it draws what it knows


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived. Header names are lower-case; `path` is still percent-encoded."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def host(self) -> str:
        """The host asked for, with its port if one was given."""
        return self.headers.get("host", "").lower()

    @property
    def base(self) -> str:
        """The origin the visitor believes to be talking to."""
        return f"http://{self.host}"

    @property
    def parameters(self) -> dict[str, str]:
        return dict(parse_qsl(self.query, keep_blank_values=True))


@dataclass(frozen=True, slots=True)
class Response:
    """One honest answer. Length, date and encoding are added on the wire."""

    status: int = 200
    body: bytes = b""
    headers: Headers = ()

    def header(self, name: str) -> str | None:
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    def without(self, *names: str) -> Response:
        """Return this answer lacking those headers."""
        unwanted = {name.lower() for name in names}
        return replace(self, headers=tuple(pair for pair in self.headers if pair[0].lower() not in unwanted))

    def having(self, *headers: tuple[str, str]) -> Response:
        """Return this answer with those headers put in place of any of the same name."""
        kept = self.without(*(name for name, _ in headers))
        return replace(kept, headers=kept.headers + headers)


def html(text: str, *, status: int = 200, headers: Headers = ()) -> Response:
    """Return a page."""
    return Response(status, text.encode(), (("Content-Type", "text/html; charset=UTF-8"), *headers))


def plain(text: str, *, status: int = 200, headers: Headers = ()) -> Response:
    """Return plain text."""
    return Response(status, text.encode(), (("Content-Type", "text/plain; charset=utf-8"), *headers))


def json_answer(facts: object, *, status: int = 200) -> Response:
    """Return facts for a program to read."""
    return Response(status, json.dumps(facts).encode(), (("Content-Type", JSON),))


def redirect(location: str, *, status: int = 302) -> Response:
    """Send the visitor elsewhere."""
    return html(
        f"<p>See <a href={location!r}>here</a>.</p>", status=status, headers=(("Location", location),)
    )


class Site(Protocol):
    """One pretend site. It knows neither sockets nor faults."""

    title: str

    async def answer(self, request: Request, *, tick: int) -> Response:
        """Answer as a healthy site would."""
        ...

    def truth(self, path: str, *, tick: int) -> dict[str, Any] | None:
        """Say what a perfect reader would find at that path, for tests to compare; None for unknown paths."""
        ...


@runtime_checkable
class Movable(Protocol):
    """A site that can be acted on from outside, by a test or the control API."""

    acts: Mapping[str, Callable[..., Any]]

    def reset(self) -> None:
        """Undo what was ever done to it."""
        ...
