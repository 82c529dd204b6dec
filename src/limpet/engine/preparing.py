"""Opens runs whose targets are not known beforehand, and fills them once somebody walks them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from limpet.clock import Clock
from limpet.engine.app import App, Scene
from limpet.errors import LimpetError, RecordError
from limpet.extract.registry import SiteRegistry
from limpet.extract.site import Getter, Site
from limpet.fetch import Trail
from limpet.record.entry import Run
from limpet.record.ledger import HandOver, Ledger
from limpet.source import Source
from limpet.source.catalogue import Catalogue
from limpet.target.outcome import RunState


@dataclass(frozen=True, slots=True)
class Preparation:
    """Lets an app find out what a run goes over; its requests are noted like any other."""

    ledger: Ledger
    catalogue: Catalogue
    sites: SiteRegistry
    way: Callable[[Source, Site, Trail], Getter]
    clock: Clock
    is_stopping: Callable[[], bool]
    hand_over: HandOver | None = None

    async def prepared(self, run: Run, app: App) -> Run:
        """Return the run with its jobs. When that cannot be done, the run ends as failed and the error is raised."""
        if run.is_prepared or app.prepare is None or run.source_id is None:
            return run
        source = self.catalogue.get(run.source_id)
        site, trail = self.sites.get(source.site), Trail()
        way = self.way(source, site, trail)
        scene = Scene(run, source, site, way, self.ledger, self.clock, self.is_stopping)
        try:
            chosen = await app.prepare(scene)
            return await self.ledger.fill_run(
                run.id, chosen, limit=run.params.get("limit"), hand_over=self.hand_over
            )
        except RecordError:
            raise  # the disk or the ledger, not the source: the run waits and is resumed
        except LimpetError as error:
            await self.ledger.finish_run(
                run.id, RunState.FAILED, error_code=error.code, error_message=str(error)
            )
            raise
        finally:
            if trail.requests:
                await self.ledger.note_requests(trail.requests)
