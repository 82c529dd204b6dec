"""What the monitor weighs: this process, the browser beside it, and each session's share."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import psutil

from limpet.apps.matches.monitor.control_room import ControlRoom


@dataclass(slots=True)
class Load:
    """Measured once per round; /health only reads it."""

    memory_bytes: int = 0
    peak_memory_bytes: int = 0
    cpu_percent: float = 0.0
    pids: int = 0
    _process: psutil.Process = field(default_factory=lambda: psutil.Process(os.getpid()))

    def measure(self, room: ControlRoom) -> None:
        """Weigh everything, and give each session its share."""
        with self._process.oneshot():
            own_memory = self._process.memory_info().rss
            self.cpu_percent = self._process.cpu_percent()
        browser = room.pool.reading() if room.pool is not None else None
        browser_memory = browser.size.memory_bytes if browser else 0
        self.memory_bytes = own_memory + browser_memory
        self.peak_memory_bytes = max(self.peak_memory_bytes, self.memory_bytes)
        self.pids = 1 + (browser.size.pids if browser else 0)
        self._share(room, own_memory, browser_memory)

    def _share(self, room: ControlRoom, own_memory: int, browser_memory: int) -> None:
        watches = list(room.watches.values())
        by_browser = sum(watch.domain.needs_browser for watch in watches)
        for watch in watches:
            in_browser = browser_memory // by_browser if watch.domain.needs_browser else 0
            watch.context.memory_bytes = own_memory // len(watches) + in_browser
            watch.context.cpu_percent = self.cpu_percent / len(watches)
