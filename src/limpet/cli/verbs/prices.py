"""`limpet prices`: what was found, what consumers may see of it, and corrections."""

from __future__ import annotations

import asyncio
import getpass
import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from limpet.cli.opening import read_kept, verb_app
from limpet.cli.reasons import said

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy import Connection

app = verb_app()

_EVERY_ONE = 10_000_000

Reason = Annotated[str, typer.Option("--reason", callback=said, help="Why; kept in the audit log.")]
AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


@app.callback()
def prices() -> None:
    """What was found, what consumers may see of it, and corrections.

    \b
    Examples:
      limpet prices current
      limpet prices trust shop --visible --reason "terms allow publication"
      limpet prices correct MULTIPLIER --factor 0.01 --scope source --id shop --reason "cents shown as dollars"
      limpet prices ignore-run 12 --reason "layout was changing"
      limpet prices review
      limpet prices link 31 17 --reason "same box, other spelling"
    """


@app.command()
def current(
    source: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    consumer: Annotated[bool, typer.Option("--consumer", help="Only what consumers may see.")] = False,
    limit: Annotated[
        int | None,
        typer.Option(min=1, max=100_000, help="At most so many; a table shows 50, --json all."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the newest price of every product, corrected; without --consumer also what is not public."""
    from limpet.apps.prices.visible import current_visible_prices  # noqa: PLC0415 - help need not wait for it

    now = datetime.now(UTC)
    found = _ask(
        lambda connection: current_visible_prices(
            connection,
            visibility="consumer" if consumer else "operator",
            now=now,
            source_id=source,
            limit=_EVERY_ONE,
        )
    )
    if as_json or not found:
        _show([asdict(price) for price in found[:limit]], as_json=as_json, none="No price is visible.")
        return
    from limpet.cli.listing import FIRST_ROWS, say_how_many  # noqa: PLC0415
    from limpet.cli.price_table import print_prices  # noqa: PLC0415

    shown = found[: limit or FIRST_ROWS]
    print_prices(shown)
    say_how_many(len(shown), len(found))


@app.command()
def trust(
    source: Annotated[str, typer.Argument(help="The source's id.")],
    reason: Reason,
    visible: Annotated[
        bool, typer.Option("--visible/--hidden", help="May consumers see its prices?")
    ] = False,
    upc_trusted: Annotated[
        bool, typer.Option("--upc-trusted/--upc-untrusted", help="May its UPCs link?")
    ] = False,
) -> None:
    """Say whether consumers may see a source's prices and whether its UPCs are believed. Both start as no."""
    from limpet.apps.prices import overlays  # noqa: PLC0415

    _do(
        lambda connection, by, now: overlays.trust(
            connection, source, visible=visible, upc_trusted=upc_trusted, by=by, reason=reason, now=now
        )
    )
    typer.echo(
        f"{source} is {'visible' if visible else 'hidden'}; its UPCs are {'' if upc_trusted else 'not '}trusted."
    )


@app.command()
def correct(  # noqa: PLR0917 - the order of its options on the page of help
    action: Annotated[Literal["IGNORE", "MULTIPLIER"], typer.Argument(help="IGNORE or MULTIPLIER.")],
    scope: Annotated[
        Literal["source", "source_product", "product", "run"], typer.Option(help="What it covers.")
    ],
    scope_id: Annotated[str, typer.Option("--id", help="Which one; a source_product is 'SOURCE IDENTITY'.")],
    reason: Reason,
    factor: Annotated[str | None, typer.Option(help="For MULTIPLIER, such as 0.01.")] = None,
    starts: Annotated[
        datetime | None, typer.Option("--from", help="First moment, UTC; all time if left out.")
    ] = None,
    ends: Annotated[
        datetime | None, typer.Option("--until", help="First moment after it; for good if left out.")
    ] = None,
) -> None:
    """Lay a correction over observed prices; they stay as they were seen, and it can be revoked."""
    from limpet.apps.prices import overlays  # noqa: PLC0415
    from limpet.errors import UsageError  # noqa: PLC0415

    if (action == "MULTIPLIER") != (factor is not None):
        raise UsageError(
            "MULTIPLIER needs --factor, and IGNORE takes none.", fix="`limpet prices correct --help`."
        )
    correction = overlays.Correction(
        action=action,
        scope=scope,
        scope_id=scope_id,
        starts_at=_utc(starts) or datetime(1970, 1, 1, tzinfo=UTC),
        ends_at=_utc(ends),
        reason=reason,
        factor_millionths=overlays.factor_from(factor) if factor is not None else None,
    )
    number = _do(lambda connection, by, now: overlays.correct(connection, correction, by=by, now=now))
    typer.echo(f"Correction {number} is in force. Revoke it with: limpet prices revoke {number} --reason ...")


@app.command()
def corrections(as_json: AsJson = False) -> None:
    """List corrections, also those that were revoked."""
    from sqlalchemy import select  # noqa: PLC0415

    from limpet.apps.prices.market_tables import price_corrections  # noqa: PLC0415

    rows = _ask(
        lambda connection: [dict(row._mapping) for row in connection.execute(select(price_corrections))]
    )
    shown = rows if as_json else [_for_people(row) for row in rows]
    _show(shown, as_json=as_json, none="No correction was ever made.")


def _for_people(row: dict[str, Any]) -> dict[str, Any]:
    """Return a correction with its factor as it was given, and nothing where it holds for all time."""
    millionths = row["factor_millionths"]
    factor = f"{millionths / 1_000_000:g}" if millionths is not None else None
    plain = {("factor" if name == "factor_millionths" else name): value for name, value in row.items()}
    return plain | {"factor": factor, "starts_at": row["starts_at"] if row["starts_at"].year > 1970 else None}


@app.command()
def revoke(correction_id: Annotated[int, typer.Argument(metavar="CORRECTION")], reason: Reason) -> None:
    """Take a correction off again."""
    from limpet.apps.prices import overlays  # noqa: PLC0415

    _do(lambda connection, by, now: overlays.revoke(connection, correction_id, by=by, reason=reason, now=now))
    typer.echo(f"Correction {correction_id} is revoked.")


@app.command("ignore-run")
def ignore_run(run_id: Annotated[int, typer.Argument(metavar="RUN")], reason: Reason) -> None:
    """Hide every price of one run; `heed-run` shows them again."""
    from limpet.apps.prices import overlays  # noqa: PLC0415

    _do(lambda connection, by, now: overlays.ignore_run(connection, run_id, by=by, reason=reason, now=now))
    typer.echo(f"The prices of run {run_id} are hidden.")


@app.command("heed-run")
def heed_run(run_id: Annotated[int, typer.Argument(metavar="RUN")], reason: Reason) -> None:
    """Show the prices of an ignored run again."""
    from limpet.apps.prices import overlays  # noqa: PLC0415

    _do(lambda connection, by, now: overlays.heed_run(connection, run_id, by=by, reason=reason, now=now))
    typer.echo(f"The prices of run {run_id} count again.")


@app.command()
def resolve() -> None:
    """Link new source products to canonical products; runs do it by themselves when they end."""
    from limpet.apps.prices.resolver import resolve_new  # noqa: PLC0415

    total = 0
    while count := _do(lambda connection, _, now: resolve_new(connection, now=now)):
        total += count
    typer.echo(f"Looked at {total} source products.")


@app.command()
def review(
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List products of shops that no UPC and no fingerprint could link, with what is known of each."""
    from limpet.apps.prices.linking import waiting_for_review  # noqa: PLC0415

    rows = _ask(lambda connection: waiting_for_review(connection, limit=limit))
    told = rows if as_json else [row | {"evidence": _told(row["evidence"])} for row in rows]
    _show(told, as_json=as_json, none="No product waits for review.")


@app.command()
def link(
    source_product: Annotated[int, typer.Argument(metavar="SOURCE_PRODUCT", help="As `review` lists it.")],
    product: Annotated[
        int, typer.Argument(metavar="PRODUCT", help="The product_id of `limpet prices current --json`.")
    ],
    reason: Reason,
) -> None:
    """Link a shop's product to a canonical one by hand; it stays so, whatever its page says later."""
    from limpet.apps.prices import linking  # noqa: PLC0415

    _do(
        lambda connection, by, now: linking.link(
            connection, source_product, product, by=by, reason=reason, now=now
        )
    )
    typer.echo(f"Source product {source_product} is product {product}.")


def _told(evidence: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in evidence.items() if value) or "nothing"


def _utc(moment: datetime | None) -> datetime | None:
    return (
        None
        if moment is None
        else moment.replace(tzinfo=UTC)
        if moment.tzinfo is None
        else moment.astimezone(UTC)
    )


def _ask(question: Callable[[Connection], Any]) -> Any:
    from limpet.assembly import open_ledger  # noqa: PLC0415

    async def ask() -> Any:
        async with open_ledger(read_kept()) as ledger:
            return await ledger.read(question)

    return asyncio.run(ask())


def _do(act: Callable[[Connection, str, datetime], Any]) -> Any:
    """Do it in one transaction, in the name of whoever is logged in."""
    from limpet.assembly import open_ledger  # noqa: PLC0415

    async def do() -> Any:
        async with open_ledger(read_kept()) as ledger:
            return await ledger.write(
                lambda connection: act(connection, getpass.getuser(), datetime.now(UTC))
            )

    return asyncio.run(do())


def _show(rows: list[dict[str, Any]], *, as_json: bool, none: str) -> None:
    if as_json:
        typer.echo(json.dumps(rows, default=str, indent=2))
        return
    if not rows:
        typer.echo(none)
        return
    from limpet.cli.listing import print_rows  # noqa: PLC0415

    print_rows(rows)
