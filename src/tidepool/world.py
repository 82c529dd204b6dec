"""Which pretend sites there are, who answers for which host, and what time it is there."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import escape
from typing import Any

from tidepool.brown import Brown
from tidepool.court import court_sites
from tidepool.midway import Midway
from tidepool.primary import Primary
from tidepool.registry import Registry
from tidepool.scoreboard import Crex, CrexApi, Pavilion
from tidepool.shop import Shop
from tidepool.site import Movable, Request, Response, Setup, Site, html, redirect

ZONE = "tidepool.localhost"

# A new site is one folder and one line here.
SITES: Mapping[str, Callable[[Setup], Site]] = {
    "shop": Shop,
    "midway": Midway,
    "brown": Brown,
    "primary": Primary,
    "registry": Registry,
    "crex": Crex,
    "crexapi": CrexApi,
    "pavilion": Pavilion,
}
# Sites that share what they know, as a court and its file host do, come together.
NEIGHBOURS: tuple[Callable[[Setup], Mapping[str, Site]], ...] = (court_sites,)


class World:
    """All sites at one moment. The tick moves on command and, if it has a pace, with the wall clock."""

    def __init__(self, setup: Setup, *, tick_seconds: float = 0.0) -> None:
        setup = replace(setup, tick_seconds=tick_seconds, epoch=time.time())
        self.sites: dict[str, Site] = {name: build(setup) for name, build in SITES.items()}
        for build_all in NEIGHBOURS:
            self.sites |= build_all(setup)
        self._tick_seconds = tick_seconds
        self.reset()

    def reset(self) -> None:
        """Go back to tick 0."""
        self._advanced = 0
        self._began = time.monotonic()
        self._steps = [(0, self._began)]  # what was advanced in all, and when
        for site in self.sites.values():
            if isinstance(site, Movable):
                site.reset()

    @property
    def tick(self) -> int:
        """The moment all sites show: their content is a function of seed and tick alone."""
        if not self._tick_seconds:
            return self._advanced
        return self._advanced + int((time.monotonic() - self._began) / self._tick_seconds)

    def advance(self, ticks: int) -> int:
        """Move time forward and return the new tick."""
        self._advanced += ticks
        self._steps.append((self._advanced, time.monotonic()))
        return self.tick

    def moment_of(self, tick: int) -> float | None:
        """Return the monotonic second at which that tick began, or None if it has not."""
        if tick > self.tick:
            return None
        until = [when for _, when in self._steps[1:]] + [math.inf]
        for (advanced, since), end in zip(self._steps, until, strict=True):
            ahead = max(0, tick - advanced)
            begins = max(since, self._began + ahead * self._tick_seconds)
            if (ahead == 0 or self._tick_seconds) and begins < end:
                return begins
        return None

    def site_of(self, host: str) -> str | None:
        """Return the site of a host by its first label: `shop.reef.localhost` is a shop too."""
        labels = host.split(":", 1)[0].split(".")
        name = labels[1] if labels[0] == "www" and len(labels) > 1 else labels[0]
        return name if name in self.sites else None

    async def answer(self, request: Request) -> Response:
        """Answer as a healthy world would."""
        name = self.site_of(request.host)
        if name is None:
            return index_page(request, self.sites)
        if request.host.startswith("www."):
            bare = request.host.removeprefix("www.")
            return redirect(
                f"http://{bare}{request.path}" + (f"?{request.query}" if request.query else ""), status=301
            )
        return await self.sites[name].answer(request, tick=self.tick)

    def truth(self, site: str, path: str) -> dict[str, Any] | None:
        """Say what a perfect reader would find there now."""
        return self.sites[site].truth(path, tick=self.tick)

    def matches(self) -> list[dict[str, Any]]:
        """Say in short how every match stands now."""
        return self._crex.stadium.summaries(tick=self.tick)

    def match(self, key: str) -> dict[str, Any] | None:
        """Say how a match stands, each ball with `age_seconds` and `happened_monotonic`."""
        truth = self._crex.truth(key, tick=self.tick)
        now = time.monotonic()
        for ball in truth["balls"] if truth else ():
            ball["happened_monotonic"] = happened = self.moment_of(ball["tick"]) or now
            ball["age_seconds"] = now - happened
            ball["shown_monotonic"] = self.moment_of(ball["shown_tick"])  # None: not listed yet
        return truth

    @property
    def _crex(self) -> Crex:
        site = self.sites["crex"]
        assert isinstance(site, Crex)
        return site


def index_page(request: Request, sites: Mapping[str, Site]) -> Response:
    """Show which sites there are; robots may read it."""
    if request.path == "/robots.txt":
        return Response(404, b"no rules here", (("Content-Type", "text/plain"),))
    _, colon, port = request.host.rpartition(":")
    place = escape(colon + port) if colon else ""
    rows = "".join(
        f'<li><a href="http://{name}.{ZONE}{place}/">{name}.{ZONE}</a> - {escape(site.title)}</li>'
        for name, site in sites.items()
    )
    control = f'<a href="http://control.{ZONE}{place}/">control.{ZONE}</a>'
    return html(
        f"<!DOCTYPE html><html lang=en><head><title>Tidepool</title></head><body><h1>Tidepool</h1>"
        f"<p>A pretend web. Its sites:</p><ul>{rows}</ul>"
        f"<p>Faults, time and access log: {control}.</p></body></html>"
    )
