"""The page as an errand left it, read as a docket: the row for its style of cause, the dialog for the rest."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson
from selectolax.lexbor import LexborHTMLParser, LexborNode

from limpet.apps.dockets.docket import DocketEntry
from limpet.apps.dockets.postconditions import (
    checked_entries,
    entry_id_of,
    require_case,
    stated_date,
    the_one_row,
    tidy,
)
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.parse.case_number import CaseNumber
from limpet.extract.select import every, first, maybe, text_of

FRESH = ":not([data-limpet-old])"
ROWS = f"#datatable tbody tr{FRESH}"
NO_DATA = ("No data available in table", "Aucune donnée disponible dans le tableau")
COLUMNS = ("Court Number", "Style of Cause", "Nature of Proceeding", "Parties", "More")
ENTRY_COLUMNS = ("ID", "Date Filed", "Office", "Recorded Entry Summary", "Download")
_LABEL = re.compile(r"\s*:\s*$")


def require_asked(tree: LexborHTMLParser, asked: CaseNumber) -> None:
    """Raise unless the page was asked for this number."""
    field = first(tree, "#selectCourtNumber", field="number asked for")
    require_case(field.attributes.get("data-limpet-asked"), asked)


def style_of_cause(tree: LexborHTMLParser, asked: CaseNumber) -> str | None:
    """Return what stands in the case's own row; NO_RECORD when the table says that there is none."""
    rows = [[text_of(cell) for cell in every(row, "td")] for row in every(tree, ROWS)]
    if len(rows) == 1 and len(rows[0]) == 1 and rows[0][0] in NO_DATA:
        raise CannotRead(Missing.NO_RECORD, f"the table says: {rows[0][0]}")
    heads = tuple(text_of(head) for head in every(tree, "#datatable thead th"))
    if heads != COLUMNS:
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"the result table has the columns {heads!r:.120}")
    whole = [row for row in rows if len(row) == len(COLUMNS)]
    return tidy(whole[the_one_row([row[0] for row in whole], asked)][1])


def dialog_of(tree: LexborHTMLParser, asked: CaseNumber) -> LexborNode:
    """Return the open dialog, once its title names the case asked for; a hidden one is of an earlier case."""
    dialog = first(tree, "#ModalForm.show", field="dialog")
    # A heading inside a heading: read from bytes again, the outer one ends where the inner one begins.
    headings = map(text_of, every(dialog, ".modal-header h5"))
    title = next((text for text in headings if text), "")
    if not title.startswith("Recorded Entry Information"):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"the dialog is headed {title!r:.60}")
    require_case(title.rpartition(":")[2], asked)
    return dialog


def fields_of(dialog: LexborNode) -> dict[str, str | None]:
    """Return what stands behind each label; a label with nothing behind it states explicitly nothing."""
    stated = {}
    for label in every(dialog, "p.text-left strong"):
        pair = label.parent
        if pair is not None:
            name = _LABEL.sub("", text_of(label))
            stated[name] = tidy(text_of(pair).removeprefix(text_of(label)))
    return stated


def field(stated: dict[str, str | None], name: str) -> str | None:
    """Return a field that must have its label; it may state nothing."""
    if name not in stated:
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"the dialog has no {name!r}")
    return stated[name]


def entries_of(dialog: LexborNode) -> tuple[DocketEntry, ...]:
    """Return the entries of the real table; the one before it only explains the columns and has no caption."""
    table = next((one for one in every(dialog, "table") if maybe(one, "caption")), None)
    if table is None:
        raise CannotRead(Missing.SELECTOR_NOT_FOUND, "entries: no table with a caption")
    heads = tuple(text_of(head) for head in every(table, "thead th"))
    if heads != ENTRY_COLUMNS:
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"the entries have the columns {heads!r:.120}")
    if maybe(table, "tbody tr[data-limpet-old]"):
        raise CannotRead(Missing.NOT_WHAT_WAS_ASKED, "the entries are those of an earlier search")
    rows = [every(row, "td") for row in every(table, "tbody tr")]
    says_none = len(rows) == 1 and len(rows[0]) == 1 and text_of(rows[0][0]) in NO_DATA
    return checked_entries(map(_entry, [] if says_none else rows), says_none=says_none)


def extras_kept(tree: LexborHTMLParser, asked: CaseNumber) -> dict[str, Any]:
    """Return what the page's script was told beside the docket, by the name of the extra."""
    found = {}
    for kept in every(tree, "meta[data-limpet-extra]"):
        require_case(kept.attributes.get("data-limpet-of"), asked)
        try:
            found[kept.attributes.get("data-limpet-extra") or ""] = orjson.loads(
                kept.attributes.get("content") or ""
            )
        except orjson.JSONDecodeError as exc:
            raise CannotRead(Missing.NOT_PARSABLE, "an extra that was kept is damaged") from exc
    return found


def _entry(cells: list[LexborNode]) -> DocketEntry:
    if len(cells) != len(ENTRY_COLUMNS):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"an entry has {len(cells)} columns")
    number, date_filed, office, summary, download = cells
    link = maybe(download, "a[href]")
    document = _document_number(link) if link is not None else None
    return DocketEntry(
        entry_id=entry_id_of(text_of(number)),
        date_filed=stated_date(text_of(date_filed), field="entry date"),
        office=tidy(text_of(office)),
        summary=text_of(summary),
        is_published=link is not None,
        details={"FOREMOST_NUMBER": document} if document else {},
    )


def _document_number(link: LexborNode) -> str | None:
    query = parse_qs(urlsplit(link.attributes.get("href") or "").query)
    return query.get("foremostNum", [None])[0]
