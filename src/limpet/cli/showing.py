"""One run as a report: for the eye, and for machines."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from limpet.assembly import open_ledger
from limpet.cli.progress import summary_table
from limpet.errors import UsageError
from limpet.record.entry import Run
from limpet.record.reading import Job
from limpet.settings import Settings
from limpet.target import JobState


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run, why its targets ended as they did, and some of its jobs."""

    run: Run
    reasons: dict[str, int]
    jobs: list[Job]

    def to_json(self) -> dict[str, Any]:
        """Return it for `--json`."""
        return {"run": asdict(self.run), "reasons": self.reasons, "jobs": [asdict(job) for job in self.jobs]}


async def run_report(settings: Settings, run_id: int, state: str | None, *, limit: int) -> RunReport:
    """Return the report, or raise UnknownRun; without a state the jobs that did not succeed are shown."""
    wanted = _state(state)
    async with open_ledger(settings) as ledger:
        run = await ledger.run(run_id)
        reasons = await ledger.reasons(run_id)
        if wanted is not None:
            return RunReport(run, reasons, await ledger.jobs(run_id, state=wanted, limit=limit))
        jobs: list[Job] = []
        for word in (JobState.FAILED, JobState.QUARANTINED, JobState.DROPPED):
            jobs += (
                await ledger.jobs(run_id, state=word, limit=limit - len(jobs)) if len(jobs) < limit else []
            )
        return RunReport(run, reasons, jobs)


def print_run(report: RunReport) -> None:
    """Print the report for people."""
    console = Console()
    console.print(summary_table(report.run))
    if report.reasons:
        console.print()
        for reason, count in Counter(report.reasons).most_common():
            console.print(f"  {count:>7,}  {reason}")
    if report.jobs:
        console.print()
        console.print(_jobs_table(report.jobs))


def _jobs_table(jobs: list[Job]) -> Table:
    table = Table(show_edge=False)
    for column in ("job", "state", "reason", "tries", "address", "details"):
        table.add_column(column, overflow="fold")
    for job in jobs:
        details = (job.details or "").splitlines()
        table.add_row(
            str(job.id),
            job.state.value,
            job.reason or "",
            str(job.attempts),
            job.url,
            details[-1] if details else "",
        )
    return table


def _state(word: str | None) -> JobState | None:
    if word is None:
        return None
    try:
        return JobState(word)
    except ValueError:
        known = ", ".join(state.value for state in JobState)
        raise UsageError(f"{word!r} is not a state of a job.", fix=f"One of: {known}.") from None
