"""The ledger as the engine sees it: plan a run, lease its jobs, settle them, and account for every one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from limpet.errors import NothingToDo
from limpet.fetch.trail import RequestNote
from limpet.record import crash_points, leasing, reading, workers
from limpet.record.bulk import moment_writer
from limpet.record.entry import AttemptNote, Lease, NewRun, Run, Settlement
from limpet.record.identities import Identities, RemembersIdentities
from limpet.record.leasing import LaneWaiting
from limpet.record.ledger_catalogue import LedgerCatalogue
from limpet.record.ledger_logs import LedgerLogs
from limpet.record.making_room import make_room
from limpet.record.planning import Selection, extend_run, fill_run, plan_run
from limpet.record.politeness import DomainPoliteness, politeness
from limpet.record.reading import Job
from limpet.record.settled_rows import request_row, write_requests
from limpet.record.verify import AppCheck, Verification, verify
from limpet.target import JobState, Target
from limpet.target.outcome import RunState
from limpet.target.queue import QueueLimits

__all__ = ["HandOver", "Ledger", "Selection"]

HandOver = Callable[[Connection, Run], None]


class Ledger(LedgerCatalogue, LedgerLogs):
    """Remembers. What it has acknowledged survives any crash; what it has not can be done again."""

    # -- runs ----------------------------------------------------------------------------------------------

    async def plan_run(
        self,
        new: NewRun,
        chosen: Selection | Iterable[Target],
        *,
        limit: int | None = None,
        worker: str | None = None,
        limits: QueueLimits | None = None,
        hand_over: HandOver | None = None,
    ) -> Run:
        """Create the run and all of its jobs in one transaction; targets not known yet are added.

        With limits, raise QueueFull when too much waits already; nothing was written then. An exclusive run
        raises SourceBusy while another one of its source is unfinished. `hand_over` passes the run on to whoever
        will walk it, in the same transaction.
        """
        now = self.clock.now()

        def plan(connection: Connection) -> Run:
            if new.is_exclusive:
                make_room(connection, new, data_dir=self.data_dir, now=now)
            run_id = plan_run(connection, new, chosen, now=now, limit=limit, worker=worker, limits=limits)
            run = reading.get_run(connection, run_id)
            if limits is not None and not run.planned:
                raise NothingToDo("Somebody else plans these targets already.", fix="See `limpet list`.")
            if hand_over is not None:
                hand_over(connection, run)
            return run

        return await self.write_once(plan)

    async def fill_run(
        self,
        run_id: int,
        chosen: Selection | Iterable[Target],
        *,
        limit: int | None = None,
        hand_over: HandOver | None = None,
    ) -> Run:
        """Give a run that was opened without jobs all of them, in one transaction."""
        now = self.clock.now()

        def fill(connection: Connection) -> Run:
            fill_run(connection, run_id, chosen, now=now, limit=limit)
            run = reading.get_run(connection, run_id)
            if hand_over is not None:
                hand_over(connection, run)
            return run

        return await self.write_once(fill)

    async def extend_run(
        self, run_id: int, more: Iterable[Target], *, hand_over: HandOver | None = None
    ) -> None:
        """Give an unfinished run more jobs, in one transaction."""
        now = self.clock.now()

        def extend(connection: Connection) -> None:
            extend_run(connection, run_id, more, now=now)
            if hand_over is not None:
                hand_over(connection, reading.get_run(connection, run_id))

        await self.write(extend)

    async def run(self, run_id: int) -> Run:
        """Return the run with its counts, or raise UnknownRun."""
        return await self.read(partial(reading.get_run, run_id=run_id))

    async def run_head(self, run_id: int) -> Run:
        """Return the run without its counts, or raise UnknownRun: as quick for ten million jobs as for ten."""
        return await self.read(partial(reading.run_head, run_id=run_id))

    async def has_open_jobs(self, run_id: int) -> bool:
        """Whether any job of the run has not ended."""
        return await self.read(partial(reading.has_open_jobs, run_id=run_id))

    async def runs(
        self,
        *,
        limit: int = 50,
        before: int | None = None,
        app: str | None = None,
        state: RunState | None = None,
    ) -> list[Run]:
        """Return runs with their counts, newest first."""
        return await self.read(partial(reading.list_runs, limit=limit, before=before, app=app, state=state))

    async def finish_run(
        self, run_id: int, state: RunState, *, error_code: str | None = None, error_message: str | None = None
    ) -> Run:
        """End the run; raise RecordError when it shall be completed while jobs are open."""
        return await self.write(
            partial(
                reading.finish_run,
                run_id=run_id,
                state=state,
                now=self.clock.now(),
                error_code=error_code,
                error_message=error_message,
            )
        )

    async def take_run(self, run_id: int) -> None:
        """Become the process that walks this run, or raise RunBusy while another one lives that does."""
        await self.enlist(self.worker)
        heard_since = self.clock.now() - timedelta(seconds=self.silence_seconds)
        await self.write(
            partial(
                workers.take_run,
                run_id=run_id,
                worker=self.worker,
                data_dir=self.data_dir,
                heard_since=heard_since,
            )
        )

    async def reopen_run(self, run_id: int) -> Run:
        """Make the run running again, so that what is open in it can be walked."""
        return await self.write(partial(reading.reopen_run, run_id=run_id))

    async def holders(self, run_id: int) -> list[str]:
        """Return the workers that hold unexpired leases in this run."""
        return await self.read(partial(reading.holders, run_id=run_id, now=self.clock.now()))

    async def counts(self, run_id: int) -> dict[str, int]:
        """Return how many jobs of the run are in each state."""
        return await self.read(partial(reading.counts, run_id=run_id))

    async def reasons(self, run_id: int) -> dict[str, int]:
        """Return how often each reason ended a job of the run."""
        return await self.read(partial(reading.reasons, run_id=run_id))

    async def jobs(
        self, run_id: int, *, state: JobState | None = None, after: int = 0, limit: int = 1_000
    ) -> list[Job]:
        """Return a page of the run's jobs in planned order."""
        return await self.read(
            partial(reading.list_jobs, run_id=run_id, state=state, after=after, limit=limit)
        )

    async def attempts(self, job_id: int) -> list[AttemptNote]:
        """Return every try of a job, oldest first."""
        return await self.read(partial(reading.attempts_of, job_id=job_id))

    async def identities(self, run_id: int, *, lane: str | None = None) -> Identities:
        """Return what the run, or one lane of it, has accepted so far: the start of `first_in_run`."""
        run = await self.run_head(run_id)
        bookkeeper = self.bookkeepers.get(run.app)
        if not isinstance(bookkeeper, RemembersIdentities):
            return Identities()
        return await self.read(
            lambda connection: Identities(bookkeeper.identities(connection, run_id, lane=lane))
        )

    # -- jobs ----------------------------------------------------------------------------------------------

    async def lanes(self, run_id: int) -> list[LaneWaiting]:
        """Return the lanes of a run with open jobs, the longest first."""
        return await self.read(partial(leasing.lanes, run_id=run_id))

    async def lane(self, run_id: int, name: str) -> LaneWaiting | None:
        """Return the lane of a run when it still has open jobs."""
        return await self.read(partial(leasing.lane, run_id=run_id, name=name))

    async def lease(self, run_id: int, *, lane: str, worker: str, limit: int, seconds: float) -> list[Lease]:
        """Hand out up to `limit` jobs of the lane; no other worker gets them before the lease ends."""
        await self.enlist(worker)
        leases = await self.write(
            partial(
                leasing.lease,
                run_id=run_id,
                lane=lane,
                worker=worker,
                limit=limit,
                seconds=seconds,
                bookkeepers=self.bookkeepers,
                now=self.clock.now(),
            )
        )
        crash_points.reach("after_lease")
        return leases

    async def renew(self, worker: str, *, seconds: float) -> int:
        """Extend every lease the worker holds and return how many there are."""
        now = self.clock.now()

        def extend(connection: Connection) -> int:
            workers.heartbeat(connection, worker, now=now)
            return leasing.renew(connection, worker, until=now + timedelta(seconds=seconds))

        return await self.write(extend)

    async def release(self, leases: Sequence[Lease], *, not_before: datetime | None = None) -> int:
        """Put jobs back untouched, perhaps for later; those no longer ours stay where they are."""
        return await self.write(partial(leasing.release, leases=leases, not_before=not_before))

    async def let_go(self, lease: Lease, *, why: str) -> int:
        """Put a job back whose end could not be written down; unlike a release, that counts as a try."""
        return await self.write(partial(leasing.let_go, lease=lease, why=why))

    async def skip_lane(self, run_id: int, lane: str, *, reason: str, details: str = "") -> int:
        """End every waiting job of the lane as skipped, with one reason; return how many."""
        return await self.write(
            partial(
                leasing.skip_lane,
                run_id=run_id,
                lane=lane,
                reason=reason,
                details=details,
                now=self.clock.now(),
            )
        )

    def settle(self, settlement: Settlement) -> Awaitable[None]:
        """End a job with everything that belongs to it; awaiting it means it is on the disk.

        Raises LeaseLost when another worker holds the job by now, and nothing was written.
        """
        return self._writer.settle(settlement)

    # -- the whole -----------------------------------------------------------------------------------------

    async def note_requests(self, notes: Sequence[RequestNote]) -> None:
        """Note requests that belong to no job, such as one asked for by hand."""

        def note(connection: Connection) -> None:
            moment = moment_writer(connection)
            write_requests(connection, [request_row(each, None, moment) for each in notes])

        await self.write(note)

    async def politeness(
        self, *, since: datetime | None = None, domain: str | None = None
    ) -> list[DomainPoliteness]:
        """Return how we behaved, per registrable domain."""
        return await self.read(lambda connection: list(politeness(connection, since=since, domain=domain)))

    async def verify(self, *, app_checks: Iterable[AppCheck] = ()) -> Verification:
        """Prove that every run balances and every file matches its hash."""
        return await self.read(lambda _: verify(self.engine, self.data_dir, app_checks=app_checks))
