"""What a process and everything it started cost: processor time, memory, processes."""

from __future__ import annotations

from dataclasses import dataclass, field

import psutil

MEBIBYTE = 1024 * 1024


@dataclass(slots=True)
class Gauge:
    """Sampled while it runs; processor time of children that ended in between is lost, not guessed."""

    pid: int
    memory_mb: list[float] = field(default_factory=list)
    processes: list[int] = field(default_factory=list)
    _seconds: dict[int, float] = field(default_factory=dict)
    _began: float = 0.0

    def look(self) -> None:
        """Take one sample."""
        total, count = 0.0, 0
        for process in self._tree():
            try:
                with process.oneshot():
                    times = process.cpu_times()
                    self._seconds[process.pid] = times.user + times.system
                    total += _memory(process)
                    count += 1
            except psutil.Error:
                continue
        self.memory_mb.append(total / MEBIBYTE)
        self.processes.append(count)

    def begin(self) -> None:
        """Count processor time from here."""
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
