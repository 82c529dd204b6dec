"""Goes on from another run's checkpoint, also in a ledger that never heard of that run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

import orjson
from sqlalchemy import Connection

from limpet.apps.dockets.account.checkpoint import Checkpoint, JobSummary, summary_of
from limpet.apps.dockets.account.checkpoint_file import load_checkpoint
from limpet.apps.dockets.account.crawl import CrawlOutcome, outcome_of
from limpet.apps.dockets.account.places import checkpoint_folder
from limpet.apps.dockets.case_identifier import case_number
from limpet.apps.dockets.case_rows import STANDING
from limpet.extract.parse.case_number import CaseNumber
from limpet.record.bulk import BulkInsert, Row, moment_writer
from limpet.record.durable_file import replace_file
from limpet.record.entry import Run
from limpet.record.ledger import Ledger
from limpet.target import JobState

_FILE = "carried.json"
_CASES = BulkInsert(
    "docket_cases",
    (*STANDING, "known_from", "first_attempt_at", "last_attempt_at", "last_success_at"),
    skip_known=True,
)


async def carry_on(run: Run, ledger: Ledger, path: Path) -> list[CaseNumber]:
    """Take over what a checkpoint knows, and return the cases it leaves to be asked, in its order.

    What succeeded, has no record or failed there is known here from now on, and is not asked again.
    """
    checkpoint = await asyncio.to_thread(load_checkpoint, path)
    jobs = [_adopted(job.resumed(), checkpoint) for job in checkpoint.jobs]
    file = checkpoint_folder(ledger.data_dir, run) / _FILE
    await asyncio.to_thread(replace_file, file, orjson.dumps(jobs))
    source_id = run.source_id or checkpoint.source_id
    await ledger.write(partial(_note_known, jobs=jobs, checkpoint=checkpoint, source_id=source_id))
    return [case_number(job.case_id) for job in jobs if job.is_open]


def read_carried(folder: Path) -> list[JobSummary]:
    """Return what the run took over; nothing, when it began by itself."""
    try:
        return [summary_of(raw) for raw in orjson.loads((folder / _FILE).read_bytes())]
    except FileNotFoundError:
        return []


def _adopted(job: JobSummary, checkpoint: Checkpoint) -> JobSummary:
    """Its id is another ledger's: it keeps that run's name, so that it cannot be taken for one of ours."""
    return replace(job, job_id=f"{checkpoint.run_id}/{job.job_id}")


def _note_known(
    connection: Connection, jobs: Sequence[JobSummary], checkpoint: Checkpoint, *, source_id: str
) -> None:
    moment = moment_writer(connection)
    rows: list[Row] = []
    for job in jobs:
        outcome = outcome_of(JobState(job.state), tries=job.attempts)
        if outcome is None:
            continue
        case, at = case_number(job.case_id), moment(_ended_at(job, checkpoint))
        error = str((job.last_error or {}).get("message") or "") or None
        succeeded_at = at if outcome is CrawlOutcome.SUCCEEDED else None
        rows.append(
            (source_id, str(case), case.prefix, case.year, case.number, outcome.value, job.attempts, error, 0,
             checkpoint.run_id, at, at, succeeded_at)
        )  # fmt: skip
    _CASES.run(connection, rows)


def _ended_at(job: JobSummary, checkpoint: Checkpoint) -> datetime:
    stated = (job.last_error or {}).get("ts")
    return datetime.fromisoformat(stated) if stated else checkpoint.updated_at
