"""Keeps a batch's files in step with the ledger: never more than a moment behind, and exact when it stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import structlog

from limpet.apps.dockets.account.audit import require_balance, write_audit
from limpet.apps.dockets.account.case_files import note_case_files, unsaved_cases, write_case_files
from limpet.apps.dockets.account.checkpoint_file import CheckpointFile
from limpet.apps.dockets.account.crawl import CrawlOutcome, CrawlStats
from limpet.apps.dockets.account.evidence import SnapshotPolicy, keep_evidence, policy_of
from limpet.apps.dockets.account.facts import (
    CHUNK,
    attempts_by_job,
    count_attempted,
    in_chunks,
    job_facts,
    running_jobs,
    with_paths,
)
from limpet.apps.dockets.account.keepsakes import note_keepsakes, runs_without_keepsakes
from limpet.apps.dockets.account.opening import Papers, open_papers
from limpet.apps.dockets.account.progress import Progress
from limpet.engine.watcher import Silence
from limpet.errors import LimpetError
from limpet.record.entry import Run, Settlement
from limpet.record.ledger import Ledger
from limpet.source import Source

# Half of what is promised: writing takes its time too.
FLUSH_JOBS = 50
FLUSH_SECONDS = 0.5
_log = structlog.get_logger(__name__)


@asynccontextmanager
async def accompany(run: Run, source: Source, ledger: Ledger) -> AsyncIterator[Chronicle]:
    """Keep the account of a run while it is walked; on leaving, every file is exact."""
    await conclude_abandoned(source, ledger)
    papers = await open_papers(run, ledger)
    chronicle = Chronicle(run, source, ledger, papers, policy=policy_of(source))
    try:
        await chronicle.catch_up()
        keeping = asyncio.create_task(chronicle.keep_up())
        try:
            yield chronicle
        finally:
            # Never cancelled: a thread would go on writing beside whoever comes next.
            chronicle.stop()
            await asyncio.wait([keeping])
            await chronicle.conclude()
    finally:
        papers.close()


async def conclude_abandoned(source: Source, ledger: Ledger) -> None:
    """Finish the papers of runs that ended while their process was killed just before it wrote them."""
    for run in await ledger.read(partial(runs_without_keepsakes, source_id=source.id)):
        papers = await open_papers(run, ledger)
        try:
            chronicle = Chronicle(run, source, ledger, papers, policy=policy_of(source))
            await chronicle.conclude()
        finally:
            papers.close()


@dataclass(slots=True)
class Chronicle(Silence):
    """Hears of every settlement, and writes down what the ledger says about it."""

    run: Run
    source: Source
    ledger: Ledger
    papers: Papers
    policy: SnapshotPolicy
    _waiting: list[int] = field(default_factory=list)
    _full: asyncio.Event = field(default_factory=asyncio.Event)  # something should be written soon
    _is_stopping: bool = False

    def settled(self, settlement: Settlement) -> None:
        self._waiting.append(settlement.lease.job_id)
        if len(self._waiting) >= FLUSH_JOBS:
            self._full.set()

    def stop(self) -> None:
        """Let `keep_up` end after what it is writing now."""
        self._is_stopping = True
        self._full.set()

    async def keep_up(self) -> None:
        """Write at least every half second while something happens; trouble is tried again."""
        while not self._is_stopping:
            try:
                async with asyncio.timeout(FLUSH_SECONDS):
                    await self._full.wait()
            except TimeoutError:
                pass
            try:
                await self.write_down()
            except (LimpetError, OSError) as trouble:
                _log.warning("account_behind", run_id=self.run.id, why=str(trouble))
                await asyncio.sleep(FLUSH_SECONDS)

    async def catch_up(self) -> None:
        """Bring every file to where the ledger stands, whatever an earlier process left behind."""
        facts = await self.ledger.read(partial(job_facts, run_id=self.run.id))
        await self._save_cases()
        self.papers.progress = Progress(
            self.run.id, facts, carried=self.papers.carried, tried_before=self.papers.tried_before
        )
        untold = [each.id for each in self.papers.attempts.untold(facts)]
        for part in in_chunks(untold):
            await self._tell(part)
        await asyncio.to_thread(self._rewrite_checkpoint)

    async def write_down(self) -> None:
        """Write what was settled since the last time; a cancelled write is done again by the next one."""
        self._full.clear()
        waiting = list(self._waiting)
        await self._save_cases()
        await self._tell(waiting)
        await self._note_progress(waiting)
        del self._waiting[: len(waiting)]

    async def conclude(self) -> None:
        """Make every file exact, and prove that the account adds up."""
        await self.write_down()
        # Some jobs end and nobody settles them: set aside as poison, skipped when the site stayed shut.
        await self.catch_up()
        self.run = await self.ledger.run(self.run.id)
        stats = await self._stats()
        await asyncio.to_thread(self._write_audit, stats)
        if self.run.ended_at is not None:
            await note_keepsakes(self.ledger, self.papers.files(), run_id=self.papers.run_id)
        require_balance(stats, told=self.papers.attempts.told, name=self.papers.run_id)

    async def _save_cases(self) -> None:
        while files := await self.ledger.read(partial(unsaved_cases, limit=CHUNK)):
            now = self.ledger.clock.now()
            saved = await asyncio.to_thread(partial(write_case_files, self.ledger.data_dir, files, now=now))
            await self.ledger.write(partial(note_case_files, saved=saved))

    async def _tell(self, job_ids: Sequence[int]) -> None:
        facts = await self.ledger.read(partial(job_facts, run_id=self.run.id, job_ids=job_ids))
        untold = self.papers.attempts.untold(facts)
        if not untold:
            return
        untold = await self.ledger.read(partial(with_paths, source_id=self.source.id, facts=untold))
        tries = await self.ledger.read(partial(attempts_by_job, job_ids=[each.id for each in untold]))
        evidence = await keep_evidence(self.ledger, untold, policy=self.policy, run_id=self.papers.run_id)
        await asyncio.to_thread(self.papers.attempts.tell, untold, tries, evidence)

    async def _note_progress(self, job_ids: Sequence[int]) -> None:
        facts = await self.ledger.read(partial(job_facts, run_id=self.run.id, job_ids=job_ids))
        running = await self.ledger.read(partial(running_jobs, run_id=self.run.id))
        progress = self.papers.progress
        changed = progress.update(facts, running)
        if changed:
            note = partial(self._checkpoint.note, changed, progress.jobs, progress.cursor)
            await asyncio.to_thread(partial(note, now=self.ledger.clock.now()))

    @property
    def _checkpoint(self) -> CheckpointFile:
        return self.papers.checkpoint

    def _rewrite_checkpoint(self) -> None:
        progress = self.papers.progress
        self._checkpoint.rewrite(progress.jobs, progress.cursor, now=self.ledger.clock.now())

    async def _stats(self) -> CrawlStats:
        attempted = await self.ledger.read(partial(count_attempted, run_id=self.run.id))
        counts = {outcome: self.papers.progress.counts[outcome] for outcome in CrawlOutcome}
        first, last = self.papers.progress.bounds
        return CrawlStats.of(counts, attempted=attempted, first=first, last=last)

    def _write_audit(self, stats: CrawlStats) -> None:
        data_dir = self.ledger.data_dir
        files = {
            "attempts": str(self.papers.attempts.path.relative_to(data_dir)),
            "checkpoint": str(self._checkpoint.path.relative_to(data_dir)),
        }
        write_audit(
            self.papers.audit,
            self.run,
            run_id=self.papers.run_id,
            stats=stats,
            files=files,
            now=self.ledger.clock.now(),
        )
