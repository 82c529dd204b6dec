"""`limpet dockets purge`: a year taken out, after a backup that was proven."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limpet.apps.dockets.errors import PurgeRefused
from limpet.cli import event_loop
from limpet.cli.docketing.choosing import register_of
from limpet.cli.opening import open_house
from limpet.errors import NothingToDo

if TYPE_CHECKING:
    from limpet.apps.dockets.purging.plan import PurgePlan
    from limpet.apps.dockets.purging.purge import Purge
    from limpet.settings import Settings


def purge(
    year: Annotated[str, typer.Argument(help="The year to take out, such as 25 or 2025.")],
    *,
    source: Annotated[str | None, typer.Option(help="Which source, when there are several.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go; remove nothing.")] = False,
    backup: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the backup goes (default: output/backups).")
    ] = None,
    confirm: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What would be typed when asked, for scripts.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> int:
    """Remove every docket of a year: rows, files and kept pages, after a backup that was read back and proven.

    The year is that of the case numbers (IMM-231-25 belongs to 2025), whenever they were fetched; nothing of another
    year is touched. What was asked of the court stays on record as runs and jobs. On any doubt - an unfinished run,
    another process, a file that is not what was stored or that nobody knows - nothing is removed. The account is
    kept in output/purge_audit_<time>_<YEAR>.json.

    \b
    Examples:
      limpet dockets purge 25 --dry-run
      limpet dockets purge 25
      limpet dockets purge 2025 --confirm "PURGE 2025" --backup /mnt/backups
    """
    settings = open_house(must_exist=True)
    return event_loop.run(
        _purge(settings, year, source, dry_run=dry_run, backup=backup, confirm=confirm, as_json=as_json)
    )


async def _purge(
    settings: Settings,
    year: str,
    source: str | None,
    *,
    dry_run: bool,
    backup: Path | None,
    confirm: str | None,
    as_json: bool,
) -> int:
    from limpet.apps.dockets.purging.purge import Purge  # noqa: PLC0415 - heavy, and not needed for help
    from limpet.assembly import assemble  # noqa: PLC0415

    async with assemble(settings) as house:
        register = register_of(house, source, prefix="IMM", year=year)
        work = Purge(house.ledger, register.source_id, register.year, backup)
        if not dry_run and (done := await work.finish_interrupted()):
            return _account(done, as_json=as_json)
        plan = await work.plan()
        if plan.is_empty and not plan.doubts:
            raise NothingToDo(
                f"Nothing of {plan.year} is on record for {plan.source_id!r}.",
                fix="`limpet dockets stats` shows which years are.",
            )
        if dry_run:
            _show(plan, as_json=as_json)
            return 1 if plan.doubts else 0
        return await _carry_out(work, plan, confirm, as_json=as_json)


async def _carry_out(work: Purge, plan: PurgePlan, confirm: str | None, *, as_json: bool) -> int:
    if not as_json:
        _show(plan, as_json=False)
    if not plan.doubts:
        _ask(plan, confirm)
    return _account(await work.carry_out(plan), as_json=as_json)


def _ask(plan: PurgePlan, confirm: str | None) -> None:
    """Go on only when the very words were typed."""
    if confirm is None:
        if not sys.stdin.isatty():
            raise PurgeRefused(
                "Nobody is there to confirm.",
                fix=f'Say it on the command line: --confirm "{plan.confirmation}".',
            )
        confirm = typer.prompt(f"Type {plan.confirmation} to go on", default="", show_default=False)
    if confirm.strip() != plan.confirmation:
        raise PurgeRefused(
            f"{confirm.strip()!r} is not {plan.confirmation!r}.", fix="Nothing was removed; type it exactly."
        )


def _show(plan: PurgePlan, *, as_json: bool) -> None:
    facts = plan.facts()
    if as_json:
        typer.echo(json.dumps(facts, indent=2))
        return
    typer.echo(f"{plan.year} of {plan.source_id}: {facts['bytes']:,} bytes in files")
    for name, count in facts["counts"].items():
        typer.echo(f"  {name:<22} {count:>9,}")
    typer.echo(f"  cases: {', '.join(facts['sample_cases']) or 'none'}")
    for doubt in plan.doubts[:20]:
        typer.echo(f"  doubt: {doubt}")


def _account(report: dict[str, Any], *, as_json: bool) -> int:
    if as_json:
        typer.echo(json.dumps(report, indent=2))
    else:
        typer.echo(f"Removed. Backup: {report.get('backup')}. Account: {report['audit']}.")
        for trouble in report["errors"]:
            typer.echo(f"  still there: {trouble}")
    return 1 if report["errors"] else 0
