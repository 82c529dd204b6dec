"""What the judgment commands share: which court, what a scrape would do, and what one came to."""

from __future__ import annotations

from rich.text import Text
from sqlalchemy import Connection, Row, select

from limpet.apps.judgments.coverage import coverage_of
from limpet.apps.judgments.disk import DiskEstimate, estimate
from limpet.apps.judgments.index.fetching import IndexDesk
from limpet.apps.judgments.index.sync import CsvSyncResult, IndexSync
from limpet.apps.judgments.index.versions import last_good
from limpet.apps.judgments.options import options_of
from limpet.apps.judgments.params import ScrapeParams
from limpet.apps.judgments.scraping import APP_NAME, choice_for, summary_of
from limpet.apps.judgments.sites import COURTS
from limpet.apps.judgments.tables import judgment_runs
from limpet.assembly import House
from limpet.cli.judging_words import case_lines
from limpet.cli.terminal import Terminal, words
from limpet.fetch import Trail
from limpet.source.catalogue import check_source

_SHOWN = 10
_MEGABYTE = 1_000_000


async def sync(house: House, source_id: str, *, accept_removals: bool) -> CsvSyncResult:
    """Sync one source's index; its requests are noted like any other."""
    source, trail = house.catalogue.get(source_id, app=APP_NAME), Trail()
    check_source(source)
    way = house.desk.way(source, house.sites.get(source.site), trail)
    desk = IndexDesk(way.plain, COURTS[source.site], source, house.clock)
    try:
        return await IndexSync(desk, house.ledger).sync(accept_removals=accept_removals)
    finally:
        await house.ledger.note_requests(trail.requests)


async def show_plan(house: House, params: ScrapeParams) -> int:
    """Print what a scrape would fetch by the index as it was last synced; ask nobody, record nothing."""
    source = house.catalogue.get(params.target_source, app=APP_NAME)
    choice = await choice_for(params, source, house.ledger)
    good = await house.ledger.read(lambda connection: last_good(connection, source.id))
    assert good is not None  # or nothing could have been chosen by it
    wanted = choice.chosen[: params.limit]
    disk = await house.ledger.read(
        lambda connection: estimate(
            connection,
            len(wanted),
            data_dir=house.settings.data_dir,
            assumed_bytes=options_of(source).average_pdf_bytes,
        )
    )
    console = Terminal()
    console.print(
        f"dry run: nothing was asked of anybody. By index version {good.id} of {good.fetched_at:%F %R} UTC,\n"
        f"of {choice.total:,} active cases {choice.criminal:,} are criminal and left out, "
        f"{choice.downloaded:,} are on the disk, and {len(wanted):,} would be fetched.",
        soft_wrap=True,
    )
    console.print(_room(disk))
    if wanted:
        console.print(f"the first {min(_SHOWN, len(wanted))}", style="italic")
        case_lines(console, wanted[:_SHOWN])
    return 0


async def show_summary(house: House, run_id: int) -> int:
    """Print what a scrape went by and what went wrong, in the archive's own words; return 1 unless all is well."""

    def ask(connection: Connection) -> Row[tuple[object, ...]] | None:
        return connection.execute(select(judgment_runs).where(judgment_runs.c.run_id == run_id)).first()

    plan = await house.ledger.read(ask)
    if plan is None:
        return 0  # it read no index, so its jobs alone say how it went
    summary = await house.ledger.read(lambda connection: summary_of(connection, run_id))
    console = Terminal()
    by = "the last good index, version" if plan.is_fallback else "index version"
    console.print(
        f"By {by} {plan.csv_version_id}: {plan.cases_total:,} active cases, {plan.cases_criminal:,} criminal left "
        f"out, {plan.cases_downloaded:,} on the disk before, {summary.downloads_completed:,} fetched now.",
        soft_wrap=True,
    )
    for code, count in sorted(summary.error_counts.items()):
        console.print(f"  {count:,} x {code}")
    coverage = await house.ledger.read(lambda connection: coverage_of(connection, run_id))
    console.print(
        f"Verdict: {coverage.verdict} ({coverage.ratio:.1%} of what it set out for). {coverage.because}"
    )
    # No target failed, and yet the archive may not be what the court publishes: that must not look like success.
    return int(coverage.verdict != "ok")


def _room(disk: DiskEstimate) -> Text:
    needed, free = disk.expected_bytes / _MEGABYTE, disk.free_bytes / _MEGABYTE
    said = f"About {needed:,.0f} MB are needed and {free:,.0f} MB free."
    return words((f"{said} That may not be enough.", "yellow")) if disk.is_tight else words(said)
