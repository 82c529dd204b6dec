"""Walking a planned run: prepared, accompanied, watched over, and concluded when nothing of it is left."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial

from limpet.clock import Clock
from limpet.engine.aftermath import Aftermath
from limpet.engine.app import App
from limpet.engine.conclusion import conclude, is_unfinished
from limpet.engine.crew import Crew
from limpet.engine.journey import Itinerary
from limpet.engine.lacks import tell_lacks
from limpet.engine.preparing import Preparation
from limpet.engine.switchboard import Switchboard
from limpet.engine.vigil import Vigil
from limpet.engine.watcher import Together, Watcher
from limpet.errors import DiskInsufficient, LimpetError
from limpet.extract.registry import SiteRegistry
from limpet.extract.site import Getter, Site
from limpet.fetch import Trail
from limpet.fetch.policy.retry import RetryPolicy
from limpet.record.entry import Run
from limpet.record.ledger import HandOver, Ledger
from limpet.source import Source
from limpet.source.catalogue import Catalogue
from limpet.target import JobState


@dataclass(frozen=True, slots=True)
class Walking:
    """Brings runs to their end; the ledger is the only memory between two calls."""

    ledger: Ledger
    crew: Crew
    catalogue: Catalogue
    sites: SiteRegistry
    switchboard: Switchboard
    way: Callable[[Source, Site, Trail], Getter] = field(kw_only=True)
    clock: Clock = field(kw_only=True)
    retry: RetryPolicy = field(kw_only=True)
    hand_over: HandOver | None = field(kw_only=True, default=None)

    async def walk(self, run: Run, app: App, watcher: Watcher) -> Run:
        """Walk what is left of the run and conclude it; a stop leaves it `running`, ready to be resumed."""
        async with self._as_long_as_there_is_room(run):
            run = await self.prepare(run, app)
            async with self.accompanied(run, app, watcher) as onlookers:
                return await self._walk(run, app, onlookers)

    async def prepare(self, run: Run, app: App) -> Run:
        """Return the run with its jobs, found out now when its app does that itself."""
        preparation = Preparation(
            self.ledger,
            self.catalogue,
            self.sites,
            self.way,
            self.clock,
            self.crew.stop.is_set,
            self.hand_over,
        )
        return await preparation.prepared(run, app)

    async def set_out(
        self, run: Run, app: App, *, lane: str | None = None
    ) -> tuple[Callable[[str], Itinerary], Vigil]:
        """Return what a journey needs to know about each source, and who watches over the run or its one lane."""
        seen = await self.ledger.identities(run.id, lane=lane)
        vigil = Vigil(run, self.ledger, self.switchboard, self.clock, most_blocks=app.blocks_until_stopped)
        await vigil.begin()
        return self._itineraries(run, app, seen.claim), vigil

    @asynccontextmanager
    async def accompanied(self, run: Run, app: App, watcher: Watcher) -> AsyncIterator[Watcher]:
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
        while await self.goes_on(run, app):
            await walk(watcher)
        return await self.conclude(run, app, watcher)

    async def goes_on(self, run: Run, app: App) -> bool:
        """Give the run what follows from how its jobs ended, and tell whether anything does."""
        if app.following is None or run.source_id is None or self.crew.stop.is_set():
            return False
        if await self.ledger.has_open_jobs(run.id):
            return False
        more = await app.following(run, self.catalogue.get(run.source_id), self.ledger)
        if more:
            await self.ledger.extend_run(run.id, more, hand_over=self.hand_over)
        return bool(more)

    async def _walker(self, run: Run, app: App) -> Callable[[Watcher], Awaitable[None]]:
        """Return what walks all of this run that waits, and tells whoever looks on."""
        itineraries, vigil = await self.set_out(run, app)
        return lambda watcher: self.crew.walk(run, itineraries, watcher, vigil)

    @asynccontextmanager
    async def _as_long_as_there_is_room(self, run: Run) -> AsyncIterator[None]:
        """Say how to go on when the disk is full: every unsettled target stays pending, so a resume loses nothing."""
        try:
            yield
        except (DiskInsufficient, ExceptionGroup) as trouble:
            if isinstance(trouble, ExceptionGroup) and trouble.subgroup(DiskInsufficient) is None:
                raise
            with suppress(LimpetError):  # the ledger may have room where the files have none
                await self.ledger.log_event("disk_insufficient", run_id=run.id, source_id=run.source_id)
            raise DiskInsufficient(
                "The disk is full.", fix=f"Free some space, then: limpet resume {run.id}"
            ) from trouble

    def _itineraries(
        self, run: Run, app: App, claim: Callable[[str, int], bool]
    ) -> Callable[[str], Itinerary]:
        is_answered = None
        if app.is_answered is not None:
            is_answered = partial(app.is_answered, run, ledger=self.ledger)

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
                is_answered=is_answered,
            )

        return itinerary

    async def conclude(self, run: Run, app: App, watcher: Watcher) -> Run:
        """End the run when nothing of it is left to walk, and return how it stands."""
        counts = await self.ledger.counts(run.id)
        if not is_unfinished(counts):
            await self._finish_app_work(app)
            await Aftermath(self.ledger, self.switchboard).end(run, conclude(counts))
            await self._look_for_lacks(run, app)
        ended = await self.ledger.run(run.id)
        if is_unfinished(counts):
            payload = {"state": ended.state.value, "counts": dict(counts)}
            await self.ledger.log_event(
                "run_stopped", run_id=run.id, source_id=run.source_id, payload=payload
            )
        watcher.finished(ended)
        return ended

    async def _look_for_lacks(self, run: Run, app: App) -> None:
        if app.find_lacks is None or run.dry_run or run.source_id is None:
            return
        now = self.clock.now()
        lacks = await self.ledger.read(partial(app.find_lacks, run=run, now=now))
        await self.ledger.write(partial(tell_lacks, lacks=lacks, run=run, now=now))

    async def _finish_app_work(self, app: App) -> None:
        """Let the app draw its own conclusions, in small transactions that other work can slip between."""
        after_run = app.after_run
        if after_run is None:
            return
        while await self.ledger.write(lambda connection: after_run(connection, now=self.clock.now())):
            pass
