"""Many processes, one budget: judged by what the origin would have seen."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

WORKER = Path(__file__).parent / "pace_worker.py"


@pytest.fixture(params=["files", pytest.param("redis", marks=pytest.mark.redis)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return request.getfixturevalue("redis_url") if request.param == "redis" else str(tmp_path)


@contextmanager
def worker(store: str, log: Path, *what: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, str(WORKER), store, str(log), *map(str, what)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def work_together(store: str, log: Path, *, workers: int, what: tuple[object, ...]) -> None:
    with ExitStack() as crew:
        processes = [crew.enter_context(worker(store, log, *what)) for _ in range(workers)]
        codes = [process.wait(timeout=60) for process in processes]
    assert codes == [0] * workers


def moments(log: Path, word: str) -> list[float]:
    lines = [line.split() for line in log.read_text().splitlines()]
    return sorted(float(line[0]) for line in lines if line[1] == word)


def smallest_gap(times: list[float]) -> float:
    return min(later - earlier for earlier, later in pairwise(times))


def most_at_once(log: Path) -> int:
    steps = {"arrived": 1, "answered": -1}
    lines = sorted((float(line.split()[0]), steps[line.split()[1]]) for line in log.read_text().splitlines())
    inside = most = 0
    for _, step in lines:
        inside += step
        most = max(most, inside)
    return most


def test_four_processes_at_fifty_a_second_are_never_faster(store: str, tmp_path: Path) -> None:
    log = tmp_path / "origin.log"

    work_together(store, log, workers=4, what=(20, 50.0, 1))

    arrived = moments(log, "arrived")
    assert len(arrived) == 80
    assert smallest_gap(arrived) >= 0.02
    assert max(sum(start <= time < start + 1 for time in arrived) for start in arrived) <= 50
    assert most_at_once(log) == 1


def test_places_are_shared_and_spacing_holds_when_requests_overlap(store: str, tmp_path: Path) -> None:
    log = tmp_path / "origin.log"

    work_together(store, log, workers=3, what=(15, 100.0, 2))

    arrived = moments(log, "arrived")
    assert len(arrived) == 45
    assert smallest_gap(arrived) >= 0.01
    assert most_at_once(log) == 2


def test_others_go_on_when_a_holder_is_killed_and_no_gap_shrinks(store: str, tmp_path: Path) -> None:
    log = tmp_path / "origin.log"
    with ExitStack() as crew:
        holder = crew.enter_context(worker(store, log, 1, 5.0, 1, "hold"))
        assert holder.stdout is not None and holder.stdout.readline() == "holding\n"
        other = crew.enter_context(worker(store, log, 2, 5.0, 1))
        assert other.stdout is not None and other.stdout.readline() == "ready\n"

        killed_at = time.monotonic()
        holder.kill()
        code = other.wait(timeout=60)

    arrived = moments(log, "arrived")
    assert code == 0 and len(arrived) == 2
    assert smallest_gap([killed_at, *arrived]) >= 0.2
