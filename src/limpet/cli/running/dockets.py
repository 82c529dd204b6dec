"""`limpet run dockets`: a batch of case numbers in the foreground, asked one exact number at a time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli import event_loop
from limpet.cli.docketing.choosing import NAME, hours_option
from limpet.cli.opening import open_house
from limpet.cli.source_choice import only_source
from limpet.settings import Settings

if TYPE_CHECKING:
    from limpet.apps.dockets.batch import Batch


def run_dockets(
    *,
    year: Annotated[str | None, typer.Option(help="Year of the numbers, such as 25.")] = None,
    start: Annotated[int, typer.Option(min=0, max=99_999, help="First number.")] = 1,
    max_cases: Annotated[
        int | None,
        typer.Option(min=1, max=100_000, help="How many numbers: the last one is start + max-cases - 1."),
    ] = None,
    prefix: Annotated[str, typer.Option(help="The register: IMM, T, A ...")] = "IMM",
    cases: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A list of case numbers instead, one a line.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Ask again for what succeeded, has no record or cools down.")
    ] = False,
    extras: Annotated[
        str, typer.Option(metavar="LIST", help="Ask beside the docket for: parties, related.")
    ] = "",
    documents: Annotated[
        bool, typer.Option("--documents", help="Fetch the published PDFs of dockets on record instead.")
    ] = False,
    cool_down: Annotated[float, hours_option("A failed number is left alone so long.")] = 6.0,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Go on from a checkpoint.json, also in an empty ledger."),
    ] = None,
    source: Annotated[str | None, typer.Option(help="Which source, when there are several.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be asked; ask nobody, record nothing.")
    ] = False,
) -> int:
    """Ask a court's registry for a range of case numbers, one at a time, and record every docket.

    A number that succeeded, or that the court has no record of, is not asked again; one that failed is, once it
    has cooled down. Progress is kept in output/checkpoints/<run>/checkpoint.json, every attempt in
    output/attempts_<time>.ndjson and the account in output/audit_<time>.json, all below the data directory.
    Without numbers, the cases already on record are looked at again for changes.

    \b
    Examples:
      limpet run dockets --year 25 --start 30 --max-cases 50      IMM-30-25 to IMM-79-25
      limpet run dockets --cases wanted.txt --extras parties,related
      limpet run dockets --year 25 --documents
      limpet run dockets --checkpoint output/checkpoints/run-20251128T080000Z-12/checkpoint.json
    """
    from limpet.cli.running.docket_batch import batch_of  # noqa: PLC0415 - heavy, and not needed for help

    batch = batch_of(
        year=year,
        start=start,
        max_cases=max_cases,
        prefix=prefix,
        cases=cases,
        extras=extras,
        checkpoint=checkpoint,
        is_for_documents=documents,
    )
    batch = replace(batch, force=force, cool_down_seconds=cool_down * 3600)
    return event_loop.run(_run(open_house(), source, batch, dry_run=dry_run))


async def _run(settings: Settings, source_id: str | None, batch: Batch, *, dry_run: bool) -> int:
    from limpet.apps.dockets.wishes import with_known_end  # noqa: PLC0415
    from limpet.assembly import assemble  # noqa: PLC0415
    from limpet.cli.running.docket_survey import show_survey  # noqa: PLC0415
    from limpet.cli.walking import refuse_if_all_shut, walk_and_report  # noqa: PLC0415
    from limpet.record.entry import NewRun  # noqa: PLC0415

    async with assemble(settings) as house:
        app = house.app(NAME)
        refuse_if_all_shut(house, app, source_id)
        source_id = source_id or only_source(house, app=NAME)
        batch = await with_known_end(house.ledger, source_id, batch)
        await show_survey(house.ledger, house.catalogue.get(source_id), batch)
        if dry_run:
            return 0
        new = NewRun(app=NAME, source_id=source_id, params=batch.to_params())
        return await walk_and_report(house, app, await house.desk.plan(new))
