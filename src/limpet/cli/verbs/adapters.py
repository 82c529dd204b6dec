"""`limpet adapters`: how every adapter stands, and its switch."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from limpet.cli.opening import verb_app
from limpet.cli.reasons import said

app = verb_app()

Adapter = Annotated[str, typer.Argument(metavar="ADAPTER", help="As `limpet adapters list` shows it.")]
Reason = Annotated[str, typer.Option("--reason", callback=said, help="Why; kept in the audit log.")]


@app.callback()
def adapters() -> None:
    """How every adapter stands, and its switch: drift turns one off, only a person turns it on again.

    \b
    Examples:
      limpet adapters list
      limpet adapters disable sgammo --reason "their terms changed"
      limpet adapters canary sgammo
      limpet adapters enable sgammo --reason "selectors mended in 1.3.0"
    """


@app.command("list")
def list_adapters(as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False) -> None:
    """List adapters: on, off or watched, bad batches in a row, and what is usual for each."""
    from limpet.cli.listing import print_rows  # noqa: PLC0415 - help need not wait for it
    from limpet.cli.switching import adapter_rows  # noqa: PLC0415

    rows = adapter_rows()
    if as_json:
        typer.echo(json.dumps(rows, default=str, indent=2))
    else:
        shown = {"adapter": "adapter", "state": "state", "failed_batches": "bad", "reason": "why"}
        shown |= {"last_failure_rate": "last", "usual_failure_rate": "usual"}
        order = ("adapter", "state", "failed_batches", "last_failure_rate", "usual_failure_rate", "reason")
        print_rows([{shown[name]: row[name] for name in order} for row in rows])


@app.command()
def canary(
    adapter: Adapter,
    pages: Annotated[int, typer.Option(min=1, max=1_000, help="How many pages; half of them bad ones.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> int:
    """Read an adapter's newest recorded pages again, offline, and compare with what was recorded then.

    Good pages and bad ones, spread over its targets. Exits 0 when nothing that was readable got worse, else 1.

    \b
    Examples:
      limpet adapters canary sgammo
      limpet adapters canary sgammo --pages 200 --json
    """
    from limpet.cli.canary import show_flight  # noqa: PLC0415 - help need not wait for it
    from limpet.cli.switching import fly_canary  # noqa: PLC0415

    flight = fly_canary(adapter, pages=pages)
    show_flight(flight, as_json=as_json)
    return 0 if flight.is_good else 1


@app.command()
def enable(
    adapter: Adapter,
    reason: Reason,
    force: Annotated[
        bool,
        typer.Option("--force", help="Although it still fails on what it failed on; the reason says why."),
    ] = False,
) -> None:
    """Switch an adapter on again, once it is tried on the recorded pages it failed on.

    It is refused while it fails on most of them, unless --force. Its next run begins with twenty targets; if most
    of those fail it is off at once.
    """
    from limpet.cli.switching import enable_adapter  # noqa: PLC0415

    flight = enable_adapter(adapter, reason, force=force)
    if flight is not None:
        typer.echo(f"On recorded pages: {flight.sentence}.")
    typer.echo(f"{adapter} is on; its next run is watched: twenty targets first, and only then the others.")


@app.command()
def disable(adapter: Adapter, reason: Reason) -> None:
    """Switch an adapter off: nothing it reads is visited; what is under way is skipped."""
    from limpet.cli.switching import disable_adapter  # noqa: PLC0415

    disable_adapter(adapter, reason)
    typer.echo(f"{adapter} is off. Switch it on with: limpet adapters enable {adapter} --reason ...")
