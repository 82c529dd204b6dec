"""Who is alive: every process holds a lock on its own file, so a dead one is known at once."""

from __future__ import annotations

import fcntl
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, insert, select, update

from limpet.errors import RunBusy
from limpet.record.bulk import is_sqlite
from limpet.record.database import make_directory, unusable
from limpet.record.leasing import release_worker
from limpet.record.tables import runs, workers


def new_worker_id() -> str:
    """Return an id no other process has or had."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"


class LifeSign:
    """A lock on `<data_dir>/workers/<id>.lock`, held for life; the kernel drops it on any death."""

    def __init__(self, data_dir: Path, worker: str) -> None:
        self._folder = data_dir / "workers"
        self._path = self._folder / f"{worker}.lock"
        self._fd = -1

    def show(self) -> None:
        """Take the lock; from now on nobody here mistakes us for dead."""
        make_directory(self._folder)
        try:
            while self._fd < 0:
                self._fd = self._try()
        except OSError as exc:
            raise unusable(self._folder, exc) from exc

    def drop(self) -> None:
        """Give the lock up and remove its file."""
        if self._fd >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = -1

    def _try(self) -> int:
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(fd, fcntl.LOCK_EX)
        # Somebody may have taken the file for a dead process's and removed it before we had the lock.
        with suppress(FileNotFoundError):
            if self._path.stat().st_ino == os.fstat(fd).st_ino:
                return fd
        os.close(fd)
        return -1


def dead_workers(data_dir: Path) -> Iterator[tuple[str, Path]]:
    """Yield those who left their file behind and hold it no longer.

    A worker without a file here may live on another host or directory: only its lease's end tells.
    """
    for path in sorted((data_dir / "workers").glob("*.lock")):
        if _is_free(path):
            yield path.stem, path


def is_alive(connection: Connection, data_dir: Path, worker: str, *, heard_since: datetime) -> bool:
    """Whether a worker still works: here its lock tells at once, elsewhere its heartbeat does."""
    path = data_dir / "workers" / f"{worker}.lock"
    if path.exists():
        return not _is_free(path)
    row = connection.execute(select(workers).where(workers.c.id == worker)).one_or_none()
    # On a database that many share, a neighbour on this host may have a data directory of its own.
    has_no_lock_here = row is not None and row.host == socket.gethostname() and is_sqlite(connection)
    if row is None or row.ended_at is not None or has_no_lock_here:
        return False
    return bool(row.heartbeat_at > heard_since)


def take_run(
    connection: Connection, run_id: int, worker: str, *, data_dir: Path, heard_since: datetime
) -> None:
    """Become the one who walks this run, or raise RunBusy while somebody else does."""
    holder = connection.execute(
        select(runs.c.worker).where(runs.c.id == run_id).with_for_update()
    ).scalar_one_or_none()
    if holder not in (None, worker) and is_alive(connection, data_dir, holder, heard_since=heard_since):
        raise RunBusy(
            f"Run {run_id} is being walked by {holder}.", fix="Wait for it, or stop that process first."
        )
    connection.execute(update(runs).where(runs.c.id == run_id).values(worker=worker))


def reclaim_dead(connection: Connection, data_dir: Path, *, now: datetime) -> tuple[int, list[Path]]:
    """Make the jobs of dead local workers pending; return how many, and the files to remove afterwards."""
    reclaimed, files = 0, []
    for worker, path in dead_workers(data_dir):
        reclaimed += release_worker(connection, worker)
        sign_off(connection, worker, now=now)
        files.append(path)
    return reclaimed, files


def reclaim_silent(connection: Connection, *, silent_since: datetime, now: datetime) -> int:
    """Make the jobs of workers pending that have not been heard of since then, wherever they ran."""
    silent = select(workers.c.id).where(workers.c.ended_at.is_(None), workers.c.heartbeat_at < silent_since)
    reclaimed = 0
    for worker in connection.execute(silent).scalars().all():
        reclaimed += release_worker(connection, worker)
        sign_off(connection, worker, now=now)
    return reclaimed


def walks_it_himself(connection: Connection, run_id: int, *, heard_since: datetime) -> bool:
    """Whether a living process walks this run in its foreground, and wants nobody else to."""
    holder = select(runs.c.worker).where(runs.c.id == run_id).scalar_subquery()
    alive = select(workers.c.id).where(
        workers.c.id == holder, workers.c.ended_at.is_(None), workers.c.heartbeat_at >= heard_since
    )
    return connection.execute(alive).first() is not None


def sign_on(connection: Connection, worker: str, *, now: datetime) -> None:
    """Note a worker that starts."""
    row = {
        "id": worker,
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "started_at": now,
        "heartbeat_at": now,
    }
    connection.execute(insert(workers).values(row))


def heartbeat(connection: Connection, worker: str, *, now: datetime) -> None:
    """Note that a worker lives."""
    connection.execute(update(workers).where(workers.c.id == worker).values(heartbeat_at=now, ended_at=None))


def sign_off(connection: Connection, worker: str, *, now: datetime) -> None:
    """Note that a worker has ended."""
    connection.execute(
        update(workers).where(workers.c.id == worker, workers.c.ended_at.is_(None)).values(ended_at=now)
    )


def _is_free(path: Path) -> bool:
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    else:
        return True
    finally:
        os.close(fd)
