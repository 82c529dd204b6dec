"""The record: one court file with everything that was recorded in it, whichever way it was read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class DocketEntry:
    """One recorded entry. `entry_id` is the court's own ID column; where the row stood says nothing."""

    entry_id: int
    date_filed: str | None  # YYYY-MM-DD
    office: str | None
    summary: str
    is_published: bool = False  # whether its document may be downloaded
    # What only the JSON behind the page tells. Not part of what two readers must agree on.
    details: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def content(self) -> dict[str, Any]:
        """Return what both readers see: a change here is a new version."""
        return {
            "entry_id": self.entry_id,
            "date_filed": self.date_filed,
            "office": self.office,
            "summary": self.summary,
            "is_published": self.is_published,
        }


@dataclass(frozen=True, slots=True)
class Party:
    """Somebody before the court, and who speaks for them."""

    name: str
    firm: str | None = None
    contact: str | None = None


@dataclass(frozen=True, slots=True)
class RelatedCase:
    """Another file this one is related to."""

    case_id: str
    style_of_cause: str | None = None
    nature_of_proceeding: str | None = None


@dataclass(frozen=True, slots=True)
class Docket:
    """A court file as the court states it now; entries by ascending ID."""

    source_id: str
    case_id: str
    style_of_cause: str | None
    case_type: str | None
    type_of_action: str | None
    nature_of_proceeding: str | None
    filing_date: str | None  # none when the court states explicitly none
    office: str | None
    language: str | None
    entries: tuple[DocketEntry, ...]
    url: str = field(compare=False)
    adapter_version: str = field(compare=False)
    observed_at: datetime = field(compare=False)
    parties: tuple[Party, ...] | None = field(default=None, compare=False)  # none when not asked for
    related_cases: tuple[RelatedCase, ...] | None = field(default=None, compare=False)
    details: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def header(self) -> dict[str, Any]:
        """Return what both readers see above the entries."""
        return {
            "case_id": self.case_id,
            "style_of_cause": self.style_of_cause,
            "case_type": self.case_type,
            "type_of_action": self.type_of_action,
            "nature_of_proceeding": self.nature_of_proceeding,
            "filing_date": self.filing_date,
            "office": self.office,
            "language": self.language,
        }

    def content(self) -> dict[str, Any]:
        """Return everything both readers see."""
        return {"header": self.header(), "entries": [entry.content() for entry in self.entries]}


def stated_confidential(details: Mapping[str, Any]) -> bool | None:
    """Return whether the court calls an entry confidential; None when the reader could not see what it says."""
    said = details.get("IS_CONFIDENTIAL")
    return None if said is None else said == "Y"


def fingerprint(content: Any) -> str:
    """Return the sha256 of plain data; equal data, equal fingerprint."""
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()
