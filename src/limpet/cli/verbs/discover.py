"""`limpet discover`: addresses of products for a person to look through, into a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli import event_loop
from limpet.cli.opening import read_settings, verb_app

if TYPE_CHECKING:
    from limpet.cli.discovering import Search
    from limpet.settings import Settings

app = verb_app()


@app.command()
def discover(  # noqa: PLR0917 - the order of its options on the page of help
    source: Annotated[str, typer.Option(help="On whose terms: the id of a configured source.")],
    sitemap: Annotated[
        str | None, typer.Option(metavar="URL|auto", help="A sitemap, or `auto`: what robots.txt names.")
    ] = None,
    listing: Annotated[str | None, typer.Option(metavar="URL", help="A category or search page.")] = None,
    match: Annotated[
        str | None, typer.Option(metavar="REGEX", help="Only addresses in which this is found.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file; without it to stdout.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Stop when there are more addresses.")] = 500,
    pages: Annotated[int, typer.Option(min=1, max=1_000, help="Stop when there are more pages.")] = 10,
    verify: Annotated[bool, typer.Option("--verify", help="Visit each and keep what is a product.")] = False,
    json_path: Annotated[
        str, typer.Option(metavar="PATH", help="For listings in JSON: where the addresses are, as items.url.")
    ] = "",
    template: Annotated[
        str, typer.Option(metavar="URL", help="With --json-path: the address, {} for the value found.")
    ] = "",
) -> int:
    """Find addresses of products and write them as CSV, to be looked through and imported.

    It goes by the same gates as any visit: terms, hosts, robots.txt and the domain's pace. It writes a file and
    nothing else: no price is read, no target is added. When a limit is met nothing is written.

    \b
    Examples:
      limpet discover --source shop --sitemap auto --match /product/ -o found.csv
      limpet discover --source shop --listing https://shop.example.com/9mm/ --match /product/ -o found.csv
      limpet targets import found.csv --source shop
    """
    from limpet.cli.discovering import Search  # noqa: PLC0415 - help need not wait for it

    search = Search(source, sitemap, listing, match, limit, pages, verify, json_path, template)
    return event_loop.run(_discover(read_settings(), search, output))


async def _discover(settings: Settings, search: Search, output: Path | None) -> int:
    from limpet.assembly import assemble  # noqa: PLC0415
    from limpet.cli.discovering import discover_and_write  # noqa: PLC0415

    async with assemble(settings) as house:
        return await discover_and_write(house, search, output)
