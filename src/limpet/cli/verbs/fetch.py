"""`limpet fetch`: one address through every gate, with each gate's answer shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli import event_loop
from limpet.cli.opening import read_settings, verb_app

if TYPE_CHECKING:
    from limpet.settings import Settings

app = verb_app()


@app.command()
def fetch(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address to ask for.")],
    source: Annotated[str, typer.Option(help="On whose terms: the id of a configured source.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the body to this file.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser", help="Render it in the browser.")] = False,
) -> int:
    """Fetch one page and show what every gate decided: source, address, robots, breaker, rate, send.

    \b
    Examples:
      limpet fetch https://shop.example.com/product/1 --source shop
      limpet fetch https://shop.example.com/product/1 --source shop -o page.html
    """
    return event_loop.run(_fetch(read_settings(), url, source, output=output, browser=browser))


async def _fetch(settings: Settings, url: str, source_id: str, *, output: Path | None, browser: bool) -> int:
    from limpet.assembly import assemble  # noqa: PLC0415 - heavy, and not needed to explain options
    from limpet.cli.fetching import fetch_and_show  # noqa: PLC0415

    async with assemble(settings) as house:
        return await fetch_and_show(
            house, url, house.catalogue.get(source_id), output=output, browser=browser
        )
