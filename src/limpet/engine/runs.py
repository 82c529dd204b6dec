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
from limpet.fetch.policy.retry import PAGES, RetryPolicy
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger, Selection
from limpet.record.preview import LanePreview, preview
from limpet.source import Source
from limpet.source.catalogue import Catalogue
from limpet.target import JobState


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

    async def plan(self, new: NewRun, *, limit: int | None = None) -> Run:
        """Write down the run and every job of it in one transaction; refuse an empty one."""
        await self.preview(new.app, new.source_id, limit=1)
        await self.ledger.enlist(self.crew.worker)  # from here on nobody takes the run for abandoned
        chosen = self._selection(new.app, new.source_id)
        return await self.ledger.plan_run(new, chosen, limit=limit, worker=self.crew.worker)

    async def preview(
        self, app: str, source_id: str | None, *, limit: int | None = None
    ) -> list[LanePreview]:
        """Return what a run would visit; raise NothingToDo when that is nothing. Records nothing."""
        chosen = self._selection(app, source_id)
        lanes = await self.ledger.read(lambda connection: preview(connection, chosen, limit=limit))
        if not lanes:
            raise NothingToDo(
                f"No active target for {source_id or app!r}.",
                fix="Add targets to the source in the config file, or resume paused ones.",
            )
        return lanes

    def _selection(self, app: str, source_id: str | None) -> Selection:
        """Only sources that are configured now: what was taken out of the file is not visited."""
        sources = [source_id] if source_id else [source.id for source in self.catalogue.list(app=app)]
        return Selection(source_ids=sources)

    async def walk(self, run: Run, app: App, watcher: Watcher) -> Run:
        """Walk what is left of the run and conclude it; a stop leaves it `running`, ready to be resumed.

        Raises RunBusy while another living process walks it.
        """
        await self.ledger.take_run(run.id)
        counts = await self.ledger.counts(run.id)
        await self.ledger.log_event("run_started", run_id=run.id, source_id=run.source_id)
        watcher.started(run, remaining=counts.get(JobState.PENDING, 0) + counts.get(JobState.RUNNING, 0))
        seen = await self.ledger.identities(run.id)
        itineraries = self._itineraries(app, seen.claim)
        try:
            await self.crew.walk(run, itineraries, watcher)
        except ExceptionGroup as troubles:
            if troubles.subgroup(DiskInsufficient) is None:
                raise
            # Nothing more can be written; every unsettled target stays pending, so a resume loses nothing.
            raise DiskInsufficient(
                "The disk is full.", fix=f"Free some space, then: limpet resume {run.id}"
            ) from troubles
        return await self._conclude(run, app, watcher)

    def _itineraries(self, app: App, claim: Callable[[str, int], bool]) -> Callable[[str], Itinerary]:
        @cache
        def itinerary(source_id: str) -> Itinerary:
            source = self.catalogue.get(source_id)
            return Itinerary(
                source=source,
                site=self.sites.get(source.site),
                app=app,
                way=self.way,
                recall=self.ledger.recall,
                claim=claim,
                retry=self.retry,
                clock=self.clock,
            )

        return itinerary

    async def _conclude(self, run: Run, app: App, watcher: Watcher) -> Run:
        counts = await self.ledger.counts(run.id)
        if not is_unfinished(counts):
            await self._finish_app_work(app)
            await self.ledger.finish_run(run.id, conclude(counts))
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
