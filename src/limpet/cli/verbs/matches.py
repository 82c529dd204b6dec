"""`limpet matches`: how live matches stand, and orders to whoever watches them."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from limpet.cli.opening import verb_app

app = verb_app()

MatchId = Annotated[str, typer.Argument(metavar="MATCH", help="Our id, a source's id, or its bare key.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; kept in the audit log.")]
AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


@app.callback()
def matches() -> None:
    """How live matches stand. `limpet run matches` or `limpet serve` watches them.

    \b
    Examples:
      limpet matches list
      limpet matches show crex:RF0
      limpet matches pause crex:RF0 --reason "abandoned, the source has not noticed"
      limpet matches resume crex:RF0
      limpet matches recycle --reason "browser looks stuck"
    """


@app.command("list")
def list_matches(
    state: Annotated[
        str | None, typer.Option(help="discovered, active, paused, completed or archived.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List matches with score, state and the age of their data."""
    from limpet.cli.listing import print_rows  # noqa: PLC0415 - help need not wait for it
    from limpet.cli.match_orders import match_rows  # noqa: PLC0415

    rows = match_rows(state)
    if as_json:
        typer.echo(json.dumps(rows, default=str, indent=2))
    elif rows:
        print_rows(rows)
    else:
        seen = "No match was seen yet. Watch with: limpet run matches"
        typer.echo(seen if state is None else f"No match is {state}.")


@app.command()
def show(
    match: MatchId,
    balls: Annotated[int, typer.Option(min=0, help="How many of the latest balls to show.")] = 12,
    as_json: AsJson = False,
) -> None:
    """Show one match: score with its source, the latest balls, how each source shows it, and disagreements."""
    from limpet.cli.match_orders import match_story, print_match  # noqa: PLC0415

    story = match_story(match)
    if as_json:
        typer.echo(json.dumps(story, default=str, indent=2))
    else:
        print_match(story, balls=balls)


@app.command()
def pause(match: MatchId, reason: Reason = "") -> int:
    """Stop asking for a match until it is resumed; its last good snapshot stays."""
    return _order("pause", match, reason)


@app.command()
def resume(match: MatchId, reason: Reason = "") -> int:
    """End a match's pause now, whether a person or five failures began it."""
    return _order("resume", match, reason)


@app.command()
def recycle(reason: Reason = "") -> int:
    """Replace the browser and make every visit anew; what came of it is in the audit log within two minutes."""
    return _order("recycle", None, reason)


def _order(action: str, match: str | None, reason: str) -> int:
    from limpet.cli.match_orders import PATIENCE_SECONDS, give  # noqa: PLC0415

    answer = give(action, match, reason)
    if answer.outcome is not None:
        typer.echo(f"{match or 'the monitor'}: {answer.outcome}")
        return 0 if answer.outcome in ("paused", "resumed", "recycled") else 1
    if answer.is_anybody_watching:
        waited = f"Whoever watches has not answered within {PATIENCE_SECONDS:g} s"
        typer.echo(f"{waited}; the order stands, and is carried out as soon as they come to it.")
    else:
        typer.echo("Nobody watches right now; it is done as soon as somebody does (`limpet run matches`).")
    return 0
