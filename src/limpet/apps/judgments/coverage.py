"""How much of what a run set out to fetch it fetched, and one word on whether to believe it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, select

from limpet.apps.judgments.tables import judgment_runs
from limpet.record import reading
from limpet.record.entry import Run
from limpet.target import JobState
from limpet.target.outcome import RunState

Verdict = Literal["running", "ok", "partial", "failed", "suspicious"]

OK_FROM = 0.95
FAILED_BELOW = 0.1


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run found when it read the index."""

    cases_total: int = 0
    cases_criminal: int = 0
    cases_downloaded: int = 0  # there already
    is_limited: bool = False
    is_fallback: bool = False

    @property
    def wanted(self) -> int:
        """How many cases of the index belong into the archive."""
        return self.cases_total - self.cases_criminal


@dataclass(frozen=True, slots=True)
class Coverage:
    """A run in numbers, and the word they come to. A success with nothing is never `ok` without a reason."""

    cases_total: int
    planned: int
    attempted: int
    downloaded: int
    failed: int
    skipped: int
    ratio: float  # of what was planned and not skipped
    verdict: Verdict
    because: str


def coverage_of(connection: Connection, run_id: int) -> Coverage:
    """Return the coverage of a run; raise UnknownRun."""
    return coverage_of_run(connection, reading.get_run(connection, run_id))


def coverage_of_run(connection: Connection, run: Run) -> Coverage:
    """Return the coverage of a run as it was read: state and verdict are then of one moment."""
    row = connection.execute(select(judgment_runs).where(judgment_runs.c.run_id == run.id)).first()
    plan = Plan(**{name: row._mapping[name] for name in Plan.__dataclass_fields__}) if row else None
    return measure(run, plan)


def measure(run: Run, plan: Plan | None) -> Coverage:
    """Return what a run comes to by its counts and by what it found in the index; no plan: it never read one."""
    counts = run.counts
    waiting = _count(counts, JobState.PENDING, JobState.RUNNING)
    downloaded, skipped = _count(counts, JobState.SUCCEEDED), _count(counts, JobState.SKIPPED)
    failed = run.planned - waiting - downloaded - skipped
    ratio = downloaded / (run.planned - skipped) if run.planned > skipped else float(run.planned == skipped)
    verdict, because = _judge(run, plan, downloaded=downloaded, failed=failed, ratio=ratio)
    return Coverage(
        cases_total=plan.cases_total if plan else 0,
        planned=run.planned,
        attempted=downloaded + failed,
        downloaded=downloaded,
        failed=failed,
        skipped=skipped,
        ratio=round(ratio, 4),
        verdict=verdict,
        because=because,
    )


def _judge(run: Run, plan: Plan | None, *, downloaded: int, failed: int, ratio: float) -> tuple[Verdict, str]:
    if run.state is RunState.RUNNING:
        return "running", "It has not ended yet."
    if run.planned:  # a retry goes over what it is given, and reads no index
        return _judge_busy(run, plan or Plan(), downloaded=downloaded, failed=failed, ratio=ratio)
    if plan is None:
        return "failed", run.error_message or "It never came to read the index."
    return _judge_named(plan) if run.params.get("tokens") and _is_completed(run) else _judge_idle(run, plan)


def _judge_busy(run: Run, plan: Plan, *, downloaded: int, failed: int, ratio: float) -> tuple[Verdict, str]:
    """Judge a run that had something to fetch: the first sentence that is true."""
    missing = f"{failed} of {run.planned} failed."
    ended = run.error_message or f"It ended as {run.state.value}."
    sentences: tuple[tuple[bool, Verdict, str], ...] = (
        (downloaded + failed == 0, "suspicious", "It planned documents and tried none of them."),
        (ratio < FAILED_BELOW and failed > 0, "failed", f"Hardly anything came: {missing}"),
        (not _is_completed(run), "partial", ended),
        (failed > 0 or ratio < OK_FROM, "partial", missing),
        (plan.is_fallback, "partial", "The index could not be had; the last good one served."),
    )
    for is_true, verdict, because in sentences:
        if is_true:
            return verdict, because
    return "ok", "Everything it set out to fetch is there."


def _judge_idle(run: Run, plan: Plan) -> tuple[Verdict, str]:
    """Judge a run that had nothing to fetch: right when all is there, odd when nothing is."""
    if not _is_completed(run):
        return "failed", run.error_message or f"It ended as {run.state.value} before the first document."
    if plan.wanted == 0:
        return "suspicious", "The index names no case that belongs into the archive."
    if plan.cases_downloaded == 0:
        return "suspicious", f"The index names {plan.wanted} cases, none is stored, and none was planned."
    if plan.is_fallback:
        return "partial", "The index could not be had; by the last good one there was nothing to fetch."
    if plan.cases_downloaded < plan.wanted and run.mode.value == "full":
        return (
            "suspicious",
            f"{plan.wanted - plan.cases_downloaded} cases are not stored, yet none was planned.",
        )
    return "ok", "There was nothing to fetch."


def _judge_named(plan: Plan) -> tuple[Verdict, str]:
    """Judge a run that was given single tokens and had none of them to fetch."""
    if plan.cases_downloaded:
        return "ok", "What it was asked for is stored already."
    return "suspicious", "What it was asked for is criminal, and left out."


def _is_completed(run: Run) -> bool:
    return run.state is RunState.COMPLETED


def _count(counts: Mapping[str, int], *states: JobState) -> int:
    return sum(counts.get(state.value, 0) for state in states)
