"""`limpet parse`: a site on a saved page, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from limpet.cli.opening import read_settings, verb_app

app = verb_app()


@app.command()
def parse(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved page; `-` reads standard input.")],
    site: Annotated[str, typer.Option(help="Which site reads it; `limpet list sites` names them.")],
    url: Annotated[str, typer.Option(help="The address the page came from.")],
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> int:
    """Read a saved page as a site would and print the extraction and the verdict; nothing is fetched or stored.

    Exits 0 when the record would be accepted, 1 when it would not.

    \b
    Examples:
      limpet parse page.html --site sgammo --url https://sgammo.com/product/x/y
      limpet parse page.html --site sgammo --url https://sgammo.com/product/x/y --json
      limpet parse page.html --site auto --url https://any.shop.example/p/1 --json
      limpet parse page.html --site my-shop --url https://my.shop.example/p/1 --config limpet.toml
    """
    from limpet.cli.parsing import parse_and_show  # noqa: PLC0415 - help need not wait for it

    return parse_and_show(file, site, url, as_json=as_json, config=read_settings().config)
