"""Reasons not to purge. Each is a sentence; one is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, select

from limpet.apps.dockets.account.places import OUTPUT
from limpet.apps.dockets.purging.files import PlannedFile, case_in_name
from limpet.apps.dockets.purging.rows import YearRows
from limpet.extract.parse.case_number import CaseNumber, parse_case_number
from limpet.record.artefacts import hash_file
from limpet.record.log_tables import artefacts
from limpet.record.tables import runs, workers
from limpet.record.workers import is_alive
from limpet.target.outcome import RunState

SILENT_AFTER = timedelta(minutes=10)


def doubts_about(
    connection: Connection,
    data_dir: Path,
    rows: YearRows,
    files: Sequence[PlannedFile],
    *,
    worker: str,
    now: datetime,
) -> Iterator[str]:
    """Yield every reason not to go on."""
    yield from _unfinished(connection, rows)
    yield from _somebody_works(connection, data_dir, worker, now)
    yield from _other_years(rows)
    for file in files:
        if problem := objection_to(data_dir, file, rows.year):
            yield problem
    yield from _strangers(connection, data_dir, rows.year)


def objection_to(data_dir: Path, file: PlannedFile, year: int) -> str | None:
    """Say why this file may not be removed, or None."""
    path = data_dir / file.path
    case = case_in_name(path.name)
    if case is not None and case.year != year:
        return f"{file.path} is named after a case of {case.year}"
    if path.is_symlink() or not path.resolve().is_relative_to(data_dir.resolve()):
        return f"{file.path} leads out of the data directory"
    try:
        actual = hash_file(path)
    except OSError as exc:
        return f"{file.path} cannot be read: {exc.strerror}"
    return None if actual == file.sha256 else f"{file.path} is not what was stored"


def _unfinished(connection: Connection, rows: YearRows) -> Iterator[str]:
    is_going = runs.c.source_id == rows.source_id, runs.c.state == RunState.RUNNING.value
    for run_id in connection.execute(select(runs.c.id).where(*is_going)).scalars():
        yield f"run {run_id} of this source is unfinished: resume it to its end first"


def _somebody_works(connection: Connection, data_dir: Path, worker: str, now: datetime) -> Iterator[str]:
    others = select(workers.c.id, workers.c.pid).where(workers.c.ended_at.is_(None), workers.c.id != worker)
    for row in connection.execute(others):
        if is_alive(connection, data_dir, row.id, heard_since=now - SILENT_AFTER):
            yield f"another limpet works with this ledger (process {row.pid}): stop it first"


def _other_years(rows: YearRows) -> Iterator[str]:
    for case_id in rows.case_ids:
        case = parse_case_number(case_id)
        if not isinstance(case, CaseNumber) or case.year != rows.year:
            yield f"{case_id} stands among the cases of {rows.year}, but is not one"


def _strangers(connection: Connection, data_dir: Path, year: int) -> Iterator[str]:
    folder = data_dir / OUTPUT / "json" / str(year)
    known = set(connection.execute(select(artefacts.c.path).where(artefacts.c.purged_at.is_(None))).scalars())
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        name = str(path.relative_to(data_dir))
        if name not in known:
            yield f"{name} stands among the year's files, but the ledger does not know it"
