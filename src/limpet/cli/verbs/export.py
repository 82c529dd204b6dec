"""`limpet export`: what an app has collected, as files."""

from __future__ import annotations

import typer

from limpet.cli.app_group import AppsByName, ask_for_an_app
from limpet.cli.exporting.dockets import export_dockets
from limpet.cli.exporting.judgments import export_judgments
from limpet.cli.opening import verb_app

app = verb_app()
app.command("judgments")(export_judgments)
app.command("dockets")(export_dockets)


@app.callback(cls=AppsByName, invoke_without_command=True)
def export(context: typer.Context) -> None:
    """Write what an app has collected as files: CSV, JSON lines, XLSX, Parquet, or the documents in a ZIP.

    \b
    Examples:
      limpet export judgments --format csv > cases.csv
      limpet export judgments --format zip -o judgments.zip
      limpet export dockets --year 25 --format parquet -o dockets
    """
    ask_for_an_app(context)
