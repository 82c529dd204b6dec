"""Current prices for the eye: what they cost first, and addresses cut before anything else is."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.table import Table

from limpet.apps.prices.visible import VisiblePrice
from limpet.cli.listing import table_console
from limpet.extract.parse.currency import amount_in

_COLUMNS = ("source", "price", "stock", "observed", "title", "address")
_BETWEEN = 3  # what a table puts between two cells
_LEAST_TITLE, _LEAST_ADDRESS = 10, 1


def print_prices(found: Sequence[VisiblePrice]) -> None:
    """Print them as a table; on a terminal a row is one line, and in a pipe nothing is cut."""
    rows, console = [_cells(price) for price in found], table_console()
    if sys.stdout.isatty():
        rows = _fitted(rows, console.width)
    table = Table(show_edge=False)
    for column in _COLUMNS:
        table.add_column(column, justify="right" if column == "price" else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _cells(price: VisiblePrice) -> list[str]:
    observed = f"{price.observed_at:%m-%d %H:%M}"  # none is older than a week
    return [price.source_id, _price(price), price.availability, observed, price.title, price.url]


def _fitted(rows: list[list[str]], width: int) -> list[list[str]]:
    """Cut titles and addresses to what the others leave: most of it is the title's."""
    columns = zip(_COLUMNS[:-2], *(row[:-2] for row in rows), strict=True)
    spare = width - sum(max(map(len, column)) + _BETWEEN for column in columns) - _BETWEEN
    title = min(max(len(row[-2]) for row in rows), max(_LEAST_TITLE, spare * 3 // 5))
    address = max(_LEAST_ADDRESS, spare - title - _BETWEEN)
    return [[*row[:-2], _cut(row[-2], title), _cut(row[-1], address)] for row in rows]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def amount(minor_units: int, currency: str) -> str:
    """Return `1,299.00 USD`, and `1,980 JPY`: yen have no decimals."""
    return f"{'-' if minor_units < 0 else ''}{amount_in(minor_units, currency)} {currency}"


def _price(price: VisiblePrice) -> str:
    """Return what it is taken for; behind it, in brackets, what was seen when a correction lies over it."""
    said = amount(price.price_cents, price.currency)
    if price.price_cents == price.observed_cents:
        return said
    return f"{said} ({amount(price.observed_cents, price.currency)})"
