"""An app as the engine sees it: whose rules judge, whose pen writes, which sites read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import Connection

from limpet.clock import Clock
from limpet.engine.comparing import Reread, Standing
from limpet.engine.lacks import FindLacks
from limpet.engine.watcher import Watcher
from limpet.extract import Site
from limpet.extract.site import Getter
from limpet.fetch.policy.retry import RetryPolicy
from limpet.record.entry import Bookkeeper, Clashes, Run
from limpet.record.identities import RemembersIdentities
from limpet.record.ledger import Ledger, Selection
from limpet.record.recorded_pages import RecordedPage
from limpet.record.retention.holding import AppHold
from limpet.source import Source
from limpet.target import Target
from limpet.target.outcome import BLOCKS_UNTIL_STOPPED
from limpet.validate import Rule


class AppBookkeeper(Bookkeeper, RemembersIdentities, Protocol):
    """An app's pen, which also remembers what a run has recorded and can prove its own tables."""

    def check(self, connection: Connection) -> Iterable[tuple[str, str]]:
        """Yield (subject, message) for whatever must not be in the app's tables."""
        ...


class AfterRun(Protocol):
    """What an app does once a run is through, a batch at a time until nothing is left."""

    def __call__(self, connection: Connection, *, now: datetime) -> int:
        """Do one batch and return how much there was; zero ends it."""
        ...


@dataclass(frozen=True, slots=True)
class Scene:
    """What an app has at hand while it finds out what a run goes over."""

    run: Run
    source: Source
    site: Site
    way: Getter  # politely to the source; every request is noted in the ledger
    ledger: Ledger
    clock: Clock
    is_stopping: Callable[[], bool]


class Prepare(Protocol):
    """Finds out what a run goes over, once, before its first job: an index to read, a range to count out.

    It may be walked again after a crash, and must then come to the same end.
    """

    async def __call__(self, scene: Scene) -> Selection | Iterable[Target]:
        """Return the targets; a LimpetError ends the run as failed, with its code."""
        ...


class Following(Protocol):
    """Names what a run goes over next, once all it had has ended: a search, whose next question hangs on the answers.

    All it knows is what the ledger knows, so that any process can go on with it.
    """

    async def __call__(self, run: Run, source: Source, ledger: Ledger) -> Sequence[Target]:
        """Return the next targets; none ends the run."""
        ...


class IsAnswered(Protocol):
    """Looks once more before a target is visited: another run may have brought meanwhile what this one is after."""

    async def __call__(self, run: Run, target: Target, ledger: Ledger) -> bool:
        """Whether there is nothing left to ask; the job then ends as skipped."""
        ...


class Manner(Protocol):
    """How one run visits a source: its own wishes may slow it down, never speed it up."""

    def __call__(self, run: Run, source: Source, retry: RetryPolicy) -> tuple[Source, RetryPolicy]:
        """Return the source's terms and the patience with errors as this run has them."""
        ...


class Accompany(Protocol):
    """Keeps an app's own account of a run beside the ledger, from its first step to its last."""

    def __call__(self, run: Run, source: Source, ledger: Ledger) -> AbstractAsyncContextManager[Watcher]:
        """Return who is told of every settlement; on leaving, whatever it keeps is exact."""
        ...


class Monitor(Protocol):
    """Watches without end, beside the runs; each of its sessions is a run of its own, which no lane walks."""

    @property
    def has_work(self) -> bool:
        """Whether there is anything to watch."""
        ...

    async def serve(self, stop: asyncio.Event) -> None:
        """Watch until `stop` is set; while another process does, stand by."""
        ...


class Rereading(Protocol):
    """What the past of an app says about its recorded pages, so that today's reading can be held against it."""

    def standing(self, connection: Connection, pages: Sequence[RecordedPage]) -> Mapping[int, Standing]:
        """Return what is in force of each page, by the job that brought it."""
        ...

    def facts(self, record: Any) -> Mapping[str, Any]:
        """Return what would be recorded of a record, in the fields of `standing`."""
        ...

    def is_first(self, connection: Connection, page: RecordedPage, identity: str) -> bool:
        """Whether no other page of its run has this identity."""
        ...


class Rewrite(Protocol):
    """Writes what pages read again say: newer versions of old facts, with the dates of the old ones."""

    def __call__(self, connection: Connection, made: Mapping[int, Reread], *, now: datetime) -> None:
        """Write the facts of these readings, by their new jobs."""
        ...


@dataclass(frozen=True, slots=True)
class App:
    """Everything the corridor needs to work for one purpose."""

    name: str
    rules: Sequence[Rule]
    bookkeeper: AppBookkeeper
    sites: Sequence[Site]
    make_target: Callable[[Source, str], Target]  # from an address as a person wrote it
    after_run: AfterRun | None = None
    find_lacks: FindLacks | None = None  # none when nobody can tell what should be there
    needed_pages: AppHold | None = None  # pages that retention must leave alone; none when age alone decides
    prepare: Prepare | None = None  # none when a run simply goes over the known targets
    following: Following | None = None  # none when a run is over with what it was planned with
    manner: Manner | None = None  # none when every run visits a source alike
    one_run_at_a_time: bool = False  # of each source; a second one is refused, not queued
    clashes: Clashes | None = None  # which two are not for one time; none: any two
    is_answered: IsAnswered | None = None  # none when every planned target is visited
    blocks_until_stopped: int = BLOCKS_UNTIL_STOPPED  # within five minutes; then the source is switched off
    accompany: Accompany | None = None  # none when the ledger alone is account enough
    is_monitored: bool = False  # its runs are sessions of a monitor
    rereading: Rereading | None = None  # none when what it records is not read from a kept page
    rewrite: Rewrite | None = None  # none when recorded pages are only compared
    not_reread_because: str = ""  # a sentence, where there is no `rereading`
