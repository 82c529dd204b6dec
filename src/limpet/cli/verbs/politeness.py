"""`limpet politeness`: how every site saw us, from the ledger."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli.opening import read_kept, verb_app

if TYPE_CHECKING:
    from limpet.record.politeness import DomainPoliteness
    from limpet.settings import Settings

app = verb_app()


@app.callback()
def politeness() -> None:
    """How every site saw us.

    \b
    Examples:
      limpet politeness report
      limpet politeness report --days 7 --domain example.com
    """


@app.command()
def report(
    days: Annotated[float | None, typer.Option(min=0.0, help="Only the last so many days.")] = None,
    domain: Annotated[str | None, typer.Option(help="Only this registrable domain.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> int:
    """Per registrable domain: requests, smallest gap, highest concurrency, robots verdicts, Retry-After kept.

    Exits 1 when a Retry-After was not honoured.

    \b
    Examples:
      limpet politeness report
      limpet politeness report --days 7 --domain example.com --json
    """
    since = datetime.now(UTC) - timedelta(days=days) if days is not None else None
    domains = asyncio.run(_domains(read_kept(), since, domain))
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in domains], default=str, indent=2))
    else:
        _print(domains)
    return 1 if any(each.retry_after_violated for each in domains) else 0


async def _domains(settings: Settings, since: datetime | None, domain: str | None) -> list[DomainPoliteness]:
    from limpet.assembly import open_ledger  # noqa: PLC0415 - help need not wait for it

    async with open_ledger(settings) as ledger:
        return await ledger.politeness(since=since, domain=domain)


def _print(domains: list[DomainPoliteness]) -> None:
    from rich.table import Table  # noqa: PLC0415

    from limpet.cli.terminal import Terminal  # noqa: PLC0415

    if not domains:
        typer.echo("No request has been made yet.")
        return
    table = Table(show_edge=False)
    for column in ("domain", "requests", "smallest gap", "at once", "robots", "Retry-After"):
        table.add_column(
            column, justify="right" if column in {"requests", "smallest gap", "at once"} else "left"
        )
    for each in domains:
        gap = "" if each.smallest_gap_seconds is None else f"{each.smallest_gap_seconds:.3f} s"
        robots = "\n".join(
            f"{use.requests:,} {use.verdict} {(use.body_sha256 or '')[:12]}" for use in each.robots
        )
        asked = (
            f"{each.retry_after_honoured} of {each.retry_after_asked} honoured"
            if each.retry_after_asked
            else ""
        )
        table.add_row(each.domain, f"{each.requests:,}", gap, str(each.highest_concurrency), robots, asked)
    Terminal().print(table)
    for each in domains:
        if each.complete_since is not None:
            since = f"{each.complete_since:%Y-%m-%d %H:%M} UTC"
            typer.echo(f"{each.domain}: since {since}; the retention rule removed older requests.")
