"""The files of one year: those the ledger answers for, and pages kept for people under a case's own name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from limpet.apps.dockets.account.places import OUTPUT, run_key
from limpet.apps.dockets.purging.rows import YearRows, belongs
from limpet.apps.dockets.tables import docket_case_versions, docket_documents
from limpet.extract.parse.case_number import CaseNumber, parse_case_number
from limpet.fetch.screenshots import KIND as SCREENSHOTS
from limpet.record.artefacts import hash_file
from limpet.record.log_tables import artefacts
from limpet.record.reading import get_run
from limpet.record.tables import jobs, runs


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file that would go; `sha256` is what the ledger says of it, or what it holds when no row speaks of it."""

    path: str  # relative to the data directory
    sha256: str
    size_bytes: int
    artefact_id: int | None = None


def files_of(connection: Connection, data_dir: Path, rows: YearRows) -> tuple[PlannedFile, ...]:
    """Return every file of the year, in order of their paths."""
    found = {file.path: file for file in _pages_kept_for_people(connection, data_dir, rows)}
    found.update((file.path, file) for file in _answered_for(connection, rows))
    return tuple(found[path] for path in sorted(found))


def case_in_name(name: str) -> CaseNumber | None:
    """Return the case a file is named after: IMM-231-25.html, IMM-231-25-20260105-1.json."""
    stem = name.partition(".")[0]
    case = parse_case_number("-".join(stem.split("-")[:3]))
    return case if isinstance(case, CaseNumber) else None


def _answered_for(connection: Connection, rows: YearRows) -> Iterator[PlannedFile]:
    of_year = rows.source_id, rows.year
    versions, documents = docket_case_versions.c, docket_documents.c
    saved = select(versions.saved_path).where(
        belongs(docket_case_versions, *of_year), versions.saved_path.is_not(None)
    )
    papers = select(documents.path).where(belongs(docket_documents, *of_year))
    looks = (
        select(artefacts.c.path)
        .join(jobs, jobs.c.id == artefacts.c.job_id)
        .where(artefacts.c.kind == SCREENSHOTS, jobs.c.source_id == rows.source_id)
        .where(jobs.c.target_id.in_(rows.targets))
    )
    paths = {path for asked in (saved, papers, looks) for path in connection.execute(asked).scalars()}
    kept = select(artefacts).where(artefacts.c.purged_at.is_(None))
    for row in connection.execute(kept):
        if row.path in paths:
            yield PlannedFile(row.path, row.sha256, row.size_bytes, row.id)


def _pages_kept_for_people(connection: Connection, data_dir: Path, rows: YearRows) -> Iterator[PlannedFile]:
    of_source = {
        run_key(get_run(connection, run_id))
        for run_id in connection.execute(
            select(runs.c.id).where(runs.c.source_id == rows.source_id)
        ).scalars()
    }
    for folder in ("html_failed", "html"):
        for path in sorted((data_dir / OUTPUT / folder).glob("*/*")):
            case = case_in_name(path.name)
            if path.parent.name in of_source and case is not None and case.year == rows.year:
                size = path.lstat().st_size
                yield PlannedFile(str(path.relative_to(data_dir)), hash_file(path), size)
