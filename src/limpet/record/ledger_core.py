"""What every part of the ledger stands on: the database, one writer, a few readers, the stores of files."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection, Engine

from limpet.clock import Clock, SystemClock
from limpet.errors import RecordError
from limpet.record.artefacts import ArtefactStore
from limpet.record.database import free_locks_of_the_frozen, make_directory, open_engine
from limpet.record.entry import Bookkeeper
from limpet.record.faults import in_our_words
from limpet.record.leasing import release_worker
from limpet.record.migrate import migrate
from limpet.record.retention.leaving import remove_leaving
from limpet.record.settling import Settling
from limpet.record.snapshots import SnapshotStore
from limpet.record.sweeping import sweep
from limpet.record.workers import LifeSign, new_worker_id, reclaim_dead, sign_off, sign_on
from limpet.record.writer import Writer

T = TypeVar("T")
_READERS = 4
SILENCE_SECONDS = 600.0
_NO_BOOKKEEPERS: Mapping[str, Bookkeeper] = MappingProxyType({})


class LedgerCore:
    """Opens and closes; `write` answers after COMMIT, `read` beside the writer."""

    def __init__(
        self,
        engine: Engine,
        data_dir: Path,
        *,
        clock: Clock,
        bookkeepers: Mapping[str, Bookkeeper] = _NO_BOOKKEEPERS,
        shares_bodies: bool = False,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self.silence_seconds = silence_seconds
        self.engine = engine
        self.data_dir = data_dir
        self.clock = clock
        self.worker = new_worker_id()
        self.bookkeepers = bookkeepers
        self.snapshots = SnapshotStore(data_dir / "snapshots", in_database=shares_bodies)
        self.artefacts = ArtefactStore(data_dir, clock=clock)
        self._writer = Writer(
            engine,
            Settling(
                snapshots=self.snapshots,
                bookkeepers=self.bookkeepers,
                scraper_id=self.worker,
            ),
        )
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="limpet-reader")
        self._signs: dict[str, LifeSign] = {}

    @classmethod
    async def open(
        cls,
        data_dir: Path,
        *,
        database_url: str | None = None,
        clock: Clock | None = None,
        bookkeepers: Mapping[str, Bookkeeper] = _NO_BOOKKEEPERS,
        shares_bodies: bool = False,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> Self:
        """Open the ledger, bring it to today's schema, and put back what dead processes of this place held.

        With `shares_bodies` the pages that were judged are kept in the database, for hosts that share no disk.
        Whoever works elsewhere and is not heard of for `silence_seconds` is taken for dead.
        Raises LedgerUnreadable, SchemaTooNew, DataDirUnusable or DiskInsufficient, each with its fix.
        """
        engine = await asyncio.to_thread(_open_database, data_dir, database_url)
        ledger = cls(
            engine,
            data_dir,
            clock=clock or SystemClock(),
            bookkeepers=bookkeepers,
            shares_bodies=shares_bodies,
            silence_seconds=silence_seconds,
        )
        ledger._writer.start()
        try:
            await ledger.reclaim_dead()
            await ledger.write(lambda connection: sweep(connection, data_dir))
            await ledger.write(lambda connection: remove_leaving(connection, data_dir))
        except BaseException:
            await ledger.close()
            raise
        return ledger

    async def close(self) -> None:
        """Write what waits, put back what our workers still hold, and let go of everything."""
        async with AsyncExitStack() as stack:
            stack.callback(self.engine.dispose)
            stack.callback(self.snapshots.close)
            stack.callback(self._readers.shutdown)
            stack.push_async_callback(self._writer.close)
            for worker in list(self._signs):
                await self.retire(worker)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.close()
        except RecordError:
            # Who leaves in trouble is told of that; what is not put back here is free once our sign of life is gone.
            if error is None:
                raise

    def write(self, operation: Callable[[Connection], T]) -> Awaitable[T]:
        """Run the operation in the writer's next transaction; awaiting it means it is on the disk."""
        return self._writer.write(operation)

    def write_once(self, operation: Callable[[Connection], T]) -> Awaitable[T]:
        """Like `write`, in a transaction of its own that is never repeated: for what uses up an iterator."""
        return self._writer.write_once(operation)

    async def read(self, question: Callable[[Connection], T]) -> T:
        """Run the question in a thread of its own, in one read transaction."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._ask, question)

    @property
    def commits(self) -> int:
        """How many transactions the writer has committed."""
        return self._writer.commits

    async def enlist(self, worker: str) -> None:
        """Show that this worker lives, here and in the ledger; leasing does it by itself."""
        if worker in self._signs:
            return
        sign = self._signs[worker] = LifeSign(self.data_dir, worker)
        sign.show()
        now = self.clock.now()
        await self.write(lambda connection: sign_on(connection, worker, now=now))

    async def retire(self, worker: str) -> None:
        """Put back what the worker holds and say that it has ended."""
        now = self.clock.now()

        def leave(connection: Connection) -> None:
            release_worker(connection, worker)
            sign_off(connection, worker, now=now)

        try:
            await self.write(leave)
        finally:
            sign = self._signs.pop(worker, None)
            if sign is not None:
                sign.drop()

    async def reclaim_dead(self) -> int:
        """Make the jobs of dead processes of this data directory pending again, at once; return how many."""
        now = self.clock.now()
        count, files = await self.write(lambda connection: reclaim_dead(connection, self.data_dir, now=now))
        for path in files:
            path.unlink(missing_ok=True)
        return count

    def _ask(self, question: Callable[[Connection], T]) -> T:
        try:
            with self.engine.connect() as connection:
                return question(connection)
        except Exception as exc:
            raise in_our_words(exc, self.engine.url) from exc


def _open_database(data_dir: Path, database_url: str | None) -> Engine:
    make_directory(data_dir)
    engine = open_engine(database_url or data_dir)
    free_locks_of_the_frozen(engine)
    try:
        migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine
