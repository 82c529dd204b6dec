"""The proofs of `python -m bench.matches`, some seconds each: what a busy machine cannot break must hold.

`make soak` runs them for ten minutes, and then every figure counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.redis, pytest.mark.xdist_group("matchday")]
PROJECT = Path(__file__).parents[4]
# Seconds, megabytes and the like: for a quiet machine and a longer time.
DEPENDS_ON_THE_MACHINE = ("median age", "p95", "well again after", "growth of", "new processes")
SHORT = ("--matches", "6", "--tick", "0.4", "--warm-up", "5")


def prove(folder: Path, *words: str, chromium: str) -> dict[str, Any]:
    """Run a proof as anybody would, and return its figures and bars."""
    report = folder / "report.json"
    done = subprocess.run(
        [sys.executable, "-m", "bench.matches", *words, "--json", str(report), "--keep", str(folder)],
        cwd=PROJECT,
        env={"LIMPET_CHROMIUM": chromium, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert report.is_file(), done.stderr[-2000:]
    found: dict[str, Any] = json.loads(report.read_text())
    assert (done.returncode == 0) is found["holds"]
    return found


def failed(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the bars that do not hold, without those a busy machine may break."""
    bars = [bar for bar in report["bars"] if not bar["name"].startswith(DEPENDS_ON_THE_MACHINE)]
    assert len(bars) > 4
    return [(bar["name"], bar["found"]) for bar in bars if bar["verdict"] == "FAILED"]


def test_matches_of_two_sources_lose_no_ball_and_are_graded_as_the_oracle_says(
    tmp_path: Path, chromium: str
) -> None:
    report = prove(tmp_path, "fresh", *SHORT, "--minutes", "0.1", "--browser", "0", chromium=chromium)

    assert failed(report) == []


def test_nothing_is_lost_while_everything_breaks(tmp_path: Path, chromium: str) -> None:
    report = prove(tmp_path, "chaos", *SHORT, "--minutes", "0.3", "--browser", "1", chromium=chromium)

    assert failed(report) == []
    assert {"audit entries for killed Chromium", "audit entries for a restarted Redis", "limpet verify"} <= {
        bar["name"] for bar in report["bars"]
    }
