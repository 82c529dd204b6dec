"""`limpet alerts`: what asks for a person, and who looks after it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from limpet.cli.opening import verb_app

app = verb_app()

Number = Annotated[int, typer.Argument(metavar="ALERT", min=1, help="As `limpet alerts list` shows it.")]
Note = Annotated[str, typer.Option("--reason", help="What you found or did; kept in the audit log.")]
AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


@app.callback()
def alerts() -> None:
    """What asks for a person: raised once however often it is noticed, with its evidence, until it is resolved.

    \b
    Examples:
      limpet alerts list
      limpet alerts show 3
      limpet alerts ack 3 --reason "looking at the new layout"
      limpet alerts resolve 3 --reason "selectors mended in 1.3.0"
      limpet alerts test
    """


@app.command("list")
def list_alerts(
    everything: Annotated[bool, typer.Option("--all", help="Also what is resolved.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List what is open, most urgent first."""
    from limpet.cli.alerting import alert_rows  # noqa: PLC0415 - help need not wait for it
    from limpet.cli.listing import print_rows  # noqa: PLC0415

    rows = alert_rows(everything=everything, limit=limit)
    if as_json:
        typer.echo(json.dumps(rows, default=str, indent=2))
    elif rows:
        shown = ("id", "severity", "status", "title", "seen", "last_seen_at")
        print_rows([{name: row[name] for name in shown} for row in rows])
    else:
        typer.echo("Nothing asks for you.")


@app.command()
def show(alert: Number, as_json: AsJson = False) -> None:
    """Show one alert: what happened, what to do, the events behind it, and who was told."""
    from limpet.cli.alerting import alert_story, print_story  # noqa: PLC0415

    story = alert_story(alert)
    if as_json:
        typer.echo(json.dumps(story, default=str, indent=2))
    else:
        print_story(story)


@app.command()
def ack(alert: Number, reason: Note = "") -> None:
    """Say that you look after it: nobody else needs to be told."""
    from limpet.cli.alerting import acknowledge_alert  # noqa: PLC0415

    acknowledge_alert(alert, reason)
    typer.echo(f"Alert {alert} is yours. When it is done: limpet alerts resolve {alert} --reason ...")


@app.command()
def resolve(alert: Number, reason: Note) -> None:
    """Close it. Should the trouble be noticed again, that is a new alert."""
    from limpet.cli.alerting import resolve_alert  # noqa: PLC0415

    resolve_alert(alert, reason)
    typer.echo(f"Alert {alert} is resolved.")


@app.command("test")
def test_destinations() -> None:
    """Send a test message to every configured destination and say how it went."""
    from limpet.cli.alerting import try_destinations  # noqa: PLC0415

    results = try_destinations()
    for label, error in results.items():
        typer.echo(f"{label}: {'arrived' if error is None else error}")
    if any(results.values()):
        raise typer.Exit(1)
