"""`limpet retention`: how long pages and notes are kept, what would go, and letting it go."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from limpet.cli.opening import verb_app

app = verb_app()

AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


@app.callback()
def retention() -> None:
    """How long pages and notes are kept. Without a rule nothing ever goes.

    Rules are settings (LIMPET_RETENTION_PAGES_DAYS, _REQUESTS_DAYS, _ATTEMPTS_DAYS, _EVENTS_DAYS), and for single
    sources the table [sources.retention] of the config file. Where there are rules, `limpet serve` and
    `limpet scheduler` apply them once a day. Prices, dockets, judgments, balls, runs, jobs, files and the audit log
    are never touched; nor is a page that somebody may still ask for: the last good and the last bad page of a
    target, quarantine, corrections, ignored runs, open alerts.

    \b
    Examples:
      LIMPET_RETENTION_PAGES_DAYS=90 limpet retention show
      limpet retention apply
      limpet retention apply --yes --json
    """


@app.command()
def show(as_json: AsJson = False) -> None:
    """Show the rules, how much there is of each kind, and what would go now. Removes nothing."""
    from limpet.cli.retaining import print_survey, surveyed  # noqa: PLC0415 - help need not wait for it

    survey = surveyed()
    if as_json:
        typer.echo(json.dumps(survey.to_json(), default=str, indent=2))
    else:
        print_survey(survey)


@app.command()
def apply(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False, as_json: AsJson = False
) -> None:
    """Remove what the rules let go, and give its space back. Others may go on working meanwhile.

    Without --yes it is shown first, and you are asked. Who did it, when and what went is kept in the audit log.
    """
    from limpet.cli.retaining import applied, ask_first, print_account  # noqa: PLC0415

    if not yes:
        ask_first()
    account = applied()
    if as_json:
        typer.echo(json.dumps(account.to_json(), indent=2))
    else:
        print_account(account)
