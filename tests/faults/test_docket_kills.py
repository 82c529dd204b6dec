"""Kill a batch anywhere, also while it writes its checkpoint: it goes on from there, and asks for nothing twice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from limpet.apps.dockets.account.checkpoint import Checkpoint
from limpet.apps.dockets.account.checkpoint_file import load_checkpoint
from limpet.assembly import app_checks, open_ledger
from limpet.record.verify import Verification
from limpet.settings import load_settings

IS_SOAK = "SOAK_KILLS" in os.environ
RANDOM_KILLS = 50 if IS_SOAK else 8
CASES = 1_000 if IS_SOAK else 100
KILLS_WHILE_WRITING = 10 if IS_SOAK else 4
MOST_JOBS_BEHIND = 100
# The last one dies when the run has ended and only its papers are not finished.
WRITING = [("before_checkpoint_rename", 1), ("after_checkpoint_rename", 1), ("before_journal_sync", 1),
           ("before_journal_sync", 2), ("before_checkpoint_rename", 1), ("after_checkpoint_rename", 1),
           ("before_journal_sync", 3), ("before_journal_sync", 1), ("after_checkpoint_rename", 1),
           ("before_checkpoint_rename", 2)]  # fmt: skip


@dataclass
class Courthouse:
    """A registry in a process of its own, one data directory, and walkers that die there."""

    folder: Path
    nursery: Any
    cases: int
    kills: int = 0
    _registry: subprocess.Popen[str] | None = None

    @property
    def data_dir(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        self._registry = subprocess.Popen(
            [sys.executable, "-m", "tidepool", "--port", "0",
             "--access-log", str(self.folder / "origin.jsonl")],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._registry.stdout is not None
        port = int(self._registry.stdout.readline().rsplit(":", 1)[1])
        (self.folder / "limpet.toml").write_text(
            '[[sources]]\nid = "fct"\napp = "dockets"\nsite = "federal_court"\n'
            'hosts = ["registry.tidepool.localhost"]\nhttp_only = true\nallow_private_addresses = true\n'
            f'base_url = "http://registry.tidepool.localhost:{port}"\n[sources.terms]\n'
            'reviewed_at = 2026-01-01\napproved_by = "the harness"\n[sources.pace]\n'
            "requests_per_second = 100\nmin_delay_seconds = 0.01\njitter = 0\n"
        )

    def stop(self) -> None:
        self.nursery.call_in()
        if self._registry is not None:
            self._registry.kill()
            self._registry.wait()

    def walk(self, *crash: str) -> None:
        batch, config = f"dockets:{self.cases}", self.folder / "limpet.toml"
        self.nursery.send_out(batch, self.data_dir, config, self.folder / "acks", *crash)

    def ended(self) -> int:
        code: int = self.nursery.ended()
        self.kills += code == -signal.SIGKILL
        return code

    def kill_after(self, seconds: float) -> None:
        self.walk()
        self.nursery.kill_after(seconds)
        self.ended()

    # -- what everybody saw --------------------------------------------------------------------------------

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        with contextlib.closing(sqlite3.connect(self.data_dir / "limpet.db")) as connection:
            return connection.execute(sql).fetchall()

    def is_finished(self) -> bool:
        return self.rows("SELECT count(*) FROM jobs WHERE state IN ('pending', 'running')") == [(0,)]

    def recorded(self) -> dict[str, datetime]:
        """When the ledger ended each case."""
        found = self.rows(
            "SELECT c.case_id, j.ended_at FROM docket_cases c JOIN jobs j ON j.id = c.last_job_id"
        )
        return {str(case): datetime.fromisoformat(str(moment)) for case, moment in found}

    def acknowledged(self) -> set[str]:
        """The cases of the jobs we were promised."""
        promised = set((self.folder / "acks").read_text().split("\n")[:-1])
        jobs = self.rows("SELECT last_job_id, case_id FROM docket_cases")
        return {str(case) for job, case in jobs if str(job) in promised}

    def visits(self) -> list[tuple[str, datetime]]:
        found = []
        for line in (self.folder / "origin.jsonl").read_text().splitlines():
            visit = json.loads(line)
            if visit["path"].endswith("proceedingQueriesCourtNumberList"):
                case = parse_qs(visit["query"])["courtnumber"][0]
                found.append((case, datetime.fromisoformat(visit["arrived_at"])))
        return found

    def checkpoint(self) -> Checkpoint:
        first, *_ = sorted((self.data_dir / "output" / "checkpoints").iterdir())
        return load_checkpoint(first)

    def jobs_behind(self) -> int:
        known = {job.case_id for job in self.checkpoint().jobs if not job.is_open}
        return len(self.acknowledged() - known)

    def verify(self) -> Verification:
        async def look() -> Verification:
            async with open_ledger(load_settings(data_dir=self.data_dir)) as ledger:
                return await ledger.verify(app_checks=app_checks())

        return asyncio.run(look())


@pytest.fixture
def courthouse(tmp_path: Path, nursery: Any, request: pytest.FixtureRequest) -> Iterator[Courthouse]:
    house = Courthouse(tmp_path, nursery, cases=getattr(request, "param", 60))
    house.start()
    try:
        yield house
    finally:
        house.stop()


def assert_nothing_was_lost(house: Courthouse) -> None:
    found = house.verify()
    assert found.is_sound, found.problems
    assert house.is_finished()
    _assert_nothing_was_asked_twice(house)
    _assert_the_account_adds_up(house)


def _assert_nothing_was_asked_twice(house: Courthouse) -> None:
    """By the origin's own log: no case was asked for once it was recorded, told or not."""
    recorded, acknowledged, visits = house.recorded(), house.acknowledged(), house.visits()
    assert [case for case, moment in visits if moment > recorded[case]] == []
    repeated = sum(count - 1 for count in Counter(case for case, _ in visits).values())
    assert house.cases - house.kills <= len(acknowledged) <= len(recorded) == house.cases
    assert repeated <= house.kills


def _assert_the_account_adds_up(house: Courthouse) -> None:
    audit_file, *_ = sorted((house.data_dir / "output").glob("audit_*.json"))
    attempts, *_ = sorted((house.data_dir / "output").glob("attempts_*.ndjson"))
    audit = json.loads(audit_file.read_text())
    results = [
        line["result"] for line in map(json.loads, attempts.read_text().splitlines()) if "result" in line
    ]
    told = Counter(result["case_identifier"]["id"] for result in results)
    assert audit["is_balanced"]
    assert audit["total_attempted"] == house.cases
    assert audit["success_count"] + audit["no_record_count"] + audit["failed_count"] == house.cases
    assert set(told.values()) == {1}
    assert len(told) == house.cases
    final = house.checkpoint()
    assert final.cursor.last_job_index == house.cases - 1
    saved = [result["saved_path"] for result in results if result["outcome"] == "succeeded"]
    assert len({path for path in saved if (house.data_dir / path).is_file()}) == audit["success_count"]


@pytest.mark.timeout(60 + 10 * RANDOM_KILLS)
@pytest.mark.parametrize("courthouse", [CASES], indirect=True)
def test_random_kills_of_a_batch_lose_nothing(courthouse: Courthouse) -> None:
    moment = random.Random(20260101)

    while courthouse.kills < RANDOM_KILLS:
        courthouse.kill_after(moment.uniform(0.0, 0.4 if IS_SOAK else 0.2))
        if (courthouse.folder / "acks").exists():
            assert courthouse.jobs_behind() <= MOST_JOBS_BEHIND
    assert not courthouse.is_finished()  # every kill met a batch under way
    courthouse.walk()
    assert courthouse.ended() == 0

    assert_nothing_was_lost(courthouse)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("courthouse", [600 if IS_SOAK else 80], indirect=True)
def test_kills_while_the_checkpoint_is_written_lose_nothing(courthouse: Courthouse) -> None:
    for point, hits in [*WRITING[: KILLS_WHILE_WRITING - 1], WRITING[-1]]:
        courthouse.walk(point, str(hits))
        courthouse.ended()
        if courthouse.kills > 1:
            courthouse.checkpoint()  # whatever stands there can be read, and is consistent
    courthouse.walk()  # a run that ended a moment before the kill has its papers finished by the next one
    courthouse.ended()

    assert courthouse.kills == KILLS_WHILE_WRITING
    assert_nothing_was_lost(courthouse)
