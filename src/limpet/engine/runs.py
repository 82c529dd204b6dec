"""Runs: planned, walked, resumed and concluded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache

from limpet.clock import Clock
from limpet.engine.aftermath import Aftermath
from limpet.engine.app import App
from limpet.engine.conclusion import conclude, is_unfinished
from limpet.engine.crew import Crew
from limpet.engine.journey import Itinerary
from limpet.engine.preparing import Preparation
from limpet.engine.stepping import Steps
from limpet.engine.switchboard import Switchboard
from limpet.engine.vigil import Vigil
from limpet.engine.watcher import Together, Watcher
from limpet.errors import DiskInsufficient, LimpetError, NothingToDo, QueueFull, SwitchedOff, UsageError
from limpet.extract.registry import SiteRegistry
from limpet.extract.site import Getter, Site
from limpet.fetch import Trail
from limpet.fetch.policy.retry import PAGES, RetryPolicy
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger, Selection
from limpet.record.preview import LanePreview, preview
from limpet.source import Source
from limpet.source.catalogue import Catalogue, check_source
from limpet.target import JobState
from limpet.target.outcome import Trigger
from limpet.target.queue import Accepted, QueueLimits, RefusalReason, Refused

# A stale target is queued again by a person; its own schedule has given up on it.
_STATUSES = {Trigger.SCHEDULE: ("active",), Trigger.RECHECK: ("broken",)}
_UNTIL_SOMEBODY_LOOKS_SECONDS = 3_600.0


@dataclass(frozen=True, slots=True)
class RunDesk:
    """Starts runs and brings them to an end; the ledger is the only memory between two calls."""

    ledger: Ledger
    crew: Crew
    catalogue: Catalogue
    sites: SiteRegistry
    way: Callable[[Source, Site, Trail], Getter]
    clock: Clock
    retry: RetryPolicy = PAGES
    limits: QueueLimits = field(default_factory=QueueLimits)
    apps: Mapping[str, App] = field(default_factory=dict)

    @property
    def switchboard(self) -> Switchboard:
        """What brings switches in the ledger to our gates."""
        return Switchboard(self.ledger, self.catalogue)

    async def plan(self, new: NewRun, *, limit: int | None = None, chosen: Selection | None = None) -> Run:
        """Write down the run and every job of it in one transaction.

        Raises NothingToDo when it would be empty, SwitchedOff when drift or a person keeps it from starting, and
        QueueFull when too much waits already.
        """
        await self.switchboard.refresh()
        try:
            return await self._plan(new, limit=limit, chosen=chosen)
        except QueueFull as full:
            await self._tell_refused(new, RefusalReason.QUEUE_FULL, full)
            raise
        except SwitchedOff as shut:
            await self._tell_refused(new, RefusalReason.ADAPTER_DISABLED, shut)
            raise

    async def _plan(self, new: NewRun, *, limit: int | None, chosen: Selection | None) -> Run:
        if chosen is None and self.prepares(new.app):
            return await self._open(new)
        chosen = chosen or self._selection(new.app, new.source_id, trigger=new.trigger)
        await self._preview(chosen, new.source_id or new.app, limit=1)
        await self.ledger.enlist(self.crew.worker)  # from here on nobody takes the run for abandoned
        return await self.ledger.plan_run(
            new, chosen, limit=limit, worker=self.crew.worker, limits=self.limits
        )

    async def _tell_refused(self, new: NewRun, reason: RefusalReason, error: LimpetError) -> None:
        payload = {"reason": reason.value, "details": str(error), "app": new.app}
        await self.ledger.log_event("queue_rejected", source_id=new.source_id, payload=payload)

    def prepares(self, app: str) -> bool:
        """Whether runs of this app find out themselves what they go over."""
        return app in self.apps and self.apps[app].prepare is not None

    async def _open(self, new: NewRun) -> Run:
        """Write down the run alone; what it goes over is found out when it is walked."""
        source = self.catalogue.get(new.source_id or self._only_source(new.app))
        check_source(source)
        await self.ledger.enlist(self.crew.worker)
        alone = self.apps[new.app].one_run_at_a_time
        opened = replace(new, source_id=source.id, is_prepared=False, is_exclusive=alone)
        return await self.ledger.plan_run(opened, (), worker=self.crew.worker)

    def _only_source(self, app: str) -> str:
        known = [source.id for source in self.catalogue.list(app=app)]
        if len(known) == 1:
            return known[0]
        named = f"one of {', '.join(known)}" if known else "one in the config file first"
        raise UsageError(f"{app!r} has {len(known)} sources.", fix=f"Name {named}: --source ID.")

    async def offer(self, new: NewRun, *, limit: int | None = None) -> Accepted | Refused:
        """Plan the run, or say as a value why not now and when to ask again."""
        try:
            run = await self.plan(new, limit=limit)
        except QueueFull as full:
            return Refused(full.retry_after, RefusalReason.QUEUE_FULL)
        except SwitchedOff:
            return Refused(_UNTIL_SOMEBODY_LOOKS_SECONDS, RefusalReason.ADAPTER_DISABLED)
        return Accepted(str(run.id), run.planned)

    async def preview(
        self, app: str, source_id: str | None, *, limit: int | None = None
    ) -> list[LanePreview]:
        """Return what a run would visit; raise NothingToDo when that is nothing. Records nothing."""
        chosen = self._selection(app, source_id, trigger=Trigger.CLI)
        return await self._preview(chosen, source_id or app, limit=limit)

    async def _preview(self, chosen: Selection, whom: str, *, limit: int | None) -> list[LanePreview]:
        lanes = await self.ledger.read(lambda connection: preview(connection, chosen, limit=limit))
        if not lanes:
            raise NothingToDo(
                f"No active target for {whom!r}.",
                fix="Add targets to the source in the config file, or resume paused ones.",
            )
        return lanes

    def _selection(self, app: str, source_id: str | None, *, trigger: Trigger) -> Selection:
        """Only sources that are configured now, and not switched off: what was taken out is not visited."""
        sources = [self.catalogue.get(source_id)] if source_id else self.catalogue.list(app=app)
        awake = [source.id for source in sources if source.switch is None]
        if sources and not awake:
            check_source(sources[0])
        return Selection(source_ids=awake or [""], statuses=_STATUSES.get(trigger, ("active", "stale")))

    async def walk(self, run: Run, app: App, watcher: Watcher) -> Run:
        """Walk what is left of the run and conclude it; a stop leaves it `running`, ready to be resumed.

        Raises RunBusy while another living process walks it.
        """
        await self.ledger.take_run(run.id)
        run = await self._preparation.prepared(run, app)
        async with self._accompanied(run, app, watcher) as onlookers:
            return await self._walk(run, app, onlookers)

    @asynccontextmanager
    async def _accompanied(self, run: Run, app: App, watcher: Watcher) -> AsyncIterator[Watcher]:
        """Let the app keep its own account of the run beside whoever looks on."""
        if app.accompany is None or run.source_id is None:
            yield watcher
            return
        async with app.accompany(run, self.catalogue.get(run.source_id), self.ledger) as account:
            yield Together(account, watcher)

    async def _walk(self, run: Run, app: App, watcher: Watcher) -> Run:
        counts = await self.ledger.counts(run.id)
        await self.ledger.log_event("run_started", run_id=run.id, source_id=run.source_id)
        watcher.started(run, remaining=counts.get(JobState.PENDING, 0) + counts.get(JobState.RUNNING, 0))
        walk = await self._walker(run, app)
        await walk(watcher)
        return await self._conclude(run, app, watcher)

    async def _walker(self, run: Run, app: App) -> Callable[[Watcher], Awaitable[None]]:
        """Return what walks all of this run that waits, and tells whoever looks on."""
        seen = await self.ledger.identities(run.id)
        itineraries = self._itineraries(run, app, seen.claim)
        vigil = Vigil(run, self.ledger, self.switchboard, self.clock, most_blocks=app.blocks_until_stopped)
        await vigil.begin()

        async def walk(watcher: Watcher) -> None:
            try:
                await self.crew.walk(run, itineraries, watcher, vigil)
            except ExceptionGroup as troubles:
                if troubles.subgroup(DiskInsufficient) is None:
                    raise
                # Nothing more can be written; every unsettled target stays pending, so a resume loses nothing.
                with suppress(LimpetError):  # the ledger may have room where the files have none
                    await self.ledger.log_event("disk_insufficient", run_id=run.id, source_id=run.source_id)
                raise DiskInsufficient(
                    "The disk is full.", fix=f"Free some space, then: limpet resume {run.id}"
                ) from troubles

        return walk

    @asynccontextmanager
    async def stepping(self, new: NewRun, app: App, watcher: Watcher) -> AsyncIterator[Steps]:
        """Open a run that is given its targets one by one; on leaving it is concluded, or ready to be resumed."""
        check_source(self.catalogue.get(new.source_id or self._only_source(app.name)))
        await self.ledger.enlist(self.crew.worker)
        run = await self.ledger.plan_run(new, (), worker=self.crew.worker)
        async with self._accompanied(run, app, watcher) as onlookers:
            await self.ledger.log_event("run_started", run_id=run.id, source_id=run.source_id)
            onlookers.started(run, remaining=0)
            try:
                yield Steps(run, self.ledger, await self._walker(run, app), onlookers)
            finally:
                await self._conclude(run, app, onlookers)

    @property
    def _preparation(self) -> Preparation:
        return Preparation(
            self.ledger, self.catalogue, self.sites, self.way, self.clock, self.crew.stop.is_set
        )

    def _itineraries(
        self, run: Run, app: App, claim: Callable[[str, int], bool]
    ) -> Callable[[str], Itinerary]:
        @cache
        def itinerary(source_id: str) -> Itinerary:
            source, retry = self.catalogue.get(source_id), self.retry
            if app.manner is not None:
                source, retry = app.manner(run, source, retry)
            return Itinerary(
                source=source,
                site=self.sites.get(source.site),
                app=app,
                way=self.way,
                recall=self.ledger.recall,
                claim=claim,
                retry=retry,
                clock=self.clock,
            )

        return itinerary

    async def _conclude(self, run: Run, app: App, watcher: Watcher) -> Run:
        counts = await self.ledger.counts(run.id)
        if not is_unfinished(counts):
            await self._finish_app_work(app)
            await Aftermath(self.ledger, self.switchboard).end(run, conclude(counts))
        ended = await self.ledger.run(run.id)
        word = "run_stopped" if is_unfinished(counts) else "run_ended"
        payload = {"state": ended.state.value, "counts": dict(counts)}
        await self.ledger.log_event(word, run_id=run.id, source_id=run.source_id, payload=payload)
        watcher.finished(ended)
        return ended

    async def _finish_app_work(self, app: App) -> None:
        """Let the app draw its own conclusions, in small transactions that other work can slip between."""
        after_run = app.after_run
        if after_run is None:
            return
        while await self.ledger.write(lambda connection: after_run(connection, now=self.clock.now())):
            pass
