"""`limpet serve`: scheduler, workers and portal in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli import event_loop
from limpet.cli.opening import open_house, verb_app

if TYPE_CHECKING:
    from limpet.settings import Settings

app = verb_app()


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Where the portal listens.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="0 takes a free one.")] = None,
) -> int:
    """Run what is due by the sources' schedules, and show it in the portal, until Ctrl-C.

    The first Ctrl-C or SIGTERM stops in good order; whatever was under way is resumed at the next start.

    \b
    Examples:
      limpet serve
      limpet serve --port 9000 --data-dir /var/lib/limpet
    """
    return event_loop.run(_serve(open_house(host=host, port=port)))


async def _serve(settings: Settings) -> int:
    from limpet.assembly import assemble  # noqa: PLC0415 - heavy, and not needed to explain options
    from limpet.cli.serving import say_where, serve_house  # noqa: PLC0415

    async with assemble(settings) as house:
        await serve_house(house, say=say_where)
    return 0
