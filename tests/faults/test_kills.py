"""Kill the process anywhere: what was acknowledged is there, what was not is done again, once in effect."""

from __future__ import annotations

import os
import random

import pytest

from limpet.record.crash_points import POINTS

RANDOM_KILLS = int(os.environ.get("SOAK_KILLS", "40"))
# Prices keep neither artefacts nor checkpoints, and a walk rewrites no packs: tests/record/retention dies there.
ELSEWHERE = ("artefact", "checkpoint", "journal", "repoint", "pack_removal")
WALKED = [point for point in POINTS if not any(word in point for word in ELSEWHERE)]


@pytest.mark.parametrize("point", WALKED)
def test_death_at_a_named_point_loses_nothing(harness, nothing_was_lost, point: str) -> None:
    for hits in (1, 2, 7):
        harness.die_at(point, hits)

    harness.walk_to_the_end()

    assert harness.kills == 3
    nothing_was_lost(harness)


@pytest.mark.timeout(60 + 10 * RANDOM_KILLS)
@pytest.mark.parametrize("harness", [RANDOM_KILLS * 8], indirect=True)
def test_random_kills_lose_nothing(harness, nothing_was_lost) -> None:
    moment = random.Random(20260101)

    while harness.kills < RANDOM_KILLS and not (harness.acks.exists() and harness.is_finished()):
        harness.kill_after(moment.uniform(0.0, 0.35))
    harness.walk_to_the_end() if not harness.is_finished() else None

    assert harness.kills >= RANDOM_KILLS
    nothing_was_lost(harness)
