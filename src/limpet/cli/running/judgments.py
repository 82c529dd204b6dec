"""`limpet run judgments`: one scrape of a court in the foreground."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from limpet.cli import event_loop
from limpet.cli.opening import open_house
from limpet.settings import Settings

if TYPE_CHECKING:
    from limpet.apps.judgments.params import ScrapeParams

NAME = "judgments"


def run_judgments(
    *,
    mode: Annotated[
        Literal["full", "new", "resume"],
        typer.Option(
            help="full: all that is not on the disk; new: what appeared since; resume: what was left."
        ),
    ] = "full",
    resume_strategy: Annotated[
        Literal["none", "retry_failed_only", "redo_in_progress", "auto"] | None,
        typer.Option(help="With --mode resume: what of earlier runs is done again; auto if not said."),
    ] = None,
    source: Annotated[str | None, typer.Option(help="Which source, when there are several.")] = None,
    limit: Annotated[
        int | None, typer.Option(help="At most so many documents, newest first (1 to 1000000).")
    ] = None,
    token: Annotated[
        list[str] | None, typer.Option(metavar="TOKEN", help="Only this document; may be given again.")
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(help="So many at once (1 to 64); never more than the source's pace allows."),
    ] = None,
    delay: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="At least so long between two requests (0 to 3600)."),
    ] = None,
    max_retries: Annotated[int | None, typer.Option(help="Tries per document (1 to 20).")] = None,
    stale_after: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="A process elsewhere that is silent so long is gone (1 to 604800)."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the plan by the last synced index; ask nobody.")
    ] = False,
) -> int:
    """Sync the court's index, then fetch every judgment that is not on the disk yet.

    A document is fetched once: what stands on the disk is never asked for again, unless its size is not the one on
    record; a document named by --token is read and must have the hash on record. What is damaged is set aside, not
    removed. Criminal cases are left out and counted. There is one run per source at a time. Ctrl-C stops in good
    order, and so does a full disk; `limpet resume` goes on at exactly that place. Exits 0 only when the verdict is ok.

    \b
    Examples:
      limpet run judgments
      limpet run judgments --mode new --limit 50
      limpet run judgments --mode resume --resume-strategy retry_failed_only
      limpet run judgments --source public_registers --dry-run
    """
    from limpet.apps.judgments.params import ScrapeParams  # noqa: PLC0415 - help need not wait for it

    params = ScrapeParams(
        mode=mode,
        target_source=source or "",
        per_download_delay=delay,
        max_retries=max_retries,
        concurrency=concurrency,
        resume_strategy=resume_strategy,
        dry_run=dry_run,
        limit=limit,
        stale_after_seconds=stale_after,
        tokens=tuple(token or ()),
    )
    return event_loop.run(_run(open_house(), params))


async def _run(settings: Settings, params: ScrapeParams) -> int:
    from dataclasses import replace  # noqa: PLC0415

    from limpet.assembly import assemble  # noqa: PLC0415 - heavy, and not needed to explain options
    from limpet.cli.judging import show_plan, show_summary  # noqa: PLC0415
    from limpet.cli.source_choice import only_source  # noqa: PLC0415
    from limpet.cli.walking import refuse_if_all_shut, walk_and_report  # noqa: PLC0415
    from limpet.record.entry import NewRun  # noqa: PLC0415

    async with assemble(settings) as house:
        params = replace(params, target_source=params.target_source or only_source(house, app=NAME))
        if params.dry_run:
            return await show_plan(house, params)
        app = house.app(NAME)
        refuse_if_all_shut(house, app, params.target_source)
        new = NewRun(NAME, params.target_source, mode=params.run_mode, params=params.as_run_params())
        run = await house.desk.plan(new)
        code = await walk_and_report(house, app, run)
        return max(code, await show_summary(house, run.id))
