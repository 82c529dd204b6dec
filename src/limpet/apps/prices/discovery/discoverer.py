"""Walks sitemaps or a listing on a source's terms and gathers addresses; stops loudly where a cap is met."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from limpet.apps.prices.discovery.listing import Listing, read_json_listing, read_listing
from limpet.apps.prices.discovery.sitemap import read_sitemap
from limpet.apps.prices.feed import target_of
from limpet.errors import BadAddress, UsageError
from limpet.extract.site import Getter
from limpet.fetch.page import Page
from limpet.source import Source
from limpet.target.address import parse_address

DEEPEST_INDEX = 2
FALLBACKS = ("/sitemap.xml", "/sitemap_index.xml", "/product-sitemap.xml")
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a person should look again; a cap that is met ends the walk, and nothing is written."""

    addresses: int = 500
    pages: int = 10


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which addresses are meant: those that match, or those shaped like the ones we know."""

    pattern: re.Pattern[str] | None = None
    shapes: frozenset[tuple[str, ...]] = frozenset()

    def takes(self, url: str) -> bool:
        if self.pattern is not None:
            return self.pattern.search(url) is not None
        return not self.shapes or shape_of(url) in self.shapes


@dataclass(slots=True)
class Discovery:
    """What was found, under its canonical spelling and in the order it was found, and why the rest was not taken."""

    addresses: dict[str, str] = field(default_factory=dict)  # canonical address, as it was found
    left_out: Counter[str] = field(default_factory=Counter)
    pages: int = 0


def shape_of(url: str) -> tuple[str, ...]:
    """Return what the addresses of one shop's products have in common: first step, depth, names of parameters."""
    address = parse_address(url)
    steps = [step for step in address.path.split("/") if step]
    names = sorted(part.partition("=")[0] for part in address.query.split("&") if part)
    first = steps[0] if len(steps) > 1 else ""
    return (first, str(len(steps)), *names)


def wanted(match: str | None, known: Iterable[str]) -> Wanted:
    """Return which addresses are meant; raise UsageError for a pattern that is none."""
    if match is None:
        return Wanted(shapes=frozenset(shape_of(url) for url in known))
    try:
        return Wanted(pattern=re.compile(match))
    except re.error as wrong:
        raise UsageError(
            f"--match {match!r} is no pattern: {wrong}.", fix="Try a plain piece: --match /product/."
        ) from None


@dataclass(slots=True)
class Discoverer:
    """One walk. Every request goes by the way it is given, and so through every gate."""

    source: Source
    way: Getter
    wanted: Wanted
    may_visit: Callable[[str], Awaitable[bool]]  # whether robots.txt, as last read, allows it
    limits: Limits = field(default_factory=Limits)
    tell: Tell = lambda _: None
    found: Discovery = field(default_factory=Discovery)
    _rejected: set[str] = field(default_factory=set)

    async def from_sitemap(self, url: str, *, depth: int = DEEPEST_INDEX) -> Discovery:
        """Gather what a sitemap lists; an index is followed two levels deep."""
        sitemap = read_sitemap(await self._get(url))
        if not sitemap.is_index:
            await self._take(sitemap.places)
        elif not depth:
            raise UsageError(
                f"{url} is an index within an index within an index.", fix="Name one of its parts."
            )
        else:
            for place in sitemap.places:
                if self._is_ours(place):
                    await self.from_sitemap(place, depth=depth - 1)
        return self.found

    async def from_listing(self, url: str, *, json_path: str = "", template: str = "") -> Discovery:
        """Gather what a listing links to, page after page."""
        upcoming: str | None = url
        seen: set[str] = set()
        while upcoming is not None and upcoming not in seen:
            seen.add(upcoming)
            page = await self._get(upcoming, headers={"Accept": "application/json"} if json_path else {})
            listing = self._read(page, json_path, template)
            before = len(self.found.addresses)
            await self._take(listing.links)
            # A shop may show its last page again and again under ever higher numbers.
            upcoming = listing.next_page if len(self.found.addresses) > before else None
        return self.found

    @staticmethod
    def _read(page: Page, json_path: str, template: str) -> Listing:
        return read_json_listing(page, json_path, template) if json_path else read_listing(page)

    async def _get(self, url: str, **request: object) -> Page:
        if self.found.pages >= self.limits.pages:
            raise _too_much(
                _counted(self.limits.pages, "page", "pages"), "--pages", len(self.found.addresses)
            )
        self.found.pages += 1
        self.tell(f"page {self.found.pages}: {url}")
        return await self.way.get(url, kind="index", **request)

    async def _take(self, urls: Iterable[str]) -> None:
        for url in urls:
            reason, address = await self._judge(url)
            if not reason:
                self.found.addresses.setdefault(address, url)
                if len(self.found.addresses) > self.limits.addresses:
                    raise _too_much(
                        _counted(self.limits.addresses, "address", "addresses"),
                        "--limit",
                        len(self.found.addresses),
                    )
            elif url not in self._rejected:
                self._rejected.add(url)
                self.found.left_out[reason] += 1

    async def _judge(self, url: str) -> tuple[str, str]:
        """Return why an address is left out, or no reason and its canonical spelling."""
        if not self._is_ours(url):
            return "another site's", ""
        if not self.wanted.takes(url):
            return "not what --match asks for" if self.wanted.pattern else "not shaped like a product", ""
        try:
            address = target_of(self.source, url).address
        except BadAddress:
            return "no usable address", ""
        if not await self.may_visit(url):
            return "disallowed by robots.txt", ""
        return "", address

    def _is_ours(self, url: str) -> bool:
        try:
            return self.source.covers(parse_address(url).host)
        except BadAddress:
            return False


def _counted(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"


def _too_much(cap: str, option: str, found: int) -> UsageError:
    return UsageError(
        f"There are more than {cap}; {found:,} addresses were found so far, and nothing was written.",
        fix=f"Narrow it with --match, or raise {option} once you know that you want them all.",
    )
