"""`limpet demo`: everything at work against a pretend web, offline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli import event_loop
from limpet.cli.opening import open_house, verb_app

if TYPE_CHECKING:
    from limpet.settings import Settings

app = verb_app()


@app.command()
def demo(
    seconds: Annotated[
        float | None, typer.Option(min=1.0, help="Stop by itself after so long; without it, Ctrl-C stops.")
    ] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="Where the portal listens.")] = None,
) -> int:
    """Start a pretend web and the whole service on it, show the portal, and prove the ledger at the end.

    Nothing leaves this machine. Exits 0 only if the ledger balances.

    \b
    Examples:
      limpet demo
      limpet demo --seconds 30 --data-dir /tmp/demo --port 0
    """
    return event_loop.run(_demo(open_house(port=port), seconds))


async def _demo(settings: Settings, seconds: float | None) -> int:
    from limpet.cli.demonstrating import demonstrate  # noqa: PLC0415 - heavy, and not needed to explain options

    return await demonstrate(settings, seconds)
