"""Run one process on one core and say what it cost."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.environment import PEER_PYTHON, ROOT

PATIENCE_SECONDS = 1800


@dataclass(frozen=True, slots=True)
class Cores:
    """Which core serves and which one is measured; the same one when the machine has only one."""

    server: int
    client: int

    @property
    def are_apart(self) -> bool:
        return self.server != self.client


@dataclass(frozen=True, slots=True)
class Cost:
    """What one client run took, children included."""

    cpu_seconds: float
    wall_seconds: float
    peak_rss_mb: float
    server_cpu_seconds: float


def pick_cores() -> Cores:
    """Take the first and the last core we may use."""
    allowed = sorted(os.sched_getaffinity(0))
    return Cores(server=allowed[0], client=allowed[-1])


@contextmanager
def on_core(core: int) -> Iterator[None]:
    """What is started inside inherits this core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def client_environment() -> Mapping[str, str]:
    """The environment without switches that make one interpreter start slower than another."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


class PageServer:
    """The page server in its own process, alive inside the block."""

    def __init__(self, core: int) -> None:
        self._core = core

    def __enter__(self) -> PageServer:
        with on_core(self._core):
            self._process = subprocess.Popen(
                [PEER_PYTHON, "-m", "bench.pages"],
                cwd=ROOT,
                env=client_environment(),
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._process.stdout is not None
        port = self._process.stdout.readline().strip()
        if not port:
            raise SystemExit("the page server did not start")
        self.base_url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=10)

    def cpu_seconds(self) -> float:
        """User and system time the server has used since it started."""
        stat = Path(f"/proc/{self._process.pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def run_client(command: Sequence[str | Path], *, core: int, server: PageServer, log: Path) -> Cost:
    """Run the command to its end on that core; exit with its own words when it fails.

    ru_maxrss of a fresh process starts at its parent's, so the harness itself must stay small.
    """
    server_before, started = server.cpu_seconds(), time.monotonic()
    with log.open("wb") as output, on_core(core):
        process = subprocess.Popen(
            command, cwd=ROOT, env=client_environment(), stdout=output, stderr=subprocess.STDOUT
        )
    limit = threading.Timer(PATIENCE_SECONDS, process.kill)
    limit.start()
    _, status, usage = os.wait4(process.pid, 0)
    limit.cancel()
    wall = time.monotonic() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    said = log.read_text(errors="replace").strip()
    if process.returncode != 0 or said:
        raise SystemExit(f"{command[2]} ended with {process.returncode}:\n{said[-2000:]}")
    return Cost(
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        wall_seconds=wall,
        peak_rss_mb=usage.ru_maxrss / 1024,
        server_cpu_seconds=server.cpu_seconds() - server_before,
    )
