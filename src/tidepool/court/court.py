"""The court, as a site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cached_property
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, unquote

from tidepool.court.ajax import Desk
from tidepool.court.case import Row
from tidepool.court.docket import Docket
from tidepool.court.habits import Habits
from tidepool.court.index_csv import index_csv
from tidepool.court.nonces import COOKIE, Nonces
from tidepool.court.pages import Pages
from tidepool.court.paper import paper
from tidepool.court.register import FIRST_DOCUMENT, Registers
from tidepool.court.signatures import Signatures
from tidepool.site import Request, Response, Setup, html, plain, redirect

LISTING = "/judgments/unreported-judgments/"
REGISTERS = "/public-registers/"
INDEX = "/wp-content/uploads/box_files/judgments.csv"
AJAX = "/wp-admin/admin-ajax.php"
# What WordPress says unless told otherwise.
ROBOTS = "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n"
TICK_ZERO = datetime(2025, 11, 17, 8, 0, tzinfo=UTC)
MOST_FILINGS = 2_000
INVENTED_LATER_UP_TO = 10_000


class Court:
    """Publishes judgments and filings. `acts` are what the control API may do to it."""

    title = "a court: judgments behind a CSV index, expiring nonces and signed addresses of Box"

    def __init__(self, setup: Setup, signatures: Signatures) -> None:
        self._setup = setup
        self._signatures = signatures
        self.habits = signatures.habits
        self.nonces = Nonces(setup.seed, self.habits)
        self._index: tuple[int, bytes, str] | None = None
        self.acts: Mapping[str, Callable[..., Any]] = {
            "move": self.move,
            "file": self.file,
            "expire_nonces": self.expire_nonces,
            "expire_signatures": self.expire_signatures,
            "set_habits": self.set_habits,
        }

        if setup.cases > INVENTED_LATER_UP_TO:
            _ = self.docket  # whoever asked for so many comes to court, and should not wait at the door

    # A history takes a moment to invent, and most who start a pretend web never come to court.
    @cached_property
    def docket(self) -> Docket:
        """What is published now."""
        return Docket(self._setup.seed, self._setup.cases)

    @cached_property
    def registers(self) -> Registers:
        """What is filed in the public registers."""
        return Registers(self._setup.seed, min(MOST_FILINGS, max(20, self._setup.cases // 10)))

    # -- what the control API and tests may do ---------------------------------------------------------------

    def move(self, *, add: int = 0, change: int = 0, remove: int = 0, readd: int = 0) -> dict[str, list[str]]:
        """Publish, correct, withdraw and put back so many judgments; returns their tokens."""
        return self.docket.move(add=add, change=change, remove=remove, readd=readd)

    def file(self, *, count: int = 1) -> list[str]:
        """File so many new documents in the public registers; returns their tokens."""
        return self.registers.add(count)

    def expire_nonces(self) -> None:
        """Make every nonce given so far worthless."""
        self.nonces.expire()

    def expire_signatures(self) -> None:
        """Make every signed address and access token given so far worthless."""
        self._signatures.expire()

    def set_habits(self, **wishes: Any) -> dict[str, Any]:
        """Turn habits by name; raises ValueError for one that does not exist."""
        known = {habit.name for habit in fields(Habits)}
        if unknown := wishes.keys() - known:
            raise ValueError(
                f"the court has no habit {', '.join(sorted(unknown))}; it has {', '.join(sorted(known))}"
            )
        for name, value in wishes.items():
            setattr(self.habits, name, value)
        return asdict(self.habits)

    def reset(self) -> None:
        """Go back to the first day."""
        self.__dict__.pop("docket", None)
        self.__dict__.pop("registers", None)
        self._index = None
        self.nonces.reset()
        self._signatures.reset()
        self.set_habits(**asdict(Habits()))

    # -- the truth -----------------------------------------------------------------------------------------

    def document(self, number: int) -> bytes:
        """Return the PDF of that number."""
        kind = "Register document" if number >= FIRST_DOCUMENT else "Judgment"
        return paper(self._setup.seed, number, f"{kind} {number}")

    def pdf(self, token: str) -> bytes:
        """Return the PDF behind a token of the index or the registers; raises KeyError for an unknown one."""
        number = self.docket.document_of(token)
        if number is None:
            filing = self.registers.at(token)
            if filing is None:
                raise KeyError(token)
            number = filing.document
        return self.document(number)

    def published(self) -> dict[str, dict[str, Any]]:
        """Return what is true of every judgment in the index now, by token."""
        return {token: self._facts(token, row) for token, row in self.docket.by_token().items()}

    def truth(self, path: str, *, tick: int) -> dict[str, Any] | None:
        """Say what is true of a token (`/token/…`), of a filing (`/filing/…`) or, at the index, of everything."""
        self._come_to(tick)
        kind, _, token = path.strip("/").partition("/")
        if kind == "token":
            row = self.docket.by_token().get(unquote(token))
            return self._facts(unquote(token), row) if row else None
        if kind == "filing":
            filing = self.registers.at(unquote(token))
            return filing.facts() | self._weight(filing.document) if filing else None
        return self._whole_truth() if path == INDEX else None

    def _whole_truth(self) -> dict[str, Any]:
        rows = self.docket.rows
        return {
            "rows": len(rows),
            "blank": sum(not row.tokens for row in rows),
            "repeated": sum(row.repeats for row in rows),
            "cases": len(self.docket.by_token()),
            "criminal": sum(row.is_criminal for row in self.docket.by_token().values()),
            "missing_causes": self.docket.sequences.missing_causes,
            "missing_citations": self.docket.sequences.missing_citations,
            "filings": len(self.registers.filings),
        }

    def _facts(self, token: str, row: Row) -> dict[str, Any]:
        number = self.docket.document_of(token)
        assert number is not None
        return {"token": token, **row.facts(), **self._weight(number)}

    def _weight(self, number: int) -> dict[str, Any]:
        content = self.document(number)
        return {"sha256": sha256(content).hexdigest(), "bytes": len(content)}

    # -- the site ------------------------------------------------------------------------------------------

    async def answer(self, request: Request, *, tick: int) -> Response:
        """Answer as the healthy court does."""
        self._come_to(tick)
        if request.path == AJAX:
            return self._desk.answer(request, tick=tick)
        if request.method not in ("GET", "HEAD"):
            return plain("method not allowed", status=405, headers=(("Allow", "GET, HEAD"),))
        if request.path == "/robots.txt":
            return plain(ROBOTS)
        if request.path == INDEX:
            return self._index_answer(tick)
        return self._page(request, tick=tick)

    @cached_property
    def _desk(self) -> Desk:
        return Desk(self, self.nonces, self._signatures)

    @cached_property
    def _pages(self) -> Pages:
        return Pages(self.habits)

    def _come_to(self, tick: int) -> None:
        if self.habits.mutates_by_tick:
            self.docket.catch_up(tick)
        else:
            self.docket.skip_to(tick)

    def _index_answer(self, tick: int) -> Response:
        if self._index is None or self._index[0] != self.docket.version:
            body = index_csv(self.docket.rows)
            self._index = (self.docket.version, body, sha256(body).hexdigest()[:20])
        version, body, tag = self._index
        modified = TICK_ZERO + timedelta(seconds=version)
        return Response(
            200,
            body,
            (
                ("Content-Type", "text/csv"),
                ("ETag", f'"{tag}"'),
                ("Last-Modified", format_datetime(modified, usegmt=True)),
                ("Accept-Ranges", "none"),
            ),
        )

    def _page(self, request: Request, *, tick: int) -> Response:
        if request.path + "/" in (LISTING, REGISTERS):
            query = f"?{request.query}" if request.query else ""
            return redirect(f"{request.base}{request.path}/{query}", status=301)
        session = self.nonces.session_of(request)
        cookie = session or self.nonces.new_session()
        given = () if session else (("Set-Cookie", f"{COOKIE}={cookie}; Path=/; HttpOnly; SameSite=Lax"),)
        nonce, decoy = self.nonces.nonce(cookie, tick=tick), self.nonces.decoy(cookie, tick=tick)
        if request.path == LISTING:
            page = self._pages.listing(
                self.docket.rows, base=request.base, nonce=nonce, decoy=decoy, query=_query(request)
            )
        elif request.path == REGISTERS:
            page = self._pages.registers(
                self.registers, base=request.base, nonce=nonce, decoy=decoy, query=_query(request)
            )
        elif request.path == "/":
            page = self._pages.home(base=request.base)
        else:
            return html(self._pages.missing(base=request.base), status=404, headers=given)
        return html(page, headers=(("Cache-Control", "no-cache, must-revalidate, max-age=0"), *given))


def _query(request: Request) -> dict[str, str]:
    return dict(parse_qsl(request.query, keep_blank_values=True))
