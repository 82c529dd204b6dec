"""`limpet web`: the portal alone, beside workers and schedulers of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli import event_loop
from limpet.cli.opening import open_house, verb_app

if TYPE_CHECKING:
    from limpet.settings import Settings

app = verb_app()


@app.command()
def web(
    host: Annotated[str | None, typer.Option(help="Where the portal listens.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="0 takes a free one.")] = None,
) -> int:
    """Show the portal; runs asked for there are walked by the workers.

    Needs LIMPET_DATABASE_URL (Postgres) and LIMPET_REDIS_URL, as they do. On one machine `limpet serve` does it all.

    \b
    Examples:
      limpet web --host 0.0.0.0 --port 8787
    """
    return event_loop.run(_show(open_house(host=host, port=port)))


async def _show(settings: Settings) -> int:
    from dataclasses import replace  # noqa: PLC0415 - heavy things, and not needed to explain options

    from limpet.assembly import assemble  # noqa: PLC0415
    from limpet.cli.scaling import handing_over  # noqa: PLC0415
    from limpet.cli.serving import say_where, serve_house  # noqa: PLC0415

    async with assemble(settings) as house:
        handing = replace(house, desk=await handing_over(house))
        await serve_house(handing, say=say_where, works=False)
    return 0
