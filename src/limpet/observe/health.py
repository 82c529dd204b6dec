"""The grade, and why: pure judgement over how sources stand. `down` is not a grade; only /health says it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

from limpet.observe.standing import Standing
from limpet.observe.tallies import RunTally
from limpet.target import JobState
from limpet.target.outcome import RunState
from limpet.target.schedule import parse_schedule

FAILING_SHARE = 0.5
DEGRADED_SHARE = 0.1
_SLACK = timedelta(seconds=60)  # a cadence of seconds must not make the grade flicker


class Grade(StrEnum):
    """How things go, best first."""

    HEALTHY = "healthy"
    RECOVERING = "recovering"  # one good run since trouble; the next good one makes it healthy
    DEGRADED = "degraded"
    FAILING = "failing"


_SEVERITY = {grade: number for number, grade in enumerate(Grade)}


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason for a grade, with what would help."""

    grade: Grade
    subject: str  # a source id, or "disk"
    sentence: str
    fix: str = ""
    run_id: int | None = None  # where to look


@dataclass(frozen=True, slots=True)
class Health:
    """The grade of the whole and everything that speaks against a better one, worst first."""

    grade: Grade
    findings: Sequence[Finding] = ()
    is_idle: bool = False  # nothing is watched, or nothing has run: healthy, because nothing is expected

    def of(self, subject: str) -> Grade:
        """Return the grade of one source: its worst finding."""
        return _worst(finding.grade for finding in self.findings if finding.subject == subject)


@dataclass(frozen=True, slots=True)
class Disk:
    """Room left where the ledger lives; below `needed_bytes` the grade is failing."""

    free_bytes: int
    total_bytes: int
    needed_bytes: int


def disk_at(folder: Path, needed_bytes: int) -> Disk:
    """Return how much room is left in this folder."""
    usage = shutil.disk_usage(folder)
    return Disk(usage.free, usage.total, needed_bytes)


def assess(standings: Sequence[Standing], *, now: datetime, disk: Disk | None = None) -> Health:
    """Grade the whole: failing when most open sources fail or the disk is full, degraded when any does."""
    findings = [finding for standing in standings for finding in source_findings(standing, now=now)]
    findings += disk_findings(disk) if disk is not None else []
    findings.sort(key=lambda finding: -_SEVERITY[finding.grade])
    idle = not any(standing.recent or standing.clocks.last_attempt_at for standing in standings)
    return Health(_overall(standings, findings), tuple(findings), is_idle=idle)


def source_findings(standing: Standing, *, now: datetime) -> list[Finding]:
    """Return what speaks against this source being healthy; nothing, when nothing does."""
    source = standing.source
    if not standing.gate.is_open:
        return [Finding(Grade.DEGRADED, source.id, standing.gate.reason, standing.gate.fix)]
    found = [_about_runs(standing), _about_freshness(standing, now), _about_silence(standing)]
    return [finding for finding in found if finding is not None]


def disk_findings(disk: Disk) -> list[Finding]:
    """Return whether room runs out, before it has."""
    if disk.free_bytes < disk.needed_bytes:
        grade, word = Grade.FAILING, "too little to go on"
    elif disk.free_bytes < 2 * disk.needed_bytes:
        grade, word = Grade.DEGRADED, "soon too little"
    else:
        return []
    free = f"{disk.free_bytes // 1_000_000:,} MB are free on the disk: {word}."
    return [Finding(grade, "disk", free, "Free some space, or set LIMPET_DATA_DIR to a larger disk.")]


def _about_runs(standing: Standing) -> Finding | None:
    if not standing.recent:
        return None
    latest = standing.recent[0]
    source_id = standing.source.id
    grade, sentence = judge_run(latest)
    if grade is not Grade.HEALTHY:
        return Finding(
            grade, source_id, sentence, "Its reasons and the pages it kept say why.", latest.run_id
        )
    earlier = judge_run(standing.recent[1])[0] if len(standing.recent) > 1 else Grade.HEALTHY
    if earlier in (Grade.FAILING, Grade.DEGRADED):
        said = f"Run {latest.run_id} went well after run {standing.recent[1].run_id} did not."
        return Finding(
            Grade.RECOVERING, source_id, said, "One more good run makes it healthy.", latest.run_id
        )
    return None


def judge_run(run: RunTally) -> tuple[Grade, str]:
    """Grade one ended run and say why; a run that yielded nothing is never green."""
    total, name = sum(run.counts.values()), f"Run {run.run_id}"
    if total and run.count(JobState.SKIPPED) == total:
        return Grade.DEGRADED, f"{name} skipped all of its {total:,} targets."
    if run.state is RunState.FAILED:
        return Grade.FAILING, f"{name} failed: {run.count(JobState.FAILED):,} of {total:,} targets failed."
    if run.tried > 0 and run.answered == 0:
        return Grade.FAILING, f"{name} recorded nothing: {run.troubled:,} of {run.tried:,} ended in trouble."
    share = run.troubled / run.tried if run.tried > 0 else 0.0
    if share > DEGRADED_SHARE:
        grade = Grade.FAILING if share > FAILING_SHARE else Grade.DEGRADED
        return grade, f"{name}: {run.troubled:,} of {run.tried:,} targets ended in trouble ({share:.0%})."
    if run.state in (RunState.QUARANTINED, RunState.ABORTED):
        return Grade.DEGRADED, f"{name} was {run.state.value}."
    return Grade.HEALTHY, ""


def _about_freshness(standing: Standing, now: datetime) -> Finding | None:
    """A scheduled source whose last page is older than its beat allows is late, whatever its runs said."""
    source, last = standing.source, standing.clocks.last_fetch_at
    if not source.schedule or last is None or not standing.targets:
        return None
    schedule = parse_schedule(source.schedule)
    beat = schedule.next_fire(now) - schedule.last_fire(now)
    late_by = now - last
    if late_by <= 2 * beat + _SLACK:
        return None
    grade = Grade.FAILING if late_by > 4 * beat + 2 * _SLACK else Grade.DEGRADED
    said = f"No page came for {_in_words(late_by)}, though one is due every {_in_words(beat)}."
    return Finding(grade, source.id, said, "Is `limpet serve` running? Its log says what it waits for.")


def _about_silence(standing: Standing) -> Finding | None:
    """A source of which half of the live matches, or all, do not answer any more."""
    watching = standing.watching
    if watching is None or not watching.silent or 2 * watching.silent < watching.live:
        return None
    grade = Grade.FAILING if watching.silent == watching.live else Grade.DEGRADED
    lasted = _in_words(timedelta(seconds=watching.silent_seconds))
    said = f"{watching.silent:,} of its {watching.live:,} live matches have not answered for {lasted}."
    fix = "Is the site there? `errors` in /health says what comes instead, /status what was tried."
    return Finding(grade, standing.source.id, said, fix)


def _in_words(span: timedelta) -> str:
    seconds = int(span.total_seconds())
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} seconds"


def _overall(standings: Sequence[Standing], findings: Sequence[Finding]) -> Grade:
    worst = _worst(finding.grade for finding in findings)
    if worst is not Grade.FAILING or any(f.subject == "disk" and f.grade is worst for f in findings):
        return worst
    failing = {finding.subject for finding in findings if finding.grade is Grade.FAILING}
    visited = [standing for standing in standings if standing.gate.is_open]
    return Grade.FAILING if 2 * len(failing) >= len(visited) else Grade.DEGRADED


def _worst(grades: Iterable[Grade]) -> Grade:
    return max(grades, key=_SEVERITY.__getitem__, default=Grade.HEALTHY)
