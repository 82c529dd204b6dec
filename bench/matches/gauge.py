"""What a process and everything it started cost: processor time, memory, processes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import psutil

MEBIBYTE = 1024 * 1024


@dataclass(slots=True)
class Gauge:
    """Sampled while it runs; processor time of children that ended in between is lost, not guessed."""

    pid: int
    at: list[float] = field(default_factory=list)  # monotonic, of each sample
    memory_mb: list[float] = field(default_factory=list)  # with everything it started
    own_memory_mb: list[float] = field(default_factory=list)  # the process alone
    processes: list[int] = field(default_factory=list)
    _seconds: dict[int, float] = field(default_factory=dict)
    _began: float = 0.0

    def look(self) -> None:
        """Take one sample."""
        total, own, count = 0.0, 0.0, 0
        for process in self._tree():
            try:
                with process.oneshot():
                    times = process.cpu_times()
                    self._seconds[process.pid] = times.user + times.system
                    weight = _memory(process)
                    total += weight
                    own += weight if process.pid == self.pid else 0
                    count += 1
            except psutil.Error:
                continue
        self.at.append(time.monotonic())
        self.memory_mb.append(total / MEBIBYTE)
        self.own_memory_mb.append(own / MEBIBYTE)
        self.processes.append(count)

    def begin(self) -> None:
        """Count from here: processor time, and every sample."""
        for samples in (self.at, self.memory_mb, self.own_memory_mb, self.processes):
            samples.clear()
        self.look()
        self._began = sum(self._seconds.values())

    @property
    def cpu_seconds(self) -> float:
        return sum(self._seconds.values()) - self._began

    def _tree(self) -> list[psutil.Process]:
        try:
            root = psutil.Process(self.pid)
            return [root, *root.children(recursive=True)]
        except psutil.Error:
            return []


def _memory(process: psutil.Process) -> int:
    """Return what the process needs; pages Chromium's processes share are counted once."""
    full = process.memory_full_info()
    return int(getattr(full, "pss", 0) or full.uss)
