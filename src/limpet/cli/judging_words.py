"""Versions of an index, their differences, and single cases, printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from limpet.apps.judgments.index.differences import Differences
from limpet.apps.judgments.standing import CaseStanding
from limpet.cli.terminal import Terminal

_COUNTS = {
    "row_count": "rows",
    "new_count": "new",
    "changed_count": "changed",
    "removed_count": "removed",
    "reappeared_count": "back",
    "criminal_count": "criminal",
}
_MOST_SHOWN = 50
_LEAST_TITLE = 12


def version_table(versions: Sequence[Mapping[str, Any]]) -> None:
    """Print them, a table for each source: with its name in a column they would not fit into 80 characters."""
    console = Terminal()
    if not versions:
        console.print("No index was ever synced. Begin with: limpet judgments sync")
    for source in dict.fromkeys(each["source"] for each in versions):
        console.print(source, style="bold")
        console.print(_table_of([each for each in versions if each["source"] == source]))
    for each in versions:
        if each["error_message"]:
            console.print(f"version {each['id']}: {each['error_message']}", soft_wrap=True)


def _table_of(versions: Sequence[Mapping[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for word in ("", "fetched", "state"):
        table.add_column(word, no_wrap=True)
    for word in _COUNTS.values():
        table.add_column(word, justify="right", no_wrap=True)
    for each in versions:
        counts = (f"{each[count]:,}" for count in _COUNTS)
        table.add_row(str(each["id"]), f"{each['fetched_at']:%F %R}", each["state"], *counts)
    return table


def case_lines(console: Terminal, cases: Sequence[CaseStanding]) -> None:
    """Print date, token and title of each; only the title gives way, for a token cut short names nothing."""
    tokens = [console.render_str(case.token) for case in cases]
    widest = max(token.cell_len for token in tokens)
    room = max(_LEAST_TITLE, console.width - len("2025-01-31") - widest - 4)
    for case, token in zip(cases, tokens, strict=True):
        token.pad_right(widest - token.cell_len)
        title = console.render_str(" ".join((case.title or "").split()))
        title.truncate(room, overflow="ellipsis")
        line = Text("  ").join([Text(f"{case.judgment_date or '-':<10}"), token, title])
        line.rstrip()
        console.print(line, soft_wrap=True)


def diff_table(found: Differences) -> None:
    """Print what differs, field by field; what is too long for a screen is counted."""
    console = Terminal()
    console.print(
        f"{len(found.new):,} new, {len(found.changed):,} changed, {len(found.removed):,} removed, "
        f"{len(found.reappeared):,} back again between version {found.earlier} and {found.later}."
    )
    for sign, tokens in (("+", found.new), ("-", found.removed), ("^", found.reappeared)):
        for token in sorted(tokens)[:_MOST_SHOWN]:
            console.print(f"{sign} {token}", soft_wrap=True)
    for token, fields in sorted(found.changed.items())[:_MOST_SHOWN]:
        console.print(f"~ {token}", soft_wrap=True)
        for field, (was, becomes) in fields.items():
            console.print(f"    {field}: {was!r} -> {becomes!r}", soft_wrap=True)
    if max(map(len, (found.new, found.changed, found.removed, found.reappeared))) > _MOST_SHOWN:
        console.print(f"No more than {_MOST_SHOWN} of each are shown; --json has them all.")
