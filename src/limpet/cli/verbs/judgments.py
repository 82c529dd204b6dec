"""`limpet judgments`: a court's index by itself - synced, listed, compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limpet.cli import event_loop
from limpet.cli.opening import open_house, verb_app

if TYPE_CHECKING:
    from limpet.settings import Settings

app = verb_app()

AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]
OneSource = Annotated[str | None, typer.Option("--source", help="Which source, when there are several.")]


@app.callback()
def judgments() -> None:
    """A court's index by itself: synced, listed, compared. `limpet run judgments` fetches the documents.

    \b
    Examples:
      limpet judgments sync
      limpet judgments versions
      limpet judgments diff 3 4
      limpet judgments sync --accept-removals
    """


@app.command()
def sync(
    source: OneSource = None,
    accept_removals: Annotated[
        bool,
        typer.Option("--accept-removals", help="Apply a version although it leaves out more than a fifth."),
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Fetch the index if it changed, check it, and bring the cases up to it. Fetches no document.

    An index that cannot be had or read changes nothing: it is recorded, and the last good one stands. One that
    leaves out more than a fifth of the cases is held until you accept it. Exits 1 when the last good one stands.

    \b
    Examples:
      limpet judgments sync
      limpet judgments sync --source public_registers --json
    """
    return event_loop.run(_sync(open_house(), source, accept_removals=accept_removals, as_json=as_json))


@app.command()
def versions(source: OneSource = None, as_json: AsJson = False) -> int:
    """List the versions of an index, the newest first, with what each changed.

    \b
    Examples:
      limpet judgments versions
      limpet judgments versions --source unreported_judgments --json
    """
    return event_loop.run(_versions(open_house(must_exist=True), source, as_json=as_json))


@app.command()
def diff(
    earlier: Annotated[int, typer.Argument(metavar="V1", help="A version's number.")],
    later: Annotated[int, typer.Argument(metavar="V2", help="Another one's.")],
    as_json: AsJson = False,
) -> int:
    """Compare two versions of an index, field by field, from the files as they were published.

    \b
    Examples:
      limpet judgments diff 3 4
      limpet judgments diff 1 4 --json
    """
    return event_loop.run(_diff(open_house(must_exist=True), earlier, later, as_json=as_json))


async def _sync(settings: Settings, source: str | None, *, accept_removals: bool, as_json: bool) -> int:
    from dataclasses import asdict  # noqa: PLC0415

    from limpet.assembly import assemble  # noqa: PLC0415 - heavy, and not needed to explain options
    from limpet.cli import judging  # noqa: PLC0415
    from limpet.cli.source_choice import only_source  # noqa: PLC0415

    async with assemble(settings) as house:
        source_id = source or only_source(house, app="judgments")
        result = await judging.sync(house, source_id, accept_removals=accept_removals)
    if as_json:
        typer.echo(json.dumps(asdict(result)))
    elif result.is_fallback:
        typer.echo(f"{source_id}: version {result.version_id} stands: {result.problem}")
        if result.is_held:
            typer.echo(f"If that is right: limpet judgments sync --source {source_id} --accept-removals")
    elif result.is_unchanged:
        typer.echo(f"{source_id}: unchanged, version {result.version_id}.")
    else:
        typer.echo(
            f"{source_id}: version {result.version_id}: {len(result.new_case_ids):,} new, "
            f"{len(result.changed_case_ids):,} changed, {len(result.removed_case_ids):,} removed, "
            f"{len(result.reappeared_case_ids):,} back again."
        )
    return 1 if result.is_fallback else 0


async def _versions(settings: Settings, source: str | None, *, as_json: bool) -> int:
    from limpet.apps.judgments.index.listing import list_versions  # noqa: PLC0415
    from limpet.assembly import open_ledger  # noqa: PLC0415
    from limpet.cli.judging_words import version_table  # noqa: PLC0415
    from limpet.cli.source_naming import check_named  # noqa: PLC0415

    async with open_ledger(settings) as ledger:
        await check_named(ledger, source, app="judgments")
        found = await ledger.read(lambda connection: list_versions(connection, source))
    if as_json:
        _print_json(found)
    else:
        version_table(found)
    return 0


async def _diff(settings: Settings, earlier: int, later: int, *, as_json: bool) -> int:
    from limpet.apps.judgments.index.differences import differences  # noqa: PLC0415
    from limpet.assembly import open_ledger  # noqa: PLC0415
    from limpet.cli.judging_words import diff_table  # noqa: PLC0415

    async with open_ledger(settings) as ledger:
        found = await ledger.read(lambda connection: differences(connection, ledger.data_dir, earlier, later))
    if as_json:
        _print_json(found.as_json())
    else:
        diff_table(found)
    return 0


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, default=str))
