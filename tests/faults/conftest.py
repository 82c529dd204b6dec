"""A harness that kills walkers and then asks everybody what they saw: the ledger, the files, the origin."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from limpet.assembly import app_checks, open_ledger
from limpet.record.verify import Verification
from limpet.settings import load_settings
from tidepool.serve import Tidepool

WALKER = Path(__file__).with_name("walker.py")
SPACING = 0.03


class Nursery:
    """One process in which everything is loaded: it forks the walkers of all tests, one at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(WALKER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._walker: int | None = None

    def send_out(self, *words: object) -> int:
        """Have a walker forked and return its process id."""
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(map(str, words)) + "\n")
        self._process.stdin.flush()
        self._walker = int(self.hear("pid"))
        return self._walker

    def hear(self, word: str) -> str:
        """Read on until the line that begins with this word, and return what follows it."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(word):
                return line.removeprefix(word).strip()
        raise AssertionError(f"the walkers fell silent before saying {word!r}")

    def kill_after(self, seconds: float) -> None:
        """Let the walker walk for that long, and kill it without warning."""
        self.hear("walking")
        time.sleep(seconds)  # the random moment itself, not a wait for anything
        self._kill()

    def ended(self) -> int:
        """Return the walker's exit code once it has ended."""
        code = int(self.hear("ended"))
        self._walker = None
        return code

    def call_in(self) -> None:
        """End the walker a failed test has left behind."""
        if self._walker is not None:
            self._kill()
            self.ended()

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _kill(self) -> None:
        assert self._walker is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._walker, signal.SIGKILL)


@dataclass
class KillHarness:
    """One pretend shop in a process of its own, one data directory, and walkers that die there."""

    folder: Path
    nursery: Nursery
    targets: int
    port: int = 0
    kills: int = 0
    app: str = "prices"
    origin: tuple[str, ...] = ()  # more options for the pretend web
    _tidepool: subprocess.Popen[str] | None = None

    @property
    def data_dir(self) -> Path:
        return self.folder / "data"

    @property
    def acks(self) -> Path:
        return self.folder / "acks"

    def start_shop(self) -> None:
        self._tidepool = subprocess.Popen(
            [sys.executable, "-m", "tidepool", "--port", "0", "--plain", "--products", str(self.targets),
             "--access-log", str(self.folder / "origin.jsonl"), *self.origin],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._tidepool.stdout is not None
        self.port = int(self._tidepool.stdout.readline().rsplit(":", 1)[1])
        self._write_config()

    def _write_config(self) -> None:
        paths = [
            product.path for product in Tidepool(products=self.targets, plain=True).site("shop").catalogue
        ]
        listed = "".join(f'"http://shop.tidepool.localhost:{self.port}{path}",\n' for path in paths)
        (self.folder / "limpet.toml").write_text(
            f'[[sources]]\nid = "shop"\napp = "prices"\nsite = "tidepool_shop"\n'
            f'hosts = ["shop.tidepool.localhost"]\nhttp_only = true\nallow_private_addresses = true\n'
            f'targets = [\n{listed}]\n[sources.terms]\nreviewed_at = 2026-01-01\napproved_by = "the harness"\n'
            f"[sources.pace]\nrequests_per_second = {1 / SPACING}\nmin_delay_seconds = {SPACING}\njitter = 0\n"
        )

    def start_walker(self, *crash: str) -> None:
        self.nursery.send_out(self.app, self.data_dir, self.folder / "limpet.toml", self.acks, *crash)

    def kill_after(self, seconds: float) -> None:
        """Start a walker, let it walk for that long, and kill it without warning."""
        self.start_walker()
        self.nursery.kill_after(seconds)
        self._note_end()

    def die_at(self, point: str, hits: int) -> None:
        """Start a walker that dies at a named place."""
        self.start_walker(point, str(hits))
        self._note_end()

    def _note_end(self) -> None:
        self.kills += self.nursery.ended() == -signal.SIGKILL

    def walk_to_the_end(self) -> None:
        self.start_walker()
        assert self.nursery.ended() == 0

    def is_finished(self) -> bool:
        return self.ledger_rows("SELECT count(*) FROM jobs WHERE state IN ('pending', 'running')") == [(0,)]

    def ledger_rows(self, sql: str) -> list[tuple[object, ...]]:
        with sqlite3.connect(self.data_dir / "limpet.db") as connection:
            return connection.execute(sql).fetchall()

    def acknowledged(self) -> list[int]:
        lines = self.acks.read_bytes().split(b"\n")[
            :-1
        ]  # a last line without its end was never written whole
        return [int(line) for line in lines]

    def visits(self) -> list[dict[str, object]]:
        """What the origin saw, in order of arrival."""
        lines = (self.folder / "origin.jsonl").read_text().splitlines()
        return sorted((json.loads(line) for line in lines), key=lambda visit: visit["arrived_monotonic"])

    def repeated_fetches(self) -> int:
        pages = Counter(visit["path"] for visit in self.visits() if visit["path"].startswith("/product/"))
        return sum(count - 1 for count in pages.values())

    def smallest_gap(self) -> float:
        times = [float(visit["arrived_monotonic"]) for visit in self.visits()]
        return min(later - earlier for earlier, later in itertools.pairwise(times))

    def verify(self) -> Verification:
        async def look() -> Verification:
            async with open_ledger(load_settings(data_dir=self.data_dir)) as ledger:
                return await ledger.verify(app_checks=app_checks())

        return asyncio.run(look())

    def stop(self) -> None:
        self.nursery.call_in()
        if self._tidepool is not None:
            self._tidepool.kill()
            self._tidepool.wait()


@pytest.fixture
def kill_harness() -> type[KillHarness]:
    """The harness itself, for apps with an origin of their own."""
    return KillHarness


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Where walkers come from; loading everything costs more than most of them."""
    nursery = Nursery()
    yield nursery
    nursery.stop()


@pytest.fixture
def harness(tmp_path: Path, nursery: Nursery, request: pytest.FixtureRequest) -> Iterator[KillHarness]:
    harness = KillHarness(tmp_path, nursery, targets=getattr(request, "param", 60))
    harness.start_shop()
    try:
        yield harness
    finally:
        harness.stop()


def assert_nothing_was_lost(harness: KillHarness) -> None:
    """Nothing acknowledged is lost, nothing is there twice, no file is damaged, no job is stuck."""
    found = harness.verify()
    assert found.is_sound, found.problems
    assert harness.is_finished()
    ended = {job_id for (job_id,) in harness.ledger_rows("SELECT id FROM jobs WHERE state = 'succeeded'")}
    assert set(harness.acknowledged()) <= ended
    assert len(harness.acknowledged()) == len(set(harness.acknowledged()))
    assert harness.ledger_rows("SELECT count(*), count(DISTINCT identity_key) FROM prices") == [
        (harness.targets, harness.targets)
    ]
    assert harness.repeated_fetches() <= harness.kills
    assert harness.smallest_gap() >= SPACING


@pytest.fixture
def nothing_was_lost():
    return assert_nothing_was_lost
