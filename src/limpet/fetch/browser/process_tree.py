"""The processes of one Chromium: how many, how heavy, and gone when we say so."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import psutil


@dataclass(frozen=True, slots=True)
class TreeSize:
    """What a browser costs now. A thread counts as a PID, as it does against a container's limit."""

    processes: int = 0
    pids: int = 0
    memory_bytes: int = 0


@dataclass(frozen=True, slots=True)
class ProcessTree:
    """Everything that belongs to one browser.

    Playwright starts Chromium as the leader of a session of its own, so membership survives the death of any
    parent: a child that init adopted still carries the session. Without such a session, descent must do.
    """

    root_pid: int
    session: int | None
    driver: psutil.Process | None = None

    @classmethod
    def of(cls, browser_pid: int) -> ProcessTree:
        session = _session_of(browser_pid)
        if session is None or session == _session_of(os.getpid()):
            return cls(browser_pid, None)
        return cls(browser_pid, session, _parent_of(session))

    def members(self) -> list[psutil.Process]:
        """Return every living process of the browser; the driver that started it is not one of them."""
        if self.session is None:
            return _alive(_descendants(self.root_pid))
        in_session = (pid for pid in psutil.pids() if _session_of(pid) == self.session)
        return _alive(filter(None, map(_process, in_session)))

    def measure(self) -> TreeSize:
        """Return the size of the whole tree; a process that ends meanwhile weighs nothing."""
        sizes = [_size_of(process) for process in self.members()]
        return TreeSize(len(sizes), sum(threads for threads, _ in sizes), sum(memory for _, memory in sizes))

    def kill(self, *, patience_seconds: float = 5.0) -> list[int]:
        """End every process of the browser; return the pids that refused to go."""
        give_up_at = time.monotonic() + patience_seconds
        while (left := self.members()) and time.monotonic() < give_up_at:
            for process in left:
                _kill(process)
            psutil.wait_procs(left, timeout=0.2)
        return [process.pid for process in left]

    @property
    def has_driver(self) -> bool:
        """False once the driver is dead: the browser may live on, but nobody can speak to it."""
        return self.driver is None or _is_alive(self.driver)

    def kill_driver(self) -> None:
        """End the driver, should it have outlived its farewell."""
        # Not waited for: it is our child, and the event loop's to reap.
        if self.driver is not None and _is_alive(self.driver):
            _kill(self.driver)


def tell_on_exit(process: psutil.Process | None, tell: Callable[[], None]) -> Callable[[], None]:
    """Call back at the moment the process ends, where the system can say; return how to stop listening."""
    if process is None or not hasattr(os, "pidfd_open"):
        return lambda: None
    loop = asyncio.get_running_loop()
    try:
        descriptor = os.pidfd_open(process.pid)
    except OSError:
        loop.call_soon(tell)  # it ended before we could listen
        return lambda: None
    is_open = True

    def stop() -> None:
        nonlocal is_open
        if is_open:
            is_open = False
            loop.remove_reader(descriptor)
            os.close(descriptor)

    def ended() -> None:
        stop()
        tell()

    loop.add_reader(descriptor, ended)
    return stop


def _session_of(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except (OSError, AttributeError):  # gone, not ours to ask, or a system without sessions
        return None


def _parent_of(pid: int) -> psutil.Process | None:
    process = _process(pid)
    return process.parent() if process else None


def _process(pid: int) -> psutil.Process | None:
    try:
        return psutil.Process(pid)
    except psutil.Error:
        return None


def _descendants(root_pid: int) -> Iterable[psutil.Process]:
    root = _process(root_pid)
    return [root, *root.children(recursive=True)] if root else []


def _alive(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Leave out zombies: they hold no memory and wait only to be reaped."""
    return [process for process in processes if _is_alive(process)]


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _size_of(process: psutil.Process) -> tuple[int, int]:
    try:
        return process.num_threads(), _memory_of(process)
    except psutil.Error:
        return 0, 0


def _memory_of(process: psutil.Process) -> int:
    """Return the proportional size: so much is shared that resident sizes add up to twice the truth."""
    try:
        full = process.memory_full_info()
        return int(getattr(full, "pss", 0) or full.uss)
    except psutil.AccessDenied:
        return int(process.memory_info().rss)


def _kill(process: psutil.Process) -> None:
    try:
        process.kill()
    except psutil.Error:
        return
