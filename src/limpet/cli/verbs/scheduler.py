"""`limpet scheduler`: plans what is due and hands it to the workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.cli import event_loop
from limpet.cli.opening import open_house, verb_app

if TYPE_CHECKING:
    from limpet.settings import Settings

app = verb_app()


@app.command()
def scheduler() -> int:
    """Plan what is due by the sources' schedules; workers do the rest.

    Start two for safety: one leads, the other takes over within half a minute of its death.

    \b
    Examples:
      limpet scheduler
    """
    return event_loop.run(_schedule(open_house()))


async def _schedule(settings: Settings) -> int:
    from limpet.assembly import assemble  # noqa: PLC0415 - heavy, and not needed to explain options
    from limpet.cli.scaling import schedule  # noqa: PLC0415

    async with assemble(settings) as house:
        await schedule(house)
    return 0
