"""`limpet new`: something to begin with, written from what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from limpet.cli.opening import verb_app

app = verb_app()


@app.callback()
def new() -> None:
    """Write something to begin with.

    \b
    Examples:
      limpet new site corner_shop --from page.html --url https://corner.example.com/p/1
    """


@app.command()
def site(  # noqa: PLR0917 - the order of its options on the page of help
    site_id: Annotated[
        str, typer.Argument(metavar="ID", help="What it is called: small letters, digits, _.")
    ],
    page: Annotated[
        Path, typer.Option("--from", metavar="FILE", help="A saved product page, or saved JSON.")
    ],
    url: Annotated[str, typer.Option(help="The address the page came from.")],
    app_name: Annotated[str, typer.Option("--app", help="Whose record it produces.")] = "prices",
    out: Annotated[
        Path | None,
        typer.Option(help="Where the new folder (or, with --no-code, the new file) goes (default: here)."),
    ] = None,
    no_code: Annotated[
        bool,
        typer.Option("--no-code", help="Write [[sites]] and [[sources]] for limpet.toml instead of code."),
    ] = False,
) -> None:
    """Write a site from a saved product page, offline: the model that fits, steady selectors, fixtures.

    What is written has read the page back before it is kept; the verb prints what it read. It refuses, and writes
    nothing, when title, price or availability cannot be found for certain or the page contradicts itself.

    \b
    Examples:
      limpet fetch https://corner.example.com/p/1 --source corner -o page.html
      limpet new site corner --from page.html --url https://corner.example.com/p/1 \\
          --out src/limpet/apps/prices/sites
      limpet new site corner --from page.html --url https://corner.example.com/p/1 --no-code >> limpet.toml
    """
    from limpet.cli.scaffolding import write_site  # noqa: PLC0415 - help need not wait for it

    write_site(site_id, page, url, app_name=app_name, out=out, no_code=no_code)
