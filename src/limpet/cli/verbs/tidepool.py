"""`limpet tidepool`: the pretend web, served alone."""

from __future__ import annotations

import runpy
import sys

import typer

from limpet.cli.opening import verb_app

app = verb_app()


# Tidepool is a program of its own and knows its own options: whatever is said here is handed on to it.
@app.command(
    add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)
def tidepool(context: typer.Context) -> None:
    """Serve the pretend web until Ctrl-C."""
    sys.argv = ["limpet tidepool", *context.args]
    runpy.run_module("tidepool", run_name="__main__")
