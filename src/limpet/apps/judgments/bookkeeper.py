"""The archive's pen: which job brought which file of which case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, select

from limpet.apps.judgments.judgment import Judgment
from limpet.apps.judgments.tables import case_files
from limpet.record.bulk import BulkInsert, Row, moment_writer
from limpet.record.entry import Settlement
from limpet.record.log_tables import artefacts
from limpet.record.storable import storable
from limpet.record.tables import jobs, runs
from limpet.target import JobState, Outcome

_FILES = BulkInsert(
    "case_files",
    ("job_id", "run_id", "case_id", "path", "sha256", "size_bytes", "box_url", "was_adopted", "stored_at"),
    skip_known=True,
)


class JudgmentBookkeeper:
    """Appends; what a case is stays the business of the index."""

    app = "judgments"

    def write(self, connection: Connection, settled: Sequence[Settlement]) -> None:
        """Write the files of these settlements; unique keys make saying it twice harmless."""
        moment = moment_writer(connection)
        accepted = [each for each in settled if each.outcome is Outcome.SUCCEEDED]
        _FILES.run(connection, [_file_row(each, moment) for each in accepted])

    def identities(
        self, connection: Connection, run_id: int, *, lane: str | None = None
    ) -> Iterable[tuple[str, int]]:
        """Nothing: a run goes over each case once, by the key of its target."""
        return ()

    def check(self, connection: Connection) -> Iterable[tuple[str, str]]:
        """Yield what must not be: a success without its file, a file without its success, two cases on one path."""
        yield from _successes_without_file(connection)
        yield from _files_without_success(connection)
        yield from _files_nobody_kept(connection)
        yield from _shared_paths(connection)


def _successes_without_file(connection: Connection) -> Iterable[tuple[str, str]]:
    question = (
        select(jobs.c.id)
        .join(runs, runs.c.id == jobs.c.run_id)
        .outerjoin(case_files, case_files.c.job_id == jobs.c.id)
        .where(
            runs.c.app == JudgmentBookkeeper.app,
            runs.c.dry_run.is_(False),
            jobs.c.state == JobState.SUCCEEDED.value,
            case_files.c.id.is_(None),
        )
    )
    for job_id in connection.execute(question).scalars():
        yield f"job {job_id}", "it succeeded, but no file of it is known"


def _files_without_success(connection: Connection) -> Iterable[tuple[str, str]]:
    question = (
        select(case_files.c.path, case_files.c.job_id)
        .join(jobs, jobs.c.id == case_files.c.job_id)
        .where(jobs.c.state != JobState.SUCCEEDED.value)
    )
    for path, job_id in connection.execute(question):
        yield path, f"its job {job_id} did not succeed"


def _files_nobody_kept(connection: Connection) -> Iterable[tuple[str, str]]:
    same = and_(artefacts.c.path == case_files.c.path, artefacts.c.sha256 == case_files.c.sha256)
    question = select(case_files.c.path).outerjoin(artefacts, same).where(artefacts.c.id.is_(None))
    for path in connection.execute(question).scalars():
        yield path, "a case points at it, but it is not among the kept files"


def _shared_paths(connection: Connection) -> Iterable[tuple[str, str]]:
    other = case_files.alias("other")
    question = (
        select(case_files.c.path)
        .join(other, and_(other.c.path == case_files.c.path, other.c.case_id > case_files.c.case_id))
        .distinct()
    )
    for path in connection.execute(question).scalars():
        yield path, "two judgments share it"


def _file_row(settlement: Settlement, moment: Callable[[datetime], Any]) -> Row:
    judgment: Judgment = settlement.record
    return (
        settlement.lease.job_id,
        settlement.lease.run_id,
        int(settlement.lease.target.params["case_id"]),
        judgment.path,
        judgment.sha256,
        judgment.size_bytes,
        storable(judgment.box_url) or None,
        judgment.was_adopted,
        moment(settlement.settled_at),
    )
