"""The desk where runs are asked for: planned, offered, previewed, and passed to those who walk them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from limpet.clock import Clock
from limpet.engine.app import App
from limpet.engine.crew import Crew
from limpet.engine.switchboard import Switchboard
from limpet.engine.walking import Walking
from limpet.engine.watcher import Watcher
from limpet.errors import LimpetError, NothingToDo, QueueFull, SwitchedOff, UsageError
from limpet.extract.registry import SiteRegistry
from limpet.extract.site import Getter, Site
from limpet.fetch import Trail
from limpet.fetch.policy.retry import PAGES, RetryPolicy
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import HandOver, Ledger, Selection
from limpet.record.preview import LanePreview, preview
from limpet.source import Source
from limpet.source.catalogue import Catalogue, check_source
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
    hand_over: HandOver | None = None  # passes planned runs on to other processes; none when we walk them

    @property
    def switchboard(self) -> Switchboard:
        """What brings switches in the ledger to our gates."""
        return Switchboard(self.ledger, self.catalogue)

    @property
    def walking(self) -> Walking:
        """What brings planned runs to their end."""
        return Walking(
            self.ledger,
            self.crew,
            self.catalogue,
            self.sites,
            self.switchboard,
            way=self.way,
            clock=self.clock,
            retry=self.retry,
            hand_over=self.hand_over,
        )

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
        if new.source_id is not None and self._goes_alone(new.app):
            new = replace(new, is_exclusive=True, clashes=self.apps[new.app].clashes)
        await self._preview(chosen, new.source_id or new.app, limit=1)
        return await self.ledger.plan_run(
            new,
            chosen,
            limit=limit,
            worker=await self._holder(),
            limits=self.limits,
            hand_over=self.hand_over,
        )

    async def _holder(self) -> str | None:
        """Who is going to walk what is planned here: nobody may take it for abandoned from the start."""
        if self.hand_over is not None:
            return None
        await self.ledger.enlist(self.crew.worker)
        return self.crew.worker

    async def _tell_refused(self, new: NewRun, reason: RefusalReason, error: LimpetError) -> None:
        payload = {"reason": reason.value, "details": str(error), "app": new.app}
        await self.ledger.log_event("queue_rejected", source_id=new.source_id, payload=payload)

    def prepares(self, app: str) -> bool:
        """Whether runs of this app find out themselves what they go over."""
        return app in self.apps and self.apps[app].prepare is not None

    def _goes_alone(self, app: str) -> bool:
        return app in self.apps and self.apps[app].one_run_at_a_time

    async def _open(self, new: NewRun) -> Run:
        """Write down the run alone; what it goes over is found out when it is walked."""
        source = self.catalogue.get(new.source_id or self._only_source(new.app), app=new.app)
        check_source(source)
        opened = replace(
            new,
            source_id=source.id,
            is_prepared=False,
            is_exclusive=self._goes_alone(new.app),
            clashes=self.apps[new.app].clashes,
        )
        return await self.ledger.plan_run(opened, (), worker=await self._holder(), hand_over=self.hand_over)

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
        sources = [self.catalogue.get(source_id, app=app)] if source_id else self.catalogue.list(app=app)
        awake = [source.id for source in sources if source.switch is None]
        if sources and not awake:
            check_source(sources[0])
        return Selection(source_ids=awake or [""], statuses=_STATUSES.get(trigger, ("active", "stale")))

    async def walk(self, run: Run, app: App, watcher: Watcher) -> Run:
        """Walk what is left of the run and conclude it; a stop leaves it `running`, ready to be resumed.

        Raises RunBusy while another living process walks it.
        """
        await self.ledger.take_run(run.id)
        return await self.walking.walk(run, app, watcher)
