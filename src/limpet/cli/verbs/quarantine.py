"""`limpet quarantine`: what was read but not believed, and a person's decision."""

from __future__ import annotations

import json
from typing import Annotated, Literal

import typer

from limpet.cli.opening import verb_app
from limpet.cli.reasons import said

app = verb_app()

Number = Annotated[int, typer.Argument(metavar="RECORD", min=1, help="As `limpet quarantine list` shows it.")]
Reason = Annotated[str, typer.Option("--reason", callback=said, help="What you saw; kept in the audit log.")]
AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


@app.callback()
def quarantine() -> None:
    """What was read but not believed: it is no price until a person says so. The portal shows each beside its page.

    \b
    Examples:
      limpet quarantine list
      limpet quarantine correct 4 --price-cents 1999 --availability in_stock --reason "the cart says so"
      limpet quarantine reject 5 --reason "a family is no product"
    """


@app.command("list")
def list_records(
    status: Annotated[
        Literal["open", "accepted", "corrected", "rejected", "superseded"],
        typer.Option(help="What became of them."),
    ] = "open",
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List records, newest first."""
    from limpet.cli.listing import print_rows  # noqa: PLC0415 - help need not wait for it
    from limpet.cli.reviewing import record_rows  # noqa: PLC0415

    rows = record_rows(status, limit)
    if as_json:
        typer.echo(json.dumps(rows, default=str, indent=2))
    elif rows:
        shown = ("id", "source_id", "reason", "details", "url", "created_at")
        print_rows([{name: row[name] for name in shown} for row in rows])
    else:
        typer.echo("Nothing waits for you." if status == "open" else f"Nothing was {status}.")


@app.command()
def accept(record: Number, reason: Reason) -> None:
    """Believe a record as it was read, and write it as the price that was observed."""
    from limpet.cli.reviewing import accept_record  # noqa: PLC0415

    typer.echo(accept_record(record, reason))


@app.command()
def correct(  # noqa: PLR0917 - the order of its options on the page of help
    record: Number,
    reason: Reason,
    price_cents: Annotated[int | None, typer.Option(min=1, help="What it costs, in whole cents.")] = None,
    availability: Annotated[
        Literal["in_stock", "out_of_stock", "backorder"] | None, typer.Option(help="Whether it can be had.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="Its name, where none was read.")] = None,
    currency: Annotated[str | None, typer.Option(help="Such as USD, where none was read.")] = None,
) -> None:
    """Write what the page means instead of what was read; what is left out stays as it was read."""
    from limpet.cli.reviewing import correct_record  # noqa: PLC0415

    typer.echo(correct_record(record, reason, price_cents, availability, title=title, currency=currency))


@app.command()
def reject(record: Number, reason: Reason) -> None:
    """Leave a record out for good; the page it was read from stays as evidence."""
    from limpet.cli.reviewing import reject_record  # noqa: PLC0415

    reject_record(record, reason)
    typer.echo(f"Record {record} is rejected.")
