"""Versions of an index and their differences, printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from limpet.apps.judgments.index.differences import Differences

_COUNTS = {
    "row_count": "rows",
    "new_count": "new",
    "changed_count": "changed",
    "removed_count": "removed",
    "reappeared_count": "back",
    "criminal_count": "criminal",
}
_MOST_SHOWN = 50


def version_table(versions: Sequence[Mapping[str, Any]]) -> None:
    """Print them as a table."""
    if not versions:
        Console().print("No index was ever synced. Begin with: limpet judgments sync")
        return
    table = Table(box=None, pad_edge=False)
    # In a narrow window the name of the source gives way first: numbers and states say what happened.
    table.add_column("", no_wrap=True, min_width=len(str(versions[0]["id"])))
    table.add_column("source", no_wrap=True)
    table.add_column("fetched", no_wrap=True, min_width=16)
    table.add_column("state", no_wrap=True, min_width=7)
    for word in _COUNTS.values():
        table.add_column(word, justify="right", no_wrap=True, min_width=len(word))
    for each in versions:
        counts = (f"{each[count]:,}" for count in _COUNTS)
        table.add_row(str(each["id"]), each["source"], f"{each['fetched_at']:%F %R}", each["state"], *counts)
    Console().print(table)
    for each in versions:
        if each["error_message"]:
            Console().print(f"version {each['id']}: {each['error_message']}", soft_wrap=True, highlight=False)


def diff_table(found: Differences) -> None:
    """Print what differs, field by field; what is too long for a screen is counted."""
    console = Console(highlight=False)
    console.print(
        f"{len(found.new):,} new, {len(found.changed):,} changed, {len(found.removed):,} removed, "
        f"{len(found.reappeared):,} back again between version {found.earlier} and {found.later}."
    )
    for sign, tokens in (("+", found.new), ("-", found.removed), ("^", found.reappeared)):
        for token in sorted(tokens)[:_MOST_SHOWN]:
            console.print(f"{sign} {token}", markup=False, soft_wrap=True)
    for token, fields in sorted(found.changed.items())[:_MOST_SHOWN]:
        console.print(f"~ {token}", markup=False, soft_wrap=True)
        for field, (was, becomes) in fields.items():
            console.print(f"    {field}: {was!r} -> {becomes!r}", markup=False, soft_wrap=True)
    if max(map(len, (found.new, found.changed, found.removed, found.reappeared))) > _MOST_SHOWN:
        console.print(f"No more than {_MOST_SHOWN} of each are shown; --json has them all.")
