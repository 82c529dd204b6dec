"""`limpet worker`: walks lanes that a scheduler or a portal handed over; start as many as needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli import event_loop
from limpet.cli.opening import open_house, verb_app

if TYPE_CHECKING:
    from limpet.settings import Settings

app = verb_app()


@app.command()
def worker(
    queues: Annotated[
        str, typer.Option(help="Only these apps, with commas between: prices,judgments. Default: all.")
    ] = "",
    concurrency: Annotated[int, typer.Option(min=1, max=2_000, help="At most so many domains at once.")] = 50,
) -> int:
    """Walk what others have planned, on as many hosts as you like.

    Needs LIMPET_DATABASE_URL (Postgres) and LIMPET_REDIS_URL. A domain is walked by one worker at a time and at its
    own pace, however many there are. The first Ctrl-C or SIGTERM hands everything on in good order.

    \b
    Examples:
      limpet worker
      limpet worker --queues prices --concurrency 200
    """
    return event_loop.run(_work(open_house(), queues, concurrency))


async def _work(settings: Settings, queues: str, concurrency: int) -> int:
    from limpet.assembly import assemble  # noqa: PLC0415 - heavy, and not needed to explain options
    from limpet.cli.scaling import work  # noqa: PLC0415

    names = [name.strip() for name in queues.split(",") if name.strip()]
    async with assemble(settings) as house:
        await work(house, queues=names, lanes_at_once=concurrency)
    return 0
