"""`limpet targets`: what is watched - added, imported, listed, paused, tagged, exported."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from limpet.cli.counting import counted
from limpet.cli.opening import verb_app
from limpet.cli.reasons import said

app = verb_app()

Ids = Annotated[
    list[int], typer.Argument(metavar="ID...", help="Numbers as `limpet targets list` shows them.")
]
Reason = Annotated[str, typer.Option(callback=said, help="Why; kept in the audit log.")]
Source = Annotated[str | None, typer.Option(help="The source they belong to.")]
AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


@app.callback()
def targets() -> None:
    """What is watched: add, import, list, pause, tag and export targets.

    \b
    Examples:
      limpet targets add https://shop.example.com/product/1 --source shop
      limpet targets import urls.csv --source shop
      limpet targets list --source shop --status broken
      limpet targets pause 12 13 --reason "seasonal"
      limpet targets export --source shop > targets.csv
    """


@app.command()
def add(
    urls: Annotated[list[str], typer.Argument(metavar="URL...")],
    source: Source = None,
    as_json: AsJson = False,
) -> int:
    """Add addresses; each line says whether it is new, known already, or wrong."""
    from limpet.cli.targeting import bring_in  # noqa: PLC0415 - help need not wait for it

    return bring_in("\n".join(f'"{url.replace(chr(34), "%22")}"' for url in urls), source, as_json=as_json)


@app.command("import")
def import_table(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="CSV with a header, or one address a line; - pastes.")
    ],
    source: Source = None,
    as_json: AsJson = False,
) -> int:
    """Import a table: url, and optionally source, priority, schedule and tags (joined by ;). Quoting as in RFC 4180.

    Exits 1 when a line was wrong; every other line is kept.
    """
    from limpet.cli.targeting import bring_in, read_table  # noqa: PLC0415

    return bring_in(read_table(file), source, as_json=as_json)


@app.command("list")
def list_targets(  # noqa: PLR0917 - the order of its options on the page of help
    source: Source = None,
    status: Annotated[
        Literal["active", "paused", "broken", "stale"] | None, typer.Option(help="Only these.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="Part of the address.")] = None,
    tag: Annotated[str | None, typer.Option(help="Only with this tag.")] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=1, max=1_000_000, help="At most so many; a table shows 50, --json all."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List targets in the order they were added."""
    from limpet.cli.targeting import show_targets  # noqa: PLC0415
    from limpet.record.editing_targets import TargetFilter  # noqa: PLC0415

    show_targets(
        TargetFilter(source_id=source, status=status, text=text, tag=tag), limit=limit, as_json=as_json
    )


@app.command()
def export(source: Source = None, limit: Annotated[int, typer.Option(min=1)] = 1_000_000) -> None:
    """Write the targets as CSV to standard output; `import` reads it again."""
    from limpet.cli.targeting import export_targets  # noqa: PLC0415
    from limpet.record.editing_targets import TargetFilter  # noqa: PLC0415

    export_targets(TargetFilter(source_id=source), limit=limit)


@app.command()
def pause(ids: Ids, reason: Reason) -> None:
    """Stop visiting targets; their history stays."""
    _edit(ids, {"status": "paused"}, reason)


@app.command()
def resume(ids: Ids, reason: Reason) -> None:
    """Visit paused, broken or stale targets again."""
    _edit(ids, {"status": "active", "consecutive_failures": 0}, reason)


@app.command()
def recheck(ids: Ids, reason: Reason) -> int:
    """Fetch these targets now; only a success makes a broken one active again."""
    from limpet.cli.targeting import recheck_now  # noqa: PLC0415

    return recheck_now(ids, reason)


@app.command()
def block(ids: Ids, reason: Reason) -> None:
    """Never visit these addresses, whatever robots.txt says. `unblock` takes it back."""
    _edit(ids, {"robots_path_blocked": True}, reason)


@app.command()
def unblock(ids: Ids, reason: Reason) -> None:
    """Take a block back; the domain's own rules still hold."""
    _edit(ids, {"robots_path_blocked": False}, reason)


@app.command()
def edit(  # noqa: PLR0917 - the order of its options on the page of help
    ids: Ids,
    reason: Reason,
    priority: Annotated[int | None, typer.Option(min=0, max=100, help="Higher goes first.")] = None,
    schedule: Annotated[str | None, typer.Option(help="Cron in UTC, or 'every 30m'; '' removes it.")] = None,
    tags: Annotated[str | None, typer.Option(help="Joined by ;  - replaces what is there.")] = None,
    notes: Annotated[str | None, typer.Option(help="Anything worth knowing.")] = None,
) -> None:
    """Change priority, schedule, tags or notes."""
    from limpet.cli.targeting import changes_from  # noqa: PLC0415

    _edit(ids, changes_from(priority=priority, schedule=schedule, tags=tags, notes=notes), reason)


@app.command()
def delete(ids: Ids, reason: Reason) -> None:
    """Delete targets that were never walked; others can only be paused, because history is kept."""
    from limpet.cli.targeting import delete_now  # noqa: PLC0415

    typer.echo(f"Deleted {delete_now(ids, reason)}.")


def _edit(ids: list[int], changes: dict[str, object], reason: str) -> None:
    from limpet.cli.targeting import edit_now  # noqa: PLC0415

    count = edit_now(ids, changes, reason)
    typer.echo(f"Changed {counted(count, 'target')}.")
