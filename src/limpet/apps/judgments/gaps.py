"""What the archive probably lacks: numbers the court must have given, months it cannot have been silent in."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, exists, func, select

from limpet.apps.judgments.tables import case_files, cases
from limpet.observe.gaps import Month, Numbering, QuietMonth, numbering, quiet_months

_CAUSE = re.compile(r"\b([A-Z]{1,6})\s*0*(\d{1,5})\s*(?:OF|/)\s*((?:19|20)\d{2})\b", re.IGNORECASE)
_CITATION = re.compile(
    r"\[((?:19|20)\d{2})\]\s*([A-Z]{2,8}(?:\s*\([A-Z]{2,6}\))?)\s*(\d{1,5})\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class JudgmentGaps:
    """What one source probably lacks."""

    source_id: str
    cases: int
    not_downloaded: int  # in the index now, not criminal, and never stored
    cause_numbers: Sequence[Numbering]
    citations: Sequence[Numbering]
    quiet_months: Sequence[QuietMonth]

    @property
    def holes(self) -> list[Numbering]:
        """The sequences that miss something and are known well enough for it to mean something."""
        return [each for each in (*self.citations, *self.cause_numbers) if each.holes and each.is_dense]

    @property
    def sparse(self) -> list[Numbering]:
        """The sequences of which too little is known to tell."""
        return [each for each in (*self.citations, *self.cause_numbers) if each.holes and not each.is_dense]

    @property
    def is_whole(self) -> bool:
        """Whether nothing asks for a look."""
        return not (self.holes or self.quiet_months or self.not_downloaded)

    @property
    def backfill(self) -> str | None:
        """The command that fetches what the index names and is not there yet; nothing fills what it never named."""
        return f"limpet run judgments --source {self.source_id} --mode full" if self.not_downloaded else None


def sources_with_cases(connection: Connection) -> list[str]:
    """Return the sources that have any case."""
    return list(connection.execute(select(cases.c.source).distinct().order_by(cases.c.source)).scalars())


def find_gaps(connection: Connection, *, source_id: str, now: datetime) -> JudgmentGaps:
    """Return what this source probably lacks; cases that left the index still prove their number was given."""
    asked = select(cases.c.cause_number, cases.c.neutral_citation, cases.c.judgment_date)
    rows = connection.execute(asked.where(cases.c.source == source_id)).all()
    months: Counter[Month] = Counter(
        (int(row.judgment_date[:4]), int(row.judgment_date[5:7])) for row in rows if row.judgment_date
    )
    return JudgmentGaps(
        source_id=source_id,
        cases=len(rows),
        not_downloaded=_not_downloaded(connection, source_id),
        cause_numbers=_numberings(row.cause_number for row in rows),
        citations=_numberings((row.neutral_citation for row in rows), cited=True),
        quiet_months=quiet_months(months, until=(now.year, now.month)),
    )


def _numberings(texts: Iterable[str | None], *, cited: bool = False) -> list[Numbering]:
    seen: dict[tuple[str, int], list[int]] = defaultdict(list)
    for text in texts:
        for series, year, number in _cited(text or "") if cited else _caused(text or ""):
            seen[series, year].append(number)
    name = "[{year}] {series}" if cited else "{series} of {year}"
    return [
        numbering(name.format(series=series, year=year), numbers)
        for (series, year), numbers in sorted(seen.items(), key=lambda each: (each[0][1], each[0][0]))
    ]


def _caused(text: str) -> Iterable[tuple[str, int, int]]:
    return ((found[1].upper(), int(found[3]), int(found[2])) for found in _CAUSE.finditer(text))


def _cited(text: str) -> Iterable[tuple[str, int, int]]:
    return ((" ".join(found[2].split()), int(found[1]), int(found[3])) for found in _CITATION.finditer(text))


def _not_downloaded(connection: Connection, source_id: str) -> int:
    is_stored = exists().where(case_files.c.case_id == cases.c.id)
    wanted = (cases.c.source == source_id) & (cases.c.is_active == 1) & (cases.c.is_criminal == 0)
    asked = select(func.count()).select_from(cases).where(wanted, ~is_stored)
    return connection.execute(asked).scalar_one()
