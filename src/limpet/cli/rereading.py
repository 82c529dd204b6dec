"""What `limpet reextract` does: opens the ledger and nothing else, reads the pages, and prints before and after."""

from __future__ import annotations

import asyncio
import getpass
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from rich.progress import Progress
from rich.table import Table

from limpet.assembly import all_apps, all_sites, open_ledger
from limpet.cli.terminal import Terminal
from limpet.configuration import Config, load_config
from limpet.engine.comparing import Change
from limpet.engine.reread_report import Example, RereadReport
from limpet.engine.rereading import Rereader, rereader_for, sources_meant
from limpet.errors import UsageError
from limpet.record.recorded_pages import PageWish
from limpet.record.rereadings import Rereading
from limpet.settings import Settings
from limpet.target.outcome import Trigger

WORDS = {
    Change.SAME: "read the same",
    Change.NEWLY_READABLE: "newly readable",
    Change.CHANGED: "changed",
    Change.NO_LONGER_READABLE: "no longer readable",
    Change.OTHERWISE_UNREADABLE: "unreadable for another reason",
    Change.DECIDED: "left as a person decided",
    Change.NOT_KEPT: "no longer kept",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which pages were asked for, as the command line has it."""

    app: str
    source: str | None = None
    site: str | None = None
    run: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    limit: int | None = None


def reextract_and_show(
    settings: Settings, wanted: Wanted, *, apply: bool, with_losses: bool, reason: str, as_json: bool
) -> int:
    """Read again and print the report; return 0."""
    if with_losses and not apply:
        raise UsageError("--with-losses says what --apply records.", fix="Add --apply, or leave it out.")
    errand = Rereading(wanted.app, getpass.getuser(), reason, Trigger.CLI) if apply else None
    report = asyncio.run(_reread(settings, wanted, errand, with_losses=with_losses, quietly=as_json))
    if as_json:
        sys.stdout.write(json.dumps(report.to_json(), indent=2, default=str) + "\n")
    else:
        print_report(Terminal(), report, is_applied=apply)
    return 0


async def _reread(
    settings: Settings, wanted: Wanted, errand: Rereading | None, *, with_losses: bool, quietly: bool
) -> RereadReport:
    async with open_rereader(settings, wanted.app) as rereader:
        chosen = sources_meant(
            rereader.app,
            rereader.sources.values(),
            rereader.sites,
            source_id=wanted.source,
            site_id=wanted.site,
        )
        if wanted.run is not None:
            await rereader.ledger.run(wanted.run)  # or say that there is none
        wish = PageWish(wanted.app, chosen, wanted.run, _utc(wanted.since), _utc(wanted.until))
        with _progress(quietly=quietly) as on_progress:
            return await rereader.report(
                wish, limit=wanted.limit, errand=errand, with_losses=with_losses, on_progress=on_progress
            )


@asynccontextmanager
async def open_rereader(settings: Settings, app_name: str) -> AsyncIterator[Rereader]:
    """Yield who reads pages of this app again: a ledger, adapters and rules, and no way to the network."""
    apps = all_apps()
    if app_name not in apps:
        raise UsageError(f"There is no app {app_name!r}.", fix=f"Known apps: {', '.join(sorted(apps))}.")
    config = load_config(settings.config) if settings.config else Config()
    async with open_ledger(settings) as ledger:
        configured = [each.source for each in config.sources]
        yield await rereader_for(apps[app_name], ledger, all_sites(config), configured)


@contextmanager
def _progress(*, quietly: bool) -> Iterator[Callable[[int, int], None]]:
    console = Terminal(stderr=True)
    if quietly or not console.is_terminal:
        yield lambda done, total: None
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("reading again", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def print_report(console: Terminal, report: RereadReport, *, is_applied: bool) -> None:
    """Print what changed, by page, by field and by outcome, with examples."""
    read_by = f" by {', '.join(sorted(report.versions))}" if report.versions else ""
    console.print(f"{report.pages:,} recorded pages read again{read_by}; nothing was fetched.")
    for word, said in WORDS.items():
        if report.count(word):
            console.print(f"  {report.count(word):>9,}  {said}")
    _print_counts(console, "Changed fields", [(name, f"{n:,}") for name, n in report.fields.most_common()])
    words = [(f"{old} -> {new}", f"{n:,}") for (old, new), n in report.outcomes.most_common() if old != new]
    _print_counts(console, "Outcomes before and after", words)
    if report.examples:
        console.print(examples_table(report.examples))
    console.print(_conclusion(report, is_applied=is_applied), soft_wrap=True)


def _print_counts(console: Terminal, title: str, rows: list[tuple[str, str]]) -> None:
    if rows:
        console.print(f"{title}:")
        for name, count in rows:
            console.print(f"  {count:>9}  {name}", soft_wrap=True)


def examples_table(examples: list[Example]) -> Table:
    """Return before and after, field by field."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("change", "seen", "target", "field", "before", "after", "snapshot"):
        table.add_column(name, overflow="fold")
    for each in examples:
        before = each.outcome_before if each.field is None and each.before is None else each.before
        after = each.outcome_after if each.field is None and each.after is None else each.after
        cells = (WORDS[Change(each.change)], f"{each.seen_at:%Y-%m-%d}", each.target, each.field or "-")
        table.add_row(*(str(cell) for cell in (*cells, before, after, each.snapshot[:12])))
    return table


def _conclusion(report: RereadReport, *, is_applied: bool) -> str:
    better = report.count(Change.NEWLY_READABLE) + report.count(Change.CHANGED)
    if not is_applied:
        return "Nothing was recorded." + (f" --apply records {better:,} newer versions." if better else "")
    runs = ", ".join(f"run {new} (of run {old})" for old, new in sorted(report.runs.items())[:10])
    more = f" and {len(report.runs) - 10} more" if len(report.runs) > 10 else ""
    return f"{report.recorded:,} newer versions recorded{f': {runs}{more}' if runs else ''}."


def _utc(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
