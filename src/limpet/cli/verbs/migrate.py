"""`limpet migrate`: today's schema, or the whole ledger in another database."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli.opening import read_settings, verb_app

if TYPE_CHECKING:
    from limpet.settings import Settings

app = verb_app()


@app.command()
def migrate(
    to: Annotated[
        str | None, typer.Option(metavar="URL", help="Copy the whole ledger to this empty database.")
    ] = None,
    keep_bodies: Annotated[
        bool, typer.Option("--keep-bodies", help="Leave the pages in this data directory's pack files.")
    ] = False,
) -> None:
    """Bring the ledger to today's schema, or move it to another database.

    Moving copies every row, compares each with what it was, and proves every page by its hash; the old ledger is not
    changed. PDFs and other files stay in the data directory: take that along.

    \b
    Examples:
      limpet migrate
      limpet migrate --to postgresql://limpet@db/limpet
      limpet migrate --to sqlite:////var/lib/limpet/limpet.db
    """
    settings = read_settings()
    if to is None:
        typer.echo(asyncio.run(_bring_up(settings)))
    else:
        typer.echo(_move(settings, to, share_bodies=not keep_bodies))


async def _bring_up(settings: Settings) -> str:
    from limpet.assembly import open_ledger  # noqa: PLC0415 - help need not wait for it
    from limpet.record.lane_queue import install_queue  # noqa: PLC0415
    from limpet.record.migrate import newest_revision  # noqa: PLC0415

    async with open_ledger(settings) as ledger:
        if settings.is_scaled:
            await asyncio.to_thread(install_queue, ledger.engine)
    return f"The ledger has schema {newest_revision()}, today's."


def _move(settings: Settings, to: str, *, share_bodies: bool) -> str:
    from limpet.assembly import all_apps  # noqa: PLC0415 - every app's tables must be known
    from limpet.cli.moving import move_ledger  # noqa: PLC0415

    list(all_apps().values())
    moved = move_ledger(settings, to, share_bodies=share_bodies)
    return f"{moved.total:,} rows of {len(moved.rows)} tables were copied, and each compared."
