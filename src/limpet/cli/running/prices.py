"""`limpet run prices`: one run in the foreground, over the product pages we watch."""

from __future__ import annotations

from typing import Annotated

import typer

from limpet.cli import event_loop
from limpet.cli.opening import open_house
from limpet.settings import Settings

NAME = "prices"


def run_prices(
    source: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many targets.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the plan; ask nobody, record nothing.")
    ] = False,
    recheck: Annotated[
        bool, typer.Option("--recheck", help="Only broken targets; an answer makes one active again.")
    ] = False,
) -> int:
    """Walk every active product page once, politely, and record what was found.

    Ctrl-C stops in good order: requests on the wire finish, everything else stays pending, and
    `limpet resume` goes on at exactly that place. A second Ctrl-C ends at once; nothing recorded is lost.

    \b
    Examples:
      limpet run prices
      limpet run prices --source shop --limit 20
      limpet run prices --dry-run
      limpet run prices --recheck
    """
    if dry_run and recheck:
        raise typer.BadParameter("--recheck fetches and --dry-run does not; choose one.")
    return event_loop.run(_run(open_house(), source, limit=limit, dry_run=dry_run, recheck=recheck))


async def _run(
    settings: Settings, source: str | None, *, limit: int | None, dry_run: bool, recheck: bool
) -> int:
    from limpet.assembly import assemble  # noqa: PLC0415 - heavy, and not needed to explain options
    from limpet.cli.walking import recheck_and_walk, show_plan, start_and_walk  # noqa: PLC0415

    async with assemble(settings) as house:
        if dry_run:
            return await show_plan(house, house.app(NAME), source, limit=limit)
        if recheck:
            return await recheck_and_walk(house, house.app(NAME), source, limit=limit)
        return await start_and_walk(house, house.app(NAME), source, limit=limit)
