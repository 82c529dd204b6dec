"""Runs: planned, walked, resumed and concluded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from limpet.clock import Clock
from limpet.engine.app import App
from limpet.engine.conclusion import conclude, is_unfinished
from limpet.engine.crew import Crew
from limpet.engine.journey import Itinerary
from limpet.engine.watcher import Watcher
from limpet.errors import DiskInsufficient, NothingToDo
from limpet.extract.registry import SiteRegistry
from limpet.extract.site import Getter, Site
from limpet.fetch import Trail
from limpet.fetch.policy.retry import PAGES
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.source.catalogue import Catalogue
from limpet.target import JobState
from limpet.target.outcome import RunState


@dataclass(frozen=True, slots=True)
class RunDesk:
    """Starts runs and brings them to an end; the ledger is the only memory between two calls."""

    ledger: Ledger
    crew: Crew
    catalogue: Catalogue
    sites: SiteRegistry
    way: Callable[[Source, Site, Trail], Getter]
    clock: Clock

    async def plan(self, new: NewRun, *, limit: int | None = None) -> Run:
        """Write down the run and every job of it in one transaction; refuse an empty one."""
        run = await self.ledger.plan_run(new, limit=limit)
        if run.planned == 0:
            await self.ledger.finish_run(run.id, RunState.COMPLETED)
            raise NothingToDo(
                f"No active target for {new.source_id or new.app}.",
                fix="Add targets to the source in limpet.toml, or resume paused ones.",
            )
        return run

    async def walk(self, run: Run, app: App, watcher: Watcher) -> Run:
        """Walk what is left of the run and conclude it; a stop leaves it `running`, ready to be resumed."""
        counts = await self.ledger.counts(run.id)
        watcher.started(run, remaining=counts.get(JobState.PENDING, 0) + counts.get(JobState.RUNNING, 0))
        itineraries = self._itineraries(app, await self._first_in_run(run, app))
        try:
            await self.crew.walk(run, itineraries, watcher)
        except* DiskInsufficient as full:
            # Nothing more can be written; every unsettled target stays pending, so a resume loses nothing.
            raise DiskInsufficient(
                "The disk is full.", fix=f"Free some space, then: limpet resume {run.id}"
            ) from full
        return await self._conclude(run, watcher)

    def _itineraries(self, app: App, first_in_run: Callable[[str], bool]) -> Callable[[str], Itinerary]:
        @cache
        def itinerary(source_id: str) -> Itinerary:
            source = self.catalogue.get(source_id)
            return Itinerary(
                source=source,
                site=self.sites.get(source.site),
                app=app,
                way=self.way,
                recall=self.ledger.recall,
                first_in_run=first_in_run,
                retry=PAGES,
                clock=self.clock,
            )

        return itinerary

    async def _first_in_run(self, run: Run, app: App) -> Callable[[str], bool]:
        """Return a question that says yes once per identity, over kills and resumes of the run."""
        seen = await self.ledger.read(lambda connection: set(app.bookkeeper.identities(connection, run.id)))

        def is_first(identity: str) -> bool:
            if identity in seen:
                return False
            seen.add(identity)
            return True

        return is_first

    async def _conclude(self, run: Run, watcher: Watcher) -> Run:
        counts = await self.ledger.counts(run.id)
        if not is_unfinished(counts):
            await self.ledger.finish_run(run.id, conclude(counts))
        ended = await self.ledger.run(run.id)
        watcher.finished(ended)
        return ended
