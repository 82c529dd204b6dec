"""One document as an index names it."""

from __future__ import annotations

from dataclasses import dataclass

# What the history of a case is kept of, in the order people read it.
FIELDS = (
    "title",
    "neutral_citation",
    "cause_number",
    "judgment_date",
    "judgment_date_raw",
    "subject",
    "court",
    "category",
    "is_criminal",
)


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A row's statements about one token; a row with several tokens is several of these."""

    token: str  # as the court spells it
    number: int  # which row of the file it stands in
    fingerprint: str  # of everything said below
    is_criminal: bool
    judgment_date: str | None  # YYYY-MM-DD, or none when the text names no day we may believe
    judgment_date_raw: str | None
    title: str | None
    neutral_citation: str | None
    cause_number: str | None
    subject: str | None
    court: str | None
    category: str | None

    def value(self, field: str) -> str | None:
        """Return a field as the history writes it."""
        said = getattr(self, field)
        return str(int(said)) if isinstance(said, bool) else said
