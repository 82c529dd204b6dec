"""One row of the court's index, and what is true of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from typing import Any


class Dress(IntEnum):
    """How untidily a row is written."""

    PLAIN = 0
    ENTITIES = 1
    HARD_SPACES = 2
    PADDED = 3


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the index; most lead to one document, some to several, a few to none."""

    number: int  # grows with time: a higher one was published later
    citation: str
    cause_number: str
    judged_on: date | None  # None: what stands in the date column is no date
    date_text: str
    title: str
    subject: str
    court: str
    category: str
    tokens: tuple[str, ...]
    separator: str = "|"
    dress: Dress = Dress.PLAIN
    repeats: bool = False  # its token belongs to another row

    @property
    def is_criminal(self) -> bool:
        return "crim" in self.category.lower()

    @property
    def is_ordinary(self) -> bool:
        """Whether the row is one document, to be downloaded: such rows may be changed, removed and counted."""
        return len(self.tokens) == 1 and not self.is_criminal and not self.repeats

    def facts(self) -> dict[str, Any]:
        """Return what a perfect reader would have understood of this row."""
        return {
            "neutral_citation": self.citation,
            "cause_number": self.cause_number,
            "judgment_date": self.judged_on.isoformat() if self.judged_on else None,
            "date_text": self.date_text,
            "title": self.title,
            "subject": self.subject,
            "court": self.court,
            "category": self.category,
            "is_criminal": self.is_criminal,
        }
