"""The rows `limpet list` shows, ready for a table or for JSON."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime

from rich.table import Table

from limpet.assembly import all_sites, open_ledger
from limpet.cli.terminal import Terminal
from limpet.configuration import load_config
from limpet.errors import SourceRefused
from limpet.record.database import has_ledger
from limpet.record.entry import Run
from limpet.record.switching import switches
from limpet.settings import Settings
from limpet.source import Source
from limpet.source.catalogue import Catalogue, check_source

Row = dict[str, object]
FIRST_ROWS = 50  # of a table nobody said a --limit for
_AS_WIDE_AS_IT_TAKES = 2_000


async def run_rows(settings: Settings, limit: int) -> list[Row]:
    """Return runs, newest first."""
    async with open_ledger(settings) as ledger:
        return [_run_row(run) for run in await ledger.runs(limit=limit)]


async def source_rows(settings: Settings) -> list[Row]:
    """Return the configured sources and whether each may be visited; a switch in the ledger counts too."""
    if settings.config is None:
        return []
    configured = load_config(settings.config).sources
    catalogue = Catalogue(each.source for each in configured)
    if has_ledger(settings.ledger_place):
        async with open_ledger(settings) as ledger:
            catalogue.switch(await ledger.read(switches))
    return [_source_row(catalogue.get(each.source.id), len(each.targets)) for each in configured]


def site_rows(settings: Settings) -> list[Row]:
    """Return the sites we can read, those the config file describes among them."""
    sites = all_sites(load_config(settings.config) if settings.config else None)
    found = [sites.get(site_id) for site_id in sites.list()]
    return [
        {"site": site.id, "version": site.version, "app": site.app, "domain": site.domain} for site in found
    ]


def _run_row(run: Run) -> Row:
    counts = {word: count for word, count in run.counts.items() if count}
    return {
        "run": run.id,
        "app": run.app,
        "source": run.source_id,
        "trigger": run.trigger.value,
        "mode": run.mode.value,
        "state": run.state.value,
        "started_at": run.started_at.isoformat(timespec="seconds"),
        "planned": run.planned,
        "outcomes": " ".join(f"{word}={count}" for word, count in counts.items()),
    }


def _source_row(source: Source, targets: int) -> Row:
    spacing = source.pace.spacing_seconds
    return {
        "source": source.id,
        "app": source.app,
        "site": source.site,
        "targets": targets,
        "pace": f"one per {spacing:g} s" if spacing else "unlimited",
        "gate": _gate(source),
    }


def _gate(source: Source) -> str:
    try:
        check_source(source)
    except SourceRefused as refusal:
        return str(refusal)
    return "open"


def print_rows(rows: Sequence[Mapping[str, object]]) -> None:
    """Print rows as a table; the first one's keys are the columns."""
    table = Table(show_edge=False)
    for column in rows[0]:
        table.add_column(column.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    table_console().print(table)


def say_how_many(shown: int, there_are: int) -> None:
    """Say beside a table that it does not show everything; in a pipe it stays a table."""
    if shown < there_are:
        print(f"{shown:,} of {there_are:,}; --limit N shows more.", file=sys.stderr)


def table_console() -> Terminal:
    """Return where tables are printed: in a pipe a row stays one line, whatever it takes."""
    return Terminal(width=None if sys.stdout.isatty() else _AS_WIDE_AS_IT_TAKES)


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    return "" if value is None else str(value)
