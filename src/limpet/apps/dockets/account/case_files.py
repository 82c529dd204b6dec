"""One JSON file per version of a case: `output/json/<YYYY>/<CASE>-<YYYYMMDD>.json`, never overwritten."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, Row, select, update

from limpet.apps.dockets.account.places import OUTPUT
from limpet.apps.dockets.docket import stated_confidential
from limpet.apps.dockets.tables import docket_case_versions, docket_cases, docket_entries
from limpet.fetch.filing import StoredArtefact
from limpet.record.artefacts import note_artefact
from limpet.record.durable_file import put_new_files

SCHEMA_VERSION = 1
KIND = "docket_json"
MEDIA_TYPE = "application/json"
_HEADER = (
    "style_of_cause",
    "case_type",
    "type_of_action",
    "nature_of_proceeding",
    "filing_date",
    "office",
    "language",
)


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A version of a case, ready to be written."""

    version_id: int
    case_id: str
    year: int
    version: int
    recorded_at: datetime
    content: bytes


def unsaved_cases(connection: Connection, *, limit: int) -> list[CaseFile]:
    """Return versions on record that have no file yet, the oldest first."""
    cases, versions = docket_cases.c, docket_case_versions.c
    question = (
        select(docket_case_versions, cases.case_id, cases.year)
        .join(docket_cases, cases.id == versions.docket_case_id)
        .where(versions.saved_path.is_(None))
        .order_by(versions.id)
        .limit(limit)
    )
    rows = list(connection.execute(question))
    entries = _entries_by_case(connection, [row.docket_case_id for row in rows])
    return [_case_file(row, entries[row.docket_case_id]) for row in rows]


def write_case_files(
    data_dir: Path, files: Sequence[CaseFile], *, now: datetime
) -> list[tuple[int, StoredArtefact]]:
    """Write the files durably and return each with its version; one that stands there already is adopted."""
    placed = [(file, _free_path(data_dir, file)) for file in files]
    put_new_files((path, file.content) for file, path in placed if not path.exists())
    return [
        (
            file.version_id,
            StoredArtefact(
                kind=KIND,
                key=f"{file.case_id} v{file.version} {file.version_id}",
                path=str(path.relative_to(data_dir)),
                sha256=hashlib.sha256(file.content).hexdigest(),
                size_bytes=len(file.content),
                media_type=MEDIA_TYPE,
                stored_at=now,
            ),
        )
        for file, path in placed
    ]


def note_case_files(connection: Connection, saved: Sequence[tuple[int, StoredArtefact]]) -> None:
    """Let the ledger know where each version's file stands."""
    for version_id, artefact in saved:
        note_artefact(connection, artefact)
        connection.execute(
            update(docket_case_versions)
            .where(docket_case_versions.c.id == version_id)
            .values(saved_path=artefact.path)
        )


def _free_path(data_dir: Path, file: CaseFile) -> Path:
    """Return the first name of the day that is free, or that holds exactly this already."""
    folder = data_dir / OUTPUT / "json" / str(file.year)
    stem = f"{file.case_id}-{file.recorded_at:%Y%m%d}"
    for number in count():
        path = folder / (f"{stem}-{number}.json" if number else f"{stem}.json")
        if not path.exists() or path.read_bytes() == file.content:
            return path
    raise AssertionError("counting has no end")


def _entries_by_case(connection: Connection, case_rows: Sequence[int]) -> dict[int, list[Row[Any]]]:
    found: dict[int, list[Row[Any]]] = defaultdict(list)
    entries = docket_entries.c
    question = select(docket_entries).where(entries.docket_case_id.in_(set(case_rows)))
    for row in connection.execute(question.order_by(entries.entry_id, entries.version)):
        found[row.docket_case_id].append(row)
    return found


def _case_file(row: Row[Any], entries: Sequence[Row[Any]]) -> CaseFile:
    return CaseFile(
        version_id=row.id,
        case_id=row.case_id,
        year=row.year,
        version=row.version,
        recorded_at=row.recorded_at,
        content=orjson.dumps(case_document(row, entries), option=orjson.OPT_INDENT_2) + b"\n",
    )


def case_document(row: Row[Any], entries: Sequence[Row[Any]]) -> dict[str, Any]:
    """Return a version of a case as plain data, with the entries that stood in it."""
    standing: dict[int, Row[Any]] = {}
    for entry in entries:
        if entry.case_version <= row.version:
            standing[entry.entry_id] = entry
    return {
        "schema_version": SCHEMA_VERSION,
        "case_id": row.case_id,
        "version": row.version,
        **{name: getattr(row, name) for name in _HEADER},
        "url": row.url,
        "scraped_at": row.recorded_at,
        "content_sha256": row.content_sha256,
        "adapter_version": row.adapter_version,
        "docket_entries": [_entry(row.case_id, entry) for entry in standing.values() if not entry.is_removed],
        "parties": row.parties,
        "related_cases": row.related_cases,
        "details": row.details,
    }


def _entry(case_id: str, row: Row[Any]) -> dict[str, Any]:
    return {
        "id": row.entry_id,
        "case_id": case_id,
        "doc_id": row.details.get("DOCNO"),
        "entry_date": row.date_filed,
        "entry_office": row.office,
        "summary": row.summary,
        "is_published": row.is_published,
        "is_confidential": stated_confidential(row.details),
        "version": row.version,
    }
