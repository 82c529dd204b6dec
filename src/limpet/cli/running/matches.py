"""`limpet run matches`: the live monitor in the foreground, until Ctrl-C."""

from __future__ import annotations

from typing import Annotated

import typer

from limpet.cli import event_loop
from limpet.cli.opening import open_house
from limpet.settings import Settings

NAME = "matches"


def run_matches(
    seconds: Annotated[
        float | None, typer.Option(min=1, help="Stop after so long; without it, at Ctrl-C.")
    ] = None,
    interval: Annotated[
        float | None, typer.Option(min=0.2, metavar="SECONDS", help="How often a live match is asked.")
    ] = None,
) -> int:
    """Watch every live match of every source, second by second, and show how they stand.

    Matches are found by the sources' own lists. Every change becomes a numbered snapshot, every ball is kept once,
    and whatever a source, a page or a browser does, the monitor goes on. One process watches at a time; `limpet
    serve` watches too, and takes over when this one ends.

    \b
    Examples:
      limpet run matches
      limpet run matches --seconds 60
      limpet run matches --interval 1
    """
    return event_loop.run(_run(open_house(polling_interval_seconds=interval), seconds))


async def _run(settings: Settings, seconds: float | None) -> int:
    from limpet.assembly import assemble  # noqa: PLC0415 - heavy, and not needed to explain options
    from limpet.cli.monitoring import watch_matches  # noqa: PLC0415

    async with assemble(settings) as house:
        return await watch_matches(house, seconds=seconds)
