"""One fetch by hand: every gate's decision as a line, then what came back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from limpet.assembly import House
from limpet.cli.terminal import Terminal, words
from limpet.errors import DataDirUnusable, FetchError
from limpet.fetch import Page, Trail
from limpet.source import Source
from limpet.target import Target
from limpet.target.address import lane_of, parse_address


async def fetch_and_show(
    house: House, url: str, source: Source, *, output: Path | None, browser: bool
) -> int:
    """Fetch the address on the source's terms and print the trail; exit 1 when there is no page."""
    parse_address(url)  # a malformed address is the asker's mistake, not a gate's decision
    trail = Trail(verbose=True)
    console = Terminal()
    error: FetchError | None = None
    page: Page | None = None
    try:
        page = await _fetch(house, url, source, trail, browser=browser)
    except FetchError as refused:
        error = refused
    await house.ledger.note_requests(trail.requests)
    _print_trail(console, trail)
    if error is not None:
        console.print(words((str(error.outcome), "red"), f" {error.code}: {error}"), soft_wrap=True)
        return 1
    assert page is not None
    told = f" HTTP {page.status}, {len(page.body):,} bytes, {page.media_type or 'no type'}"
    console.print(words(("ok", "green"), told))
    if output is not None:
        _save(page, output)
        console.print(f"The body is in {output}.")
    return 0


async def _fetch(house: House, url: str, source: Source, trail: Trail, *, browser: bool) -> Page:
    site = house.sites.get(source.site)
    asked = replace(source, fetcher="browser") if browser else source
    target = Target(source_id=source.id, address=url, url=url, lane=lane_of(url))
    return await site.route(house.desk.way(asked, site, trail), asked, target)


def _print_trail(console: Terminal, trail: Trail) -> None:
    for decision in trail.decisions:
        mark = ("yes", "green") if decision.allowed else ("no ", "red")
        console.print(words(mark, f"  {decision.gate:<8} {decision.detail}"), soft_wrap=True)


def _save(page: Page, output: Path) -> None:
    try:
        output.write_bytes(page.body)
    except OSError as exc:
        raise DataDirUnusable(
            f"Cannot write {output}: {exc.strerror}.", fix="Choose another --output."
        ) from exc
