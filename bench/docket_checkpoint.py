"""A batch of 99,999 cases and its checkpoint: what keeping it costs, held against rewriting it for every job."""

from __future__ import annotations

import argparse
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from limpet.apps.dockets.account.checkpoint_file import CheckpointFile, load_checkpoint
from limpet.apps.dockets.account.chronicle import FLUSH_JOBS
from limpet.apps.dockets.account.facts import JobFacts
from limpet.apps.dockets.account.progress import Progress
from limpet.target import JobState

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def facts(number: int, state: JobState) -> JobFacts:
    """Return a job as the ledger would state it; every tenth failed, and says why."""
    failed = state is JobState.SUCCEEDED and number % 10 == 0
    return JobFacts(
        id=number,
        case_id=f"IMM-{number}-25",
        state=JobState.FAILED if failed else state,
        attempts=3 if failed else int(state is JobState.SUCCEEDED),
        reason="timeout" if failed else None,
        details="fetch.timeout: no answer within 30 s" if failed else None,
        ended_at=NOW if state is JobState.SUCCEEDED else None,
        snapshot=None,
        saved_path=None,
    )


def main(jobs: int, folder: Path) -> None:
    """Walk the batch and print what its checkpoint cost."""
    progress = Progress(1, (facts(number, JobState.PENDING) for number in range(1, jobs + 1)))
    file = CheckpointFile(folder, "run-bench", "fct", {})
    file.open()
    start, cpu = time.perf_counter(), time.process_time()
    file.rewrite(progress.jobs, progress.cursor, now=NOW)
    whole_seconds, whole_bytes = time.perf_counter() - start, file.bytes_written
    slowest = 0.0
    for first in range(1, jobs + 1, FLUSH_JOBS):
        began = time.perf_counter()
        ended = [facts(n, JobState.SUCCEEDED) for n in range(first, min(first + FLUSH_JOBS, jobs + 1))]
        changed = progress.update(ended, set())
        file.note(changed, progress.jobs, progress.cursor, now=NOW)
        slowest = max(slowest, time.perf_counter() - began)
    file.rewrite(progress.jobs, progress.cursor, now=NOW)
    seconds, spent = time.perf_counter() - start, time.process_time() - cpu
    file.close()
    began = time.perf_counter()
    found = load_checkpoint(folder)
    loading = time.perf_counter() - began
    if found.cursor.last_job_index != jobs - 1:
        raise SystemExit("the checkpoint is not what was written")
    flushes = -(-jobs // FLUSH_JOBS)
    print(f"{jobs:,} jobs, a flush every {FLUSH_JOBS}: {flushes:,} flushes")
    print(f"written once, whole        {whole_bytes / 1e6:10.1f} MB   {whole_seconds:8.2f} s")
    print(
        f"journal and few rewrites   {file.bytes_written / 1e6:10.1f} MB   {seconds:8.2f} s   CPU {spent:.2f} s"
    )
    print(
        f"  a job                    {seconds / jobs * 1e6:10.0f} us   slowest flush {slowest * 1e3:.0f} ms"
    )
    print(
        f"whole for every job        {whole_bytes * jobs / 1e6:10,.0f} MB   {whole_seconds * jobs / 3600:8.1f} h"
    )
    print(
        f"whole for every flush      {whole_bytes * flushes / 1e6:10,.0f} MB   {whole_seconds * flushes:8.0f} s"
    )
    print(f"read back and checked in {loading:.2f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=99_999)
    with tempfile.TemporaryDirectory(prefix="limpet-checkpoint-") as directory:
        main(parser.parse_args().jobs, Path(directory))
