"""`limpet accounts`: who may come in to the portal."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from limpet.cli.opening import verb_app
from limpet.record.access.roles import Role

app = verb_app()

Name = Annotated[str, typer.Argument(metavar="NAME", help="As they will type it; case does not count.")]
TheRole = Annotated[Role, typer.Option("--role", help="What they may do.")]
FromStdin = Annotated[bool, typer.Option("--password-stdin", help="Take the password from stdin.")]


@app.callback()
def accounts() -> None:
    """Who may come in to the portal: a viewer looks, an operator acts, an admin also decides who may.

    \b
    Examples:
      limpet accounts add ada --role admin
      limpet accounts add kiosk --role viewer --link
      limpet accounts link ada            a link that lets ada in once, as when the password is forgotten
      limpet accounts list
    """


@app.command()
def add(
    name: Name,
    role: TheRole = Role.VIEWER,
    link: Annotated[
        bool, typer.Option("--link", help="No password yet; print a link that works once.")
    ] = False,
    password_stdin: FromStdin = False,
) -> None:
    """Add an account and ask for its password."""
    from limpet.cli import admitting  # noqa: PLC0415 - help need not wait for it

    password = None if link else admitting.ask_for_password(from_stdin=password_stdin)
    admitting.add(name, role, password=password)
    typer.echo(f"{name.lower()} is {role.value}.")
    if link:
        _print_link(name)


@app.command()
def password(name: Name, password_stdin: FromStdin = False) -> None:
    """Give an account another password; every session of it ends."""
    from limpet.cli import admitting  # noqa: PLC0415

    admitting.change_password(name, admitting.ask_for_password(from_stdin=password_stdin))
    typer.echo(f"{name.lower()} has a new password; whoever was signed in as {name.lower()} no longer is.")


@app.command("link")
def make_link(name: Name) -> None:
    """Print a link that lets an account in once, within the hour."""
    _print_link(name)


@app.command()
def role(name: Name, role: Annotated[Role, typer.Argument(metavar="ROLE")]) -> None:
    """Make an account viewer, operator or admin."""
    from limpet.cli import admitting  # noqa: PLC0415

    admitting.change_role(name, role)
    typer.echo(f"{name.lower()} is {role.value}.")


@app.command("list")
def list_accounts(as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False) -> None:
    """List everybody who may come in."""
    from limpet.cli.admitting import account_rows  # noqa: PLC0415
    from limpet.cli.listing import print_rows  # noqa: PLC0415

    rows = account_rows()
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
    elif rows:
        print_rows(rows)
    else:
        typer.echo("Nobody yet. Begin with: limpet accounts add NAME --role admin")


@app.command()
def remove(
    name: Name, reason: Annotated[str, typer.Option("--reason", help="Why; kept in the audit log.")]
) -> None:
    """Remove an account with its sessions and tokens; what it did stays on record."""
    from limpet.cli import admitting  # noqa: PLC0415

    admitting.remove(name, reason)
    typer.echo(f"{name.lower()} can no longer come in.")


def _print_link(name: str) -> None:
    from limpet.cli.admitting import link_for  # noqa: PLC0415

    address = link_for(name)
    typer.echo(f"Lets {name.lower()} in, once, within the hour:\n{address}")
