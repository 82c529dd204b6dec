"""What a perfect reader would find in a file, whichever way it came."""

from __future__ import annotations

from typing import Any

from tidepool.registry.court_file import CourtFile
from tidepool.registry.entries import Entry


def truth_of(file: CourtFile) -> dict[str, Any]:
    """Return the file as plain data, entries by ascending number."""
    return {
        "kind": str(file.oddity),
        "court_number": str(file.number),
        "style_of_cause": file.style_of_cause,
        "nature": file.nature.english,
        "type": file.kind.english,
        "type_of_action": file.action.english,
        "filing_date": file.filed_on.isoformat() if file.filed_on else None,
        "office": file.office.english,
        "language": file.language.english,
        "entries": [_entry(entry) for entry in file.entries],
        "parties": [[one.name, one.firm, one.contact] for one in file.parties],
        "related": [str(number) for number in file.related],
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.number,
        "date": entry.filed_on.isoformat() if entry.filed_on else None,
        "office": entry.office.english,
        "summary": entry.summary.strip(),
        "document": str(entry.foremost) if entry.has_public_document else None,
        "is_confidential": entry.is_confidential,
    }
