"""`limpet dockets`: how far a year goes, how its numbers ended, and a year taken out again."""

from __future__ import annotations

from limpet.cli.docketing.probe import probe
from limpet.cli.docketing.purge import purge
from limpet.cli.docketing.stats import stats
from limpet.cli.opening import verb_app

app = verb_app()
app.command("probe")(probe)
app.command("stats")(stats)
app.command("purge")(purge)


@app.callback()
def dockets() -> None:
    """Court dockets by case number: find a year's last number, see how its numbers ended, take a year out.

    `limpet run dockets` asks for them.

    \b
    Examples:
      limpet dockets probe --year 25
      limpet dockets stats --year 25
      limpet dockets purge 25 --dry-run
    """
