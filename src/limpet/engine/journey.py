"""One target's journey down the corridor: address, fetch, extract, judge, and a settlement to be recorded."""

from __future__ import annotations

import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from sqlalchemy.exc import SQLAlchemyError

from limpet.clock import Clock
from limpet.engine.app import App
from limpet.engine.ending import Ending, ending_of_error, ending_of_unreadable, ending_of_verdict
from limpet.errors import (
    AddressForbidden,
    BadAddress,
    BreakerOpen,
    BudgetUnavailable,
    FetchError,
    LimpetError,
    RobotsUnavailable,
)
from limpet.extract import Extraction, Missing, Site, Unreadable
from limpet.extract.site import Getter
from limpet.fetch import Page, Trail
from limpet.fetch.policy.retry import RetryPolicy
from limpet.record import crash_points
from limpet.record.entry import AttemptNote, Lease, Settlement
from limpet.record.making_room import TAKEN_OVER
from limpet.source import Source
from limpet.target import Outcome, Target, Validators
from limpet.validate import Circumstances, judge

# Our own gates are closed for everybody: the target has done nothing, so its job is not settled by them.
HELD_BACK = (BreakerOpen, BudgetUnavailable)
# The ledger, the disk, the database: they end the run, which is resumed when they are well again.
_NOT_THE_ADAPTERS = (LimpetError, OSError, SQLAlchemyError)


@dataclass(frozen=True, slots=True)
class Itinerary:
    """What stays the same for every journey of a lane: where to, by which site, judged by whose rules."""

    source: Source
    site: Site
    app: App
    way: Callable[[Source, Site, Trail], Getter]
    recall: Callable[[str], Awaitable[bytes | None]]  # the body we hold under this hash, if we still do
    claim: Callable[[str, int], bool]  # whether this job is the first of its run to have this identity
    retry: RetryPolicy
    clock: Clock
    is_answered: Callable[[Target], Awaitable[bool]] | None = None  # by another run, meanwhile


class Journey(Struct):
    """One lease being walked. It may be held and walked on later: attempts and trail go on where they stopped."""

    lease: Lease
    plan: Itinerary
    trail: Trail = field(default_factory=Trail)
    attempts: list[AttemptNote] = field(default_factory=list)

    async def travel(self) -> Settlement:
        """Walk the whole corridor; raises only when a gate is closed for everybody."""
        if self.plan.is_answered is not None and await self.plan.is_answered(self.lease.target):
            return self.give_up(TAKEN_OVER, "another run has the answer already")
        try:
            page = await self._fetch()
        except HELD_BACK:
            raise
        except FetchError as error:
            evidence = error.page if isinstance(error.page, Page) else None
            return self._settled(evidence, *ending_of_error(error))
        except _NOT_THE_ADAPTERS:
            raise
        except Exception:
            return self._settled(None, *_adapter_crash())
        crash_points.reach("after_fetch")
        reading = self._read(page)
        if isinstance(reading, Unreadable):
            return self._settled(page, *ending_of_unreadable(reading))
        try:
            verdict = judge(reading, self.plan.app.rules, self._circumstances())
        except Exception:
            return self._settled(page, *_adapter_crash())
        return self._settled(page, *ending_of_verdict(verdict), record=verdict.record)

    def give_up(self, reason: str, details: str) -> Settlement:
        """Settle as skipped, keeping every request and attempt that was made."""
        return self._settled(None, Outcome.SKIPPED, reason, details)

    async def _fetch(self) -> Page:
        target = self.lease.target
        page = await self._try_until_it_answers(target)
        if not page.is_unmodified:
            return page
        held = await self.plan.recall(self.lease.last_snapshot) if self.lease.last_snapshot else None
        if held is not None:
            # Seen today and unchanged: what we hold is read again, perhaps by a better adapter.
            return replace(page, body=held)
        return await self._try_until_it_answers(replace(target, validators=Validators()))

    async def _try_until_it_answers(self, target: Target) -> Page:
        """Try as often as the policy allows; every try becomes an attempt in the ledger."""
        while True:
            try:
                return await self._try(target)
            except HELD_BACK:
                raise
            except FetchError as error:
                upcoming = len(self.attempts) + 1
                # For robots.txt three tries were made already, and nobody is let in for minutes.
                if isinstance(error, RobotsUnavailable) or not self.plan.retry.allows(upcoming, error):
                    raise
                await self.plan.clock.sleep(self.plan.retry.delay_before(upcoming, error))

    async def _try(self, target: Target) -> Page:
        started_at, start = self.plan.clock.now(), time.perf_counter()
        way = self.plan.way(self.plan.source, self.plan.site, self.trail)
        try:
            page = await self.plan.site.route(way, self.plan.source, target)
        except HELD_BACK:
            raise
        except FetchError as error:
            self._note(started_at, start, outcome=error.outcome, status=error.status, error=error)
            raise
        except BadAddress as wrong:
            refused = AddressForbidden(str(wrong), fix=wrong.fix)
            self._note(started_at, start, outcome=refused.outcome, status=None, error=refused)
            raise refused from wrong
        self._note(
            started_at, start, outcome="not_modified" if page.is_unmodified else "ok", status=page.status
        )
        return page

    def _note(
        self,
        started_at: datetime,
        start: float,
        *,
        outcome: str,
        status: int | None,
        error: FetchError | None = None,
    ) -> None:
        self.attempts.append(
            AttemptNote(
                number=self.lease.attempt + len(self.attempts) + 1,
                started_at=started_at,
                elapsed_ms=(time.perf_counter() - start) * 1000,
                outcome=outcome,
                error_code=error.code if error else None,
                error_message=str(error) if error else None,
                status=status,
            )
        )

    def _read(self, page: Page) -> Extraction[Any] | Unreadable:
        """Read the page, and note how long that took with the try that brought it."""
        start = time.perf_counter()
        reading = read(self.plan.site, page, self.lease.target)
        self.attempts[-1].extract_ms = (time.perf_counter() - start) * 1000
        return reading

    def _circumstances(self) -> Circumstances:
        return Circumstances(
            source=self.plan.source,
            target=self.lease.target,
            now=self.plan.clock.now(),
            first_in_run=lambda identity: self.plan.claim(identity, self.lease.job_id),
        )

    def _settled(
        self, page: Page | None, outcome: Outcome, reason: str | None, details: str, record: Any = None
    ) -> Settlement:
        return Settlement(
            lease=self.lease,
            outcome=outcome,
            settled_at=self.plan.clock.now(),
            reason=reason,
            details=details,
            record=record,
            page=page,
            site_id=self.plan.site.id,
            site_version=self.plan.site.version,
            attempts=self.attempts,
            requests=self.trail.requests,
            artefacts=page.files if page is not None else (),
        )


def read(site: Site, page: Page, target: Target) -> Extraction[Any] | Unreadable:
    """Read the page; a crash in an adapter is that page's outcome, never the end of a run."""
    try:
        return site.page_model.read(page, target)
    except Exception:
        return Unreadable(page, Missing.ADAPTER_ERROR, traceback.format_exc(limit=-4))


def _adapter_crash() -> Ending:
    return Outcome.FAILED, Missing.ADAPTER_ERROR.value, traceback.format_exc(limit=-4)
