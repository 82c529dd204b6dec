"""What must hold before a case counts as read, whichever reader read it: the lessons of every silent failure.

The number is the one asked for, the filing date is a date or explicitly absent, each entry carries the court's
own ID, and a docket without entries says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.apps.dockets.docket import DocketEntry
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.parse.case_number import CaseNumber, CaseNumberProblem, parse_case_number
from limpet.extract.parse.date import DateProblem, parse_date


def require_case(stated: str | None, asked: CaseNumber) -> None:
    """Raise unless the page is about the case that was asked for, and no other."""
    found = parse_case_number(stated or "")
    if isinstance(found, CaseNumberProblem):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"case number: {stated!r:.60} is none")
    if found != asked:
        raise CannotRead(Missing.NOT_WHAT_WAS_ASKED, f"{asked} was asked for, the answer is about {found}")


def stated_date(text: object, *, field: str) -> str | None:
    """Return the day, None when the court states explicitly none, and raise when it is unreadable."""
    if text is None or (isinstance(text, str) and not text.strip()):
        return None
    found = parse_date(str(text))
    if isinstance(found, DateProblem):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"{field}: {found.text!r} is no date")
    return found.isoformat()


def entry_id_of(text: object) -> int:
    """Return the entry's ID as the ID column states it; raise when it states none."""
    if isinstance(text, float) and text.is_integer():
        text = int(text)
    digits = str(text).strip()
    if isinstance(text, bool) or not (digits.isascii() and digits.isdigit()):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"entry ID: {text!r:.40} is no number")
    return int(digits)


def checked_entries(rows: Iterable[DocketEntry], *, says_none: bool) -> tuple[DocketEntry, ...]:
    """Return the entries by ascending ID. The same row told twice is one; two that differ are a contradiction."""
    by_id: dict[int, DocketEntry] = {}
    for row in rows:
        if by_id.setdefault(row.entry_id, row) != row:
            raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"entry {row.entry_id} is stated in two ways")
    if not by_id and not says_none:
        raise CannotRead(
            Missing.PAGE_STRUCTURE_CHANGED, "entries: none, and nothing says that there are none"
        )
    return tuple(by_id[entry_id] for entry_id in sorted(by_id))


def tidy(text: object) -> str | None:
    """Return the text in one line without its margins; nothing, when there is nothing."""
    words = " ".join(str(text).split()) if text is not None else ""
    return words or None


def the_one_row(rows: Sequence[str | None], asked: CaseNumber) -> int:
    """Return which of the rows is the case asked for; raise when none is."""
    for place, stated in enumerate(rows):
        found = parse_case_number(stated or "")
        if not isinstance(found, CaseNumberProblem) and found == asked:
            return place
    shown = ", ".join(str(stated) for stated in rows[:3])
    raise CannotRead(Missing.NOT_WHAT_WAS_ASKED, f"{asked} was asked for, the answer is about {shown:.80}")
