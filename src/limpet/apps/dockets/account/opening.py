"""Opens the papers of a run: its checkpoint, its attempts and its audit, new or as they were left."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from limpet.apps.dockets.account.attempts_file import AttemptsFile
from limpet.apps.dockets.account.carrying import read_carried
from limpet.apps.dockets.account.checkpoint import JobSummary
from limpet.apps.dockets.account.checkpoint_file import CheckpointFile
from limpet.apps.dockets.account.places import OUTPUT, checkpoint_folder, run_key, time_stamp
from limpet.apps.dockets.account.progress import Progress
from limpet.record.entry import Run
from limpet.record.ledger import Ledger


@dataclass(slots=True)
class Papers:
    """Everything a batch writes to, open."""

    run_id: str
    checkpoint: CheckpointFile
    attempts: AttemptsFile
    audit: Path
    carried: Sequence[JobSummary]
    tried_before: Mapping[str, int]
    progress: Progress

    def files(self) -> list[Path]:
        """Return what is kept once the run has ended."""
        return [self.checkpoint.path, self.attempts.path, self.audit]

    def close(self) -> None:
        """Let go of them all."""
        self.attempts.close()
        self.checkpoint.close()


async def open_papers(run: Run, ledger: Ledger) -> Papers:
    """Take the run's folder and open its files; raise CheckpointUnusable while another process has them."""
    stamp = await ledger.read(partial(time_stamp, run=run))
    return await asyncio.to_thread(_open, run, ledger.data_dir, stamp)


def _open(run: Run, data_dir: Path, stamp: str) -> Papers:
    folder, output = checkpoint_folder(data_dir, run), data_dir / OUTPUT
    checkpoint = CheckpointFile(folder, run_key(run), run.source_id or "", dict(run.params))
    checkpoint.open()
    carried = read_carried(folder)
    return Papers(
        run_id=run_key(run),
        checkpoint=checkpoint,
        attempts=AttemptsFile(output / f"attempts_{stamp}.ndjson", run_key(run)),
        audit=output / f"audit_{stamp}.json",
        carried=[job for job in carried if not job.is_open],
        tried_before={job.case_id: job.attempts for job in carried if job.is_open},
        progress=Progress(run.id, ()),
    )
