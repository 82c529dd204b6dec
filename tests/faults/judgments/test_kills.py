"""Kill an archivist anywhere: every judgment is there once, whole, and none is asked for again once recorded."""

from __future__ import annotations

import os
import random

import pytest

LONG = "SOAK_KILLS" in os.environ
KILLS = 50 if LONG else 10
CASES = 500 if LONG else 90
WALKED = (
    "before_commit",
    "after_commit",
    "after_lease",
    "after_fetch",
    "before_settle",
    "before_artefact_rename",
    "after_artefact_rename",
)


def assert_the_archive_is_whole(court) -> None:
    found = court.inner.verify()
    assert found.is_sound, found.problems
    assert court.archived() == court.published()  # none lost, none twice, none corrupt
    assert court.asked_again_although_recorded() == []
    # What a kill cut off, or kept from being recorded, is all that was ever sent a second time.
    assert court.transfers_begun_again() <= court.inner.kills * 4
    acknowledged = court.inner.acknowledged()
    assert len(acknowledged) == len(set(acknowledged))
    assert not list((court.inner.data_dir / "pdfs").glob(".*"))


@pytest.mark.parametrize("court", [60], indirect=True)
def test_death_at_every_named_point_loses_no_judgment(court) -> None:
    points = [(point, hits) for point in WALKED for hits in (1, 3)]

    for point, hits in points:
        court.inner.die_at(point, hits)
    court.inner.walk_to_the_end()

    assert court.inner.kills == len(points)
    assert_the_archive_is_whole(court)


@pytest.mark.timeout(120 + 20 * KILLS)
@pytest.mark.parametrize("court", [CASES], indirect=True)
def test_random_kills_at_a_troubled_court_lose_no_judgment(court) -> None:
    moment = random.Random(20260714)
    court.misbehave()

    while court.inner.kills < KILLS and not (court.inner.acks.exists() and court.inner.is_finished()):
        court.inner.kill_after(moment.uniform(0.0, 0.35))
    rounds = 0
    while len(court.archived() if court.inner.acks.exists() else {}) < len(court.published()) and rounds < 5:
        court.inner.walk_to_the_end()  # goes on with what is open, then once more over what failed
        rounds += 1

    assert court.inner.kills >= KILLS
    assert_the_archive_is_whole(court)
    print(f"{court.inner.kills} kills, {court.transfers_begun_again()} transfers begun again")
