"""`limpet resume`: go on with a run where it stopped."""

from __future__ import annotations

from typing import Annotated

import typer

from limpet.cli import event_loop
from limpet.cli.opening import open_house, verb_app
from limpet.settings import Settings

app = verb_app()


@app.command()
def resume(
    run_id: Annotated[
        int | None, typer.Argument(metavar="RUN", help="Which run; the newest unfinished one if left out.")
    ] = None,
) -> int:
    """Go on with an interrupted run: what is recorded stays, what is not is done.

    \b
    Examples:
      limpet resume
      limpet resume 12
    """
    return event_loop.run(_resume(open_house(must_exist=True), run_id))


async def _resume(settings: Settings, run_id: int | None) -> int:
    from limpet.assembly import assemble  # noqa: PLC0415 - heavy, and not needed to explain options
    from limpet.cli.walking import resume_and_walk  # noqa: PLC0415

    async with assemble(settings) as house:
        return await resume_and_walk(house, run_id)
