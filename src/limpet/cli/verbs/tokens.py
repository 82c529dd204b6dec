"""`limpet tokens`: what programs use the API with."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from limpet.cli.opening import verb_app
from limpet.record.access.roles import Scope

app = verb_app()


@app.callback()
def tokens() -> None:
    """What programs use the API with: shown once, kept only as a hash, never more than its account may.

    \b
    Examples:
      limpet tokens create prometheus --account ada --scope metrics
      limpet tokens create nightly --account ada --scope read --days 90
      limpet tokens revoke 3 --reason "the laptop was lost"
    """


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What will use it.")],
    account: Annotated[str, typer.Option("--account", help="In whose name it acts.")],
    scope: Annotated[Scope, typer.Option("--scope", help="What it may do at most.")] = Scope.READ,
    days: Annotated[
        int | None, typer.Option(min=1, max=3_650, help="How long it lives; without, for ever.")
    ] = None,
) -> None:
    """Make a token and print it, this once."""
    from limpet.cli.admitting import make_token  # noqa: PLC0415 - help need not wait for it

    token_id, secret = make_token(name, account=account, scope=scope, days=days)
    typer.echo(f"Token {token_id}, shown this once; send it as `Authorization: Bearer ...`:", err=True)
    typer.echo(secret)


@app.command("list")
def list_tokens(
    everything: Annotated[bool, typer.Option("--all", help="Also what was revoked.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """List tokens: whose, for what, when used last."""
    from limpet.cli.admitting import token_rows  # noqa: PLC0415
    from limpet.cli.listing import print_rows  # noqa: PLC0415

    rows = token_rows(everything=everything)
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
    elif rows:
        print_rows(rows)
    else:
        typer.echo("None yet. Make one: limpet tokens create NAME --account ACCOUNT --scope read")


@app.command()
def revoke(
    token: Annotated[int, typer.Argument(metavar="TOKEN", min=1, help="As `limpet tokens list` shows it.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; kept in the audit log.")],
) -> None:
    """End a token now."""
    from limpet.cli.admitting import end_token  # noqa: PLC0415

    end_token(token, reason)
    typer.echo(f"Token {token} opens nothing any more.")
