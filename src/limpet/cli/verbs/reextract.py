"""`limpet reextract`: the past, read again by today's adapters."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from limpet.cli.opening import open_house, verb_app

app = verb_app()

_DATES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]


@app.command()
def reextract(
    app_name: Annotated[str, typer.Argument(metavar="APP", help="Whose pages: prices or dockets.")],
    *,
    source: Annotated[str | None, typer.Option(help="Only pages of this source.")] = None,
    site: Annotated[str | None, typer.Option(help="Only pages of sources this adapter reads today.")] = None,
    since: Annotated[
        datetime | None,
        typer.Option(formats=_DATES, metavar="DATE", help="Only pages recorded from then on, UTC."),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(formats=_DATES, metavar="DATE", help="Only pages recorded before then, UTC."),
    ] = None,
    run: Annotated[int | None, typer.Option(min=1, help="Only pages this run recorded.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="No more pages than these.")] = None,
    apply: Annotated[
        bool,
        typer.Option(
            "--apply/--dry-run", help="Record what reads better as newer versions; otherwise only report."
        ),
    ] = False,
    with_losses: Annotated[
        bool,
        typer.Option(
            "--with-losses",
            help="With --apply: also withdraw what was read from pages that are no longer readable. "
            "Otherwise it stays, because an adapter mended for today's pages need not know old ones.",
        ),
    ] = False,
    reason: Annotated[str, typer.Option(help="With --apply: why; kept in the audit log.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> int:
    """Read recorded pages again with today's adapters and rules, and show what changes. Nothing is fetched.

    Without --apply it is a report and nothing else. With --apply each page that became readable, or reads
    otherwise, is recorded as a newer version of the same observation, under the date its page was seen; the
    older version stays in the ledger and is no longer shown. `limpet prices ignore-run RUN` takes it back.
    Said again it changes nothing; killed, it goes on when it is said again.

    \b
    Examples:
      limpet reextract prices
      limpet reextract prices --site sgammo --since 2026-03-01 --until 2026-03-15
      limpet reextract prices --run 812 --apply --reason "selectors mended in 1.3.0"
      limpet reextract dockets --source federal_court --json
    """
    from limpet.cli.rereading import Wanted, reextract_and_show  # noqa: PLC0415 - help need not wait for it

    wanted = Wanted(app_name, source, site, run, since, until, limit)
    return reextract_and_show(
        open_house(must_exist=True),
        wanted,
        apply=apply,
        with_losses=with_losses,
        reason=reason,
        as_json=as_json,
    )
