"""Reads a listing page: its table as rows of an index, each with the tokens of its buttons."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from limpet.extract import Missing
from limpet.extract.document import open_document
from limpet.extract.failure import CannotRead
from limpet.extract.select import every, text_of
from limpet.fetch.page import Page


def listed_rows(page: Page, button: str) -> list[list[str]]:
    """Return the header and every row of the table with such buttons; raise CannotRead when there is none."""
    for table in every(open_document(page), "table"):
        if table.css_first(f"[{button}]") is not None:
            return [_header(table), *(_row(row, button) for row in every(table, "tbody tr"))]
    raise CannotRead(Missing.SELECTOR_NOT_FOUND, f"no table has a button with {button}")


def _header(table: LexborNode) -> list[str]:
    names = [text_of(cell) for cell in every(table, "thead th")]
    # The column of buttons has no name of its own on the page.
    return [*(name or "Actions" for name in names[:-1]), "Actions"] if names else ["Actions"]


def _row(row: LexborNode, button: str) -> list[str]:
    cells = [text_of(cell) for cell in every(row, "td")]
    tokens = [each.attributes.get(button) or "" for each in every(row, f"[{button}]")]
    return [*cells[:-1], "|".join(tokens)]
