"""Proves the ledger: every run balances, every verdict has its evidence, every file matches its hash."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, func, or_, select

from limpet.record.faults import in_our_words
from limpet.record.log_tables import artefacts, snapshots
from limpet.record.pack_locks import reading_many
from limpet.record.tables import jobs, runs
from limpet.record.verify_files import check_artefacts, check_snapshots
from limpet.target import JobState
from limpet.target.outcome import RunState


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that must not be."""

    kind: str
    subject: str
    message: str


@dataclass(slots=True)
class Verification:
    """What was looked at and what was found. Notes are harmless leftovers, such as a tail torn by a crash."""

    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def is_sound(self) -> bool:
        """True when nothing is wrong."""
        return not self.problems

    def object_to(self, kind: str, subject: str, message: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(kind, subject, message))

    def to_json(self) -> dict[str, Any]:
        """Return it for `--json`."""
        return {
            "sound": self.is_sound,
            "counts": self.counts,
            "problems": [
                {"kind": problem.kind, "subject": problem.subject, "message": problem.message}
                for problem in self.problems
            ],
            "notes": self.notes,
        }


# An app's own check of its tables: yields (subject, message) for whatever must not be.
AppCheck = Callable[[Connection], Iterable[tuple[str, str]]]


def verify(engine: Engine, data_dir: Path, *, app_checks: Iterable[AppCheck] = ()) -> Verification:
    """Look at everything in one read transaction; other processes may go on working."""
    found = Verification()
    try:
        # Before the transaction: what it sees must still lie where it says.
        with reading_many(data_dir), engine.connect() as connection:
            _check_database(connection, found)
            _check_runs(connection, found)
            _check_evidence(connection, found)
            check_snapshots(connection, data_dir / "snapshots", found)
            check_artefacts(connection, data_dir, found)
            for check in app_checks:
                for subject, message in check(connection):
                    found.object_to("app", subject, message)
    except Exception as exc:
        raise in_our_words(exc, engine.url) from exc
    return found


def _check_database(connection: Connection, found: Verification) -> None:
    if connection.dialect.name != "sqlite":
        return
    for (complaint,) in connection.exec_driver_sql("PRAGMA quick_check"):
        if complaint != "ok":
            found.object_to("database", str(connection.engine.url.database), complaint)
    for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        found.object_to("database", f"{row[0]} {row[1]}", f"points at a row of {row[2]} that is not there")


def _check_runs(connection: Connection, found: Verification) -> None:
    by_state: dict[int, dict[str, int]] = {}
    question = select(jobs.c.run_id, jobs.c.state, func.count()).group_by(jobs.c.run_id, jobs.c.state)
    for run_id, state, count in connection.execute(question):
        by_state.setdefault(run_id, {})[state] = count
    for run in connection.execute(select(runs.c.id, runs.c.state, runs.c.planned).order_by(runs.c.id)):
        _check_run(run.id, run.state, run.planned, by_state.get(run.id, {}), found)
    found.counts["runs"] = connection.execute(select(func.count()).select_from(runs)).scalar_one()
    found.counts["jobs"] = sum(count for states in by_state.values() for count in states.values())
    for state in JobState:
        found.counts[f"jobs_{state}"] = sum(states.get(state.value, 0) for states in by_state.values())


def _check_run(run_id: int, state: str, planned: int, states: dict[str, int], found: Verification) -> None:
    accounted = sum(states.get(word.value, 0) for word in JobState)
    if planned != accounted:
        found.object_to("balance", f"run {run_id}", f"{planned} were planned, {accounted} are accounted for")
    still_open = states.get(JobState.PENDING.value, 0) + states.get(JobState.RUNNING.value, 0)
    if state == RunState.COMPLETED.value and still_open:
        found.object_to("balance", f"run {run_id}", f"is {state}, yet {still_open} of its jobs are open")


def _check_evidence(connection: Connection, found: Verification) -> None:
    # By target: a file that is stored again keeps the row of the job that brought it first.
    bringer = jobs.alias("bringer")
    with_file = select(bringer.c.target_id).join(artefacts, artefacts.c.job_id == bringer.c.id)
    has_body = select(snapshots.c.sha256).where(snapshots.c.sha256 == jobs.c.snapshot).exists()
    without = select(jobs.c.id).where(
        jobs.c.state == JobState.SUCCEEDED.value,
        jobs.c.snapshot.is_(None),
        jobs.c.target_id.not_in(with_file),
    )
    for job_id in connection.execute(without).scalars():
        found.object_to("evidence", f"job {job_id}", "succeeded, but nothing that was judged is kept")
    dangling = select(jobs.c.id, jobs.c.snapshot).where(jobs.c.snapshot.is_not(None), ~has_body)
    for job_id, sha256 in connection.execute(dangling):
        found.object_to("evidence", f"job {job_id}", f"its snapshot {sha256} has no row")
    origin = jobs.alias("origin")
    astray = (
        select(jobs.c.id, jobs.c.rereads)
        .outerjoin(origin, origin.c.id == jobs.c.rereads)
        .where(jobs.c.rereads.is_not(None))
        .where(
            or_(origin.c.id.is_(None), origin.c.target_id != jobs.c.target_id, origin.c.rereads.is_not(None))
        )
    )
    for job_id, origin_id in connection.execute(astray):
        found.object_to(
            "evidence", f"job {job_id}", f"reads job {origin_id} again, which brought no such page"
        )
    endless = select(func.count()).where(jobs.c.state != JobState.PENDING.value, jobs.c.state != "running")
    ended_without_time = connection.execute(endless.where(jobs.c.ended_at.is_(None))).scalar_one()
    if ended_without_time:
        found.object_to("evidence", "jobs", f"{ended_without_time} ended jobs do not say when")
