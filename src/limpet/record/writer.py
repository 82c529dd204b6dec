"""One writer thread per process: all that waits goes into one transaction, so one sync serves many."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from msgspec import Struct
from sqlalchemy import Connection, Engine

from limpet.errors import RecordError
from limpet.record import crash_points
from limpet.record.database import for_writing
from limpet.record.entry import Settlement
from limpet.record.faults import in_our_words, is_passing, was_undone
from limpet.record.settling import Prepared, Settling

T = TypeVar("T")
Operation = Callable[[Connection], T]

GROUP_LIMIT = 256
# Under load fifty commits a second serve everybody, each twice as many as a hundred would, and cost half as much;
# a lone caller never waits for company.
SPACING_SECONDS = 0.02
PATIENCE_SECONDS = 30.0


class _Waiting(Struct, eq=False):
    """Somebody who waits to hear that it is on the disk."""

    future: asyncio.Future[Any]
    operation: Operation[Any] | None  # none for a settlement
    settlement: Settlement | None = None
    prepared: Prepared | None = None
    runs_alone: bool = False
    answer: Any = None
    error: BaseException | None = None


class Writer:
    """Takes operations from the event loop and answers each after COMMIT, never before."""

    def __init__(
        self,
        engine: Engine,
        settling: Settling,
        *,
        spacing_seconds: float = SPACING_SECONDS,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._engine = for_writing(engine)
        self._settling = settling
        self._spacing_seconds = spacing_seconds
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="limpet-writer", daemon=True)
        self._is_closing = False
        self._connection: Connection | None = None
        self._has_begun = False
        self._commit_was_sent = False
        self._patience_seconds = patience_seconds
        self.commits = 0

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    async def close(self) -> None:
        """Write all that waits, then end the thread."""
        if not self._is_closing:
            self._is_closing = True
            self._queue.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def write(self, operation: Operation[T]) -> asyncio.Future[T]:
        """Run the operation in the next group; the future brings its answer once it is on the disk."""
        return self._enqueue(_Waiting(self._future(), operation))

    def write_once(self, operation: Operation[T]) -> asyncio.Future[T]:
        """Run the operation in its own transaction and never a second time: it may use up what it reads."""
        return self._enqueue(_Waiting(self._future(), operation, runs_alone=True))

    def settle(self, settlement: Settlement) -> asyncio.Future[None]:
        """Settle a job in the next group; the future fails with LeaseLost when the lease is not ours."""
        return self._enqueue(_Waiting(self._future(), None, settlement))

    @staticmethod
    def _future() -> asyncio.Future[Any]:
        return asyncio.get_running_loop().create_future()

    def _enqueue(self, waiting: _Waiting) -> asyncio.Future[Any]:
        if self._is_closing:
            raise RecordError("The ledger is closed.")
        self._queue.put(waiting)
        return waiting.future

    # -- in the writer thread ------------------------------------------------------------------------------

    def _work(self) -> None:
        size, ended, is_last = 0, 0.0, False
        while not is_last:
            first = self._queue.get()
            if size > 1 and first is not None:
                time.sleep(max(0.0, ended + self._spacing_seconds - time.monotonic()))
            together, alone, is_last = self._gather(first)
            for group in [together, *([waiting] for waiting in alone)]:
                if group:
                    self._serve(group)
            size, ended = len(together), time.monotonic()
        self._hang_up()

    def _gather(self, first: _Waiting | None) -> tuple[list[_Waiting], list[_Waiting], bool]:
        """Return what may share a transaction, what may not, and whether that was the last."""
        together: list[_Waiting] = []
        alone: list[_Waiting] = []
        waiting = first
        while waiting is not None:
            (alone if waiting.runs_alone else together).append(waiting)
            if len(together) >= GROUP_LIMIT:
                return together, alone, False
            try:
                waiting = self._queue.get_nowait()
            except queue.Empty:
                return together, alone, False
        return together, alone, True

    def _serve(self, group: list[_Waiting]) -> None:
        try:
            # One connection for life: its cached pages stay valid as long as nobody else writes.
            connection = self._connection = self._connection or self._engine.connect()
            self._prepare(connection, group)
            self._commit(connection, [waiting for waiting in group if waiting.error is None])
        except BaseException as exc:
            self._hang_up()
            for waiting in group:
                waiting.error = waiting.error or in_our_words(exc, self._engine.url)
        _tell(group)

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()

    def _prepare(self, connection: Connection, group: list[_Waiting]) -> None:
        settling = [waiting for waiting in group if waiting.settlement is not None]
        if not settling:
            return
        try:
            prepared = self._settling.prepare(
                connection, [w.settlement for w in settling if w.settlement is not None]
            )
        except Exception as exc:
            for waiting in settling:
                waiting.error = in_our_words(exc, self._engine.url)
        else:
            for waiting, item in zip(settling, prepared, strict=True):
                waiting.prepared = item

    def _commit(self, connection: Connection, group: list[_Waiting]) -> None:
        """Commit the group; when one operation spoils it, do it again with each behind its own savepoint."""
        patience_ends = time.monotonic() + self._patience_seconds
        one_by_one, pause = False, 0.005
        while group:
            try:
                self._transact(connection, group, one_by_one=one_by_one)
            except Exception as exc:
                if is_passing(exc) and time.monotonic() < patience_ends:
                    group = self._safe_to_repeat(group, exc)
                    time.sleep(pause)
                    pause = min(pause * 2, 0.5)
                elif is_passing(exc) or one_by_one or len(group) == 1 or self._is_hopeless(exc):
                    raise
                else:
                    one_by_one = True
            else:
                self._settling.committed([w.prepared for w in group if w.prepared and not w.error])
                return

    def _is_hopeless(self, exc: Exception) -> bool:
        """Whether the place itself fails, as when the disk is full: SQLite then undoes the whole group."""
        return in_our_words(exc, self._engine.url) is not exc

    def _safe_to_repeat(self, group: list[_Waiting], exc: Exception) -> list[_Waiting]:
        """Leave out what may have been committed unheard; settlements recognise themselves and may repeat."""
        if self._has_begun and group[0].runs_alone:
            raise exc
        if not self._commit_was_sent or was_undone(exc):
            return group
        for waiting in group:
            if waiting.operation is not None:
                waiting.error = in_our_words(exc, self._engine.url)
        return [waiting for waiting in group if waiting.operation is None]

    def _transact(self, connection: Connection, group: list[_Waiting], *, one_by_one: bool) -> None:
        self._has_begun = self._commit_was_sent = False
        for waiting in group:
            waiting.answer = waiting.error = None
        with connection.begin():
            self._has_begun = True
            if one_by_one:
                for waiting in group:
                    self._apply_alone(connection, waiting)
            else:
                self._apply(connection, group)
            crash_points.reach("before_commit")
            self._commit_was_sent = True
        crash_points.reach("after_commit")
        self.commits += 1

    def _apply(self, connection: Connection, group: list[_Waiting]) -> None:
        settling = [waiting for waiting in group if waiting.prepared is not None]
        if settling:
            answers = self._settling.apply(
                connection, [w.prepared for w in settling if w.prepared is not None]
            )
            for waiting, refusal in zip(settling, answers, strict=True):
                waiting.error = refusal
        for waiting in group:
            if waiting.operation is not None:
                waiting.answer = waiting.operation(connection)

    def _apply_alone(self, connection: Connection, waiting: _Waiting) -> None:
        try:
            with connection.begin_nested():
                self._apply(connection, [waiting])
        except Exception as exc:
            if is_passing(exc):
                raise
            waiting.error = in_our_words(exc, self._engine.url)


def _tell(group: list[_Waiting]) -> None:
    """Answer everybody with one wake-up per event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Waiting]] = defaultdict(list)
    for waiting in group:
        by_loop[waiting.future.get_loop()].append(waiting)
    for loop, waiters in by_loop.items():
        try:
            loop.call_soon_threadsafe(_answer, waiters)
        except RuntimeError:
            continue  # that loop is closed: nobody is left to hear it


def _answer(group: list[_Waiting]) -> None:
    for waiting in group:
        if waiting.future.done():
            continue  # the caller was cancelled; what it asked for is written all the same
        if waiting.error is not None:
            waiting.future.set_exception(waiting.error)
        else:
            waiting.future.set_result(waiting.answer)
