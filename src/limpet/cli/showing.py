"""One run as a report: for the eye, and for machines."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from rich.table import Table

from limpet.assembly import open_ledger
from limpet.cli.listing import table_console
from limpet.cli.progress import summary_table
from limpet.cli.terminal import Terminal
from limpet.errors import UsageError
from limpet.record.batches import batches_of_run
from limpet.record.entry import Run
from limpet.record.logbook import Event, notable_events
from limpet.record.reading import Job
from limpet.settings import Settings
from limpet.target import JobState
from limpet.target.outcome import Mode


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run, why its targets ended as they did, and some of its jobs."""

    run: Run
    reasons: dict[str, int]
    jobs: list[Job]
    batches: list[dict[str, Any]]  # how it went for each adapter, and what was decided
    events: list[Event]  # what it switched off, or gave alarm about

    def to_json(self) -> dict[str, Any]:
        """Return it for `--json`."""
        return {
            "run": asdict(self.run),
            "reasons": self.reasons,
            "batches": self.batches,
            "events": [asdict(event) for event in self.events],
            "jobs": [asdict(job) for job in self.jobs],
        }


async def run_report(settings: Settings, run_id: int, state: str | None, *, limit: int) -> RunReport:
    """Return the report, or raise UnknownRun; without a state the jobs that did not succeed are shown."""
    wanted = _state(state)
    async with open_ledger(settings) as ledger:
        run = await ledger.run(run_id)
        reasons = await ledger.reasons(run_id)
        batches = await ledger.read(partial(batches_of_run, run_id=run_id))
        events = await ledger.read(partial(notable_events, run_id=run_id))
        jobs: list[Job] = []
        for word in [wanted] if wanted else (JobState.FAILED, JobState.QUARANTINED, JobState.DROPPED):
            jobs += (
                await ledger.jobs(run_id, state=word, limit=limit - len(jobs)) if len(jobs) < limit else []
            )
        return RunReport(run, reasons, jobs, batches, events)


def print_run(report: RunReport) -> None:
    """Print the report for people."""
    console = table_console()
    console.print(summary_table(report.run))
    if report.run.mode is Mode.REREAD:
        console.print(f"Pages of run {report.run.params.get('rereads')}, read again; nobody was visited.")
    if report.reasons:
        console.print()
        for reason, count in Counter(report.reasons).most_common():
            console.print(f"  {count:>7,}  {reason}")
    _print_story(console, report)
    if report.jobs:
        console.print()
        console.print(_jobs_table(report.jobs))


def _print_story(console: Terminal, report: RunReport) -> None:
    """Print how it went for each adapter, and what followed from it."""
    for batch in report.batches:
        rates = f"{batch['failure_rate']:.0%} in trouble, yield {batch['yield_rate']:.0%}"
        console.print(f"\n  adapter {batch['adapter_id']} {batch['adapter_version'] or ''}: {rates}")
    for event in report.events:
        about = event.payload.get("adapter_id") or event.source_id or ""
        details = event.payload.get("details") or ", ".join(event.payload.get("reasons") or ())
        console.print(
            f"  {event.created_at:%Y-%m-%d %H:%M:%S} {event.event_type} {about}  {details}".rstrip()
        )


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
