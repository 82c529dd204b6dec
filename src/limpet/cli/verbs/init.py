"""`limpet init`: a commented config file to begin with."""

from __future__ import annotations

import contextlib
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from limpet.cli.opening import verb_app
from limpet.errors import DataDirUnusable, UsageError

app = verb_app()


@app.command()
def init(
    path: Annotated[Path, typer.Option(help="Where to write it.")] = Path("limpet.toml"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
) -> None:
    """Write a commented config file; an existing one is kept.

    \b
    Examples:
      limpet init
      limpet init --path shops.toml
    """
    _write(path, force=force)
    typer.echo(f"Wrote {path}. Next: name your sources in it, then run `limpet doctor`.")


def _write(path: Path, *, force: bool) -> None:
    if path.exists() and not force:
        fix = "Add --force to overwrite it, or choose another with --path."
        raise UsageError(f"{path} is already there.", fix=fix)
    text = resources.files("limpet.configuration").joinpath("example.toml").read_text(encoding="utf-8")
    # Beside it first: a disk that is full must not leave half a file, nor take the old one away.
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError as wrong:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
        reason = (wrong.strerror or str(wrong)).lower()
        raise DataDirUnusable(
            f"Cannot write {path}: {reason}.", fix="Choose another place with --path."
        ) from wrong
