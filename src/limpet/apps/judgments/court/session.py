"""A visit to the court: the cookie, nonce and folder its AJAX desk wants to see, shared by all who ask there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from weakref import WeakKeyDictionary

from limpet.apps.judgments.court.court import Court
from limpet.apps.judgments.errors import AjaxUnreadable
from limpet.extract.site import PlainWay
from limpet.fetch.page import Page
from limpet.source import Source

_SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_OBJECT = re.compile(r"\{[^{}]*\}")
# A key called _nonce belongs to another plugin of the page, and the desk refuses it: it must not match here.
_NONCE = re.compile(r"""(?<![\w-])["']?(?:ajax_nonce|security|nonce)["']?\s*[:=]\s*["']([0-9a-f]{10})["']""")
_FOLDER = re.compile(r"""(?<![\w-])["']?(?:fid|folder_id|folder)["']?\s*[:=]\s*["']?(\d{5,20})\b""")
_FOLDER_ON_BUTTON = re.compile(r"""\bdata-fid\s*=\s*["']?(\d{5,20})\b""")


@dataclass(frozen=True, slots=True)
class Session:
    """What the desk wants to see."""

    nonce: str
    folder_id: str
    cookies: str  # as the Cookie header


@dataclass(slots=True)
class _Visit:
    """One source's session in one event loop."""

    session: Session | None = None
    refreshing: asyncio.Lock = field(default_factory=asyncio.Lock)


class Sessions:
    """Keeps one session per source. However many ask at once, the page is fetched once."""

    def __init__(self, court: Court) -> None:
        self._court = court
        self._visits: WeakKeyDictionary[Any, dict[str, _Visit]] = WeakKeyDictionary()

    async def current(self, way: PlainWay, source: Source, *, refused: Session | None = None) -> Session:
        """Return the session; one that was refused is replaced, unless somebody has done so already."""
        visit = self._visit(source)
        async with visit.refreshing:
            if visit.session is None or visit.session == refused:
                visit.session = await self._begin(way, source)
            return visit.session

    def _visit(self, source: Source) -> _Visit:
        # By loop: a lock belongs to the loop it was waited for in.
        visits = self._visits.setdefault(asyncio.get_running_loop(), {})
        return visits.setdefault(f"{source.id} {self._court.base(source)}", _Visit())

    async def _begin(self, way: PlainWay, source: Source) -> Session:
        """Read the page as it is sent; only when its script has changed, as a browser shows it."""
        url = self._court.listing_url(source)
        page = await way.get(url, kind="page")
        found = session_in(page, self._court.action, cookies=_cookies(page.headers))
        if found is not None:
            return found
        rendered = await way.render(url, wait_for=f"[{self._court.button}]", capture=(f"{url}*",))
        cookies = next((_cookies_of(kept) for kept in rendered.captured), "")
        found = session_in(rendered.page, self._court.action, cookies=cookies)
        if found is None:
            raise AjaxUnreadable(
                f"{url} shows no nonce and folder, not even in a browser: its script has changed.",
                fix="Compare the page's scripts with apps/judgments/court/session.py.",
            )
        return found


def session_in(page: Page, action: str, *, cookies: str) -> Session | None:
    """Return what the page's scripts give, the most specific place first; None when they give too little."""
    text = page.body.decode("utf-8", "replace")
    scripts = _SCRIPT.findall(text)
    nonce = _first(_NONCE, _places(scripts, action))
    folder = _first(_FOLDER, _places(scripts, action)) or _first(_FOLDER_ON_BUTTON, [text])
    return Session(nonce, folder, cookies) if nonce and folder else None


def _places(scripts: list[str], action: str) -> list[str]:
    """Return where to look: objects about documents, then objects about AJAX, then scripts that name the action."""
    objects = [found for script in scripts for found in _OBJECT.findall(script)]
    about_documents = [each for each in objects if _FOLDER.search(each)]
    about_ajax = [each for each in objects if "admin-ajax.php" in each.replace("\\/", "/")]
    return [*about_documents, *about_ajax, *(script for script in scripts if action in script)]


def _first(pattern: re.Pattern[str], places: list[str]) -> str | None:
    return next((found[1] for place in places if (found := pattern.search(place))), None)


def _cookies(headers: Mapping[str, str]) -> str:
    """Return the Cookie header that answers these Set-Cookie headers."""
    every = getattr(headers, "getall", None)
    given = every("set-cookie", []) if every else [headers.get("set-cookie", "")]
    pairs: dict[str, str] = {}
    for line in given:
        try:
            pairs |= {name: morsel.coded_value for name, morsel in SimpleCookie(line).items()}
        except CookieError:
            continue
    return "; ".join(f"{name}={value}" for name, value in pairs.items())


def _cookies_of(captured: Any) -> str:
    """Return the cookies of a page the browser asked for: those it was given, else those it had."""
    asked = {name.lower(): value for name, value in captured.request_headers.items()}
    return _cookies(captured.headers) or str(asked.get("cookie", ""))
