"""The court's index as it is really written: a BOM, entities, hard spaces, four kinds of dates."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from html import escape

from tidepool.court.case import Dress, Row

COLUMNS = (
    "Neutral Citation",
    "Cause Number",
    "Judgment Date",
    "Title",
    "Subject",
    "Court",
    "Category",
    "Actions",
)
BOM = "\ufeff"
HARD_SPACE = "\u00a0"


def index_csv(rows: Iterable[Row]) -> bytes:
    """Return the whole file."""
    out = io.StringIO()
    out.write(BOM)
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(cells, rows))
    return out.getvalue().encode()


def cells(row: Row) -> list[str]:
    """Return one line, dressed as this row is."""
    texts = [row.citation, row.cause_number, row.date_text, row.title, row.subject, row.court, row.category]
    return [*(dressed(text, row.dress) for text in texts), _actions(row)]


def dressed(text: str, dress: Dress) -> str:
    """Return a text as untidily as its row is written."""
    if not text or dress is Dress.PLAIN:
        return text
    if dress is Dress.ENTITIES:
        return escape(text).replace(" v ", " v&nbsp;").replace("'", "&#8217;")
    if dress is Dress.HARD_SPACES:
        return text.replace(" ", HARD_SPACE, 1) + HARD_SPACE
    return f"  {text} "


def _actions(row: Row) -> str:
    if not row.tokens:
        return (HARD_SPACE, "", "   ")[row.number % 3]
    # An ampersand inside a token is always written as an entity, whose semicolon also parts tokens.
    joined = row.separator.join(token.replace("&", "&amp;") for token in row.tokens)
    return f" {joined}{HARD_SPACE}" if row.dress is Dress.HARD_SPACES else joined
