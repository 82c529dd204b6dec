"""`limpet dockets`: how far a year goes, and a year taken out again."""

from __future__ import annotations

from limpet.cli.docketing.probe import probe
from limpet.cli.docketing.purge import purge
from limpet.cli.opening import verb_app

app = verb_app()
app.command("probe")(probe)
app.command("purge")(purge)


@app.callback()
def dockets() -> None:
    """Court dockets by case number: find the last number of a year, take a year out."""
