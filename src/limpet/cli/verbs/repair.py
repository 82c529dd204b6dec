"""`limpet repair`: everything a person needs to mend a site that drifted, in one folder."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from limpet.cli.opening import verb_app

app = verb_app()


@app.command()
def repair(
    site: Annotated[str, typer.Argument(metavar="SITE", help="As `limpet adapters list` shows it.")],
    source: Annotated[str | None, typer.Option(help="Only pages of this source.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="A new folder, or a new .zip (default: repair-SITE here).")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the findings for machines; write nothing.")
    ] = False,
) -> int:
    """Compare the last good page of a site with the first bad one, and write a bundle for whoever mends it.

    The bundle holds both pages as text, what each was read as, which selector lost which field, how the pages
    differ in structure, where the lost values probably are now, and a fixture that fails until the site is mended.
    Pages come from the snapshots; nothing is fetched. Exits 1, and writes nothing, when no bad page is on record.

    \b
    Examples:
      limpet repair sgammo
      limpet repair sgammo --out /tmp/sgammo.zip
      limpet repair corner-shop --source corner --json
    """
    from limpet.cli.repairing import repair_and_show  # noqa: PLC0415 - help need not wait for it

    return asyncio.run(repair_and_show(site, source, out=out, as_json=as_json))
