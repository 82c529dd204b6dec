"""One discovery by hand: walked on a source's terms, written as a table to be reviewed."""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from limpet.apps.prices.discovery import Discoverer, Discovery, Limits
from limpet.apps.prices.discovery.discoverer import FALLBACKS, wanted
from limpet.apps.prices.feed import target_of
from limpet.assembly import House
from limpet.cli.counting import counted
from limpet.engine.journey import read
from limpet.errors import DataDirUnusable, FetchError, PageGone, UsageError
from limpet.extract import Missing, Unreadable
from limpet.fetch import Trail
from limpet.fetch.client import Way
from limpet.fetch.policy.robots import Robots
from limpet.record.robots_memory import LedgerRobotsMemory
from limpet.source import Source
from limpet.target.address import parse_address

# A product that is sold out or comes in several variants is one all the same.
_STILL_A_PRODUCT = frozenset({Missing.OOS_NO_PRICE, Missing.AMBIGUOUS_VARIANTS, Missing.AMBIGUOUS_PRICE})


@dataclass(frozen=True, slots=True)
class Search:
    """What was asked for on the command line."""

    source_id: str
    sitemap: str | None
    listing: str | None
    match: str | None
    limit: int
    pages: int
    verify: bool
    json_path: str
    template: str


async def discover_and_write(house: House, search: Search, output: Path | None) -> int:
    """Walk, verify if asked to, and write the table; exit 1 when there is nothing in it."""
    if (search.sitemap is None) == (search.listing is None):
        raise UsageError("Say where to look: either --sitemap or --listing.", fix="`limpet discover --help`.")
    source = house.catalogue.get(search.source_id)
    if source.app != "prices":
        raise UsageError(f"{source.id!r} is a source of {source.app}.", fix="Only shops can be searched.")
    _refuse_to_overwrite(output)
    trail = Trail()
    try:
        found = await _walk(house, source, search, trail)
        keep = (
            await _verified(house, source, found, trail) if search.verify else list(found.addresses.values())
        )
    finally:
        # How politely we asked is part of the account we give of ourselves; nothing else is recorded.
        await house.ledger.note_requests(trail.requests)
    if keep or output is None:
        _write(source, keep, output)
    _report(found, keep, output)
    return 0 if keep else 1


def _refuse_to_overwrite(output: Path | None) -> None:
    if output is not None and output.exists():
        raise UsageError(f"{output} is there already.", fix="Choose another name; nothing is overwritten.")


async def _walk(house: House, source: Source, search: Search, trail: Trail) -> Discovery:
    chosen = wanted(search.match, _configured(house, source))
    if search.listing is not None and chosen.pattern is None and not chosen.shapes and not search.json_path:
        raise UsageError(
            "A listing links to much besides products.",
            fix="Say what a product's address has in it: --match /product/.",
        )
    walk = Discoverer(
        source,
        Way(house.client, source, trail),
        chosen,
        _robots_of(house, source),
        limits=Limits(search.limit, search.pages),
        tell=_say,
    )
    if search.listing is not None:
        return await walk.from_listing(search.listing, json_path=search.json_path, template=search.template)
    if search.sitemap != "auto":
        return await walk.from_sitemap(str(search.sitemap))
    return await _from_any_sitemap(house, source, walk, trail)


async def _from_any_sitemap(house: House, source: Source, walk: Discoverer, trail: Trail) -> Discovery:
    """Take the sitemaps robots.txt names; where it names none, those that are usually there."""
    origin = _origin(house, source)
    robots = await house.client.fetch(source, f"{origin}/robots.txt", trail=trail)
    named = [url for url in Robots.parse(robots.body).sitemaps if url]
    for url in named:
        await walk.from_sitemap(url)
    if named:
        return walk.found
    for path in FALLBACKS:
        try:
            return await walk.from_sitemap(origin + path)
        except PageGone:
            continue
    raise UsageError(f"{origin} has no sitemap that we could find.", fix="Name one, or try --listing.")


def _configured(house: House, source: Source) -> list[str]:
    return [url for each in house.config.sources if each.source.id == source.id for url in each.targets]


def _origin(house: House, source: Source) -> str:
    """Return where the site stands: where it is said to, where its targets are, or at its first host."""
    for url in (source.base_url, *_configured(house, source)):
        if url:
            return parse_address(url).origin
    return f"{'http' if source.http_only else 'https'}://{source.hosts[0].removeprefix('*.')}"


def _robots_of(house: House, source: Source) -> Callable[[str], Awaitable[bool]]:
    memory, agent = LedgerRobotsMemory(house.ledger), source.user_agent or house.settings.agent
    known: dict[str, Robots] = {}

    async def may_visit(url: str) -> bool:
        origin = parse_address(url).origin
        if origin not in known:
            stored = await memory.load(origin)
            known[origin] = Robots.parse(stored.body if stored is not None and stored.status < 300 else b"")
        return not source.obey_robots or known[origin].allows(agent, url)

    return may_visit


async def _verified(house: House, source: Source, found: Discovery, trail: Trail) -> list[str]:
    """Visit each address at the domain's pace and keep those the source's adapter knows for a product."""
    site, kept = house.sites.get(source.site), []
    for number, url in enumerate(found.addresses.values(), 1):
        target = target_of(source, url)
        try:
            page = await site.route(house.desk.way(source, site, trail), source, target)
        except FetchError as error:
            word = error.outcome
        else:
            reading = read(site, page, target)
            is_one = not isinstance(reading, Unreadable) or reading.reason in _STILL_A_PRODUCT
            word = "" if is_one or not isinstance(reading, Unreadable) else reading.reason.value
        if word:
            found.left_out[word] += 1
        else:
            kept.append(url)
        if number % 10 == 0:
            _say(f"visited {number} of {len(found.addresses)}")
    return kept


def _write(source: Source, urls: list[str], output: Path | None) -> None:
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("url", "source"))
    table.writerows((url, source.id) for url in urls)
    if output is None:
        sys.stdout.write(text.getvalue())
        return
    try:
        output.write_text(text.getvalue(), encoding="utf-8")
    except OSError as wrong:
        raise DataDirUnusable(
            f"Cannot write {output}: {wrong.strerror}.", fix="Choose another place."
        ) from wrong


def _report(found: Discovery, kept: list[str], output: Path | None) -> None:
    addresses = "1 address" if len(kept) == 1 else f"{len(kept):,} addresses"
    _say(f"{addresses} from {counted(found.pages, 'page')}.")
    for reason, count in Counter(found.left_out).most_common():
        _say(f"{count:,} left out: {reason}")
    if output is not None and not kept:
        _say(f"{output} was not written.")
    elif output is not None:
        _say(f"Look through {output}, then: limpet targets import {output}")


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
