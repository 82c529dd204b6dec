"""No ball missed: late ones filled in, corrections versioned, gaps known, sources that differ never take turns."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.apps.matches.ball_log import BallLog, Found, Gap
from limpet.apps.matches.balls import BallEvent, BallKey, ExtraKind, Overs
from limpet.apps.matches.monitor.gap_asking import GapAsking
from limpet.apps.matches.scorecard import InningsScore


def ball(over: int, delivery: int, *, innings: int = 1, runs: int = 0, **more: Any) -> BallEvent:
    return BallEvent(
        BallKey(innings, over, delivery),
        ball=more.pop("number", min(delivery, 6)),
        runs=runs,
        legal_balls=more.pop("legal", over * 6 + min(delivery, 6)),
        **more,
    )


def overs(*numbers: int, innings: int = 1) -> list[BallEvent]:
    return [ball(over, delivery, innings=innings) for over in numbers for delivery in range(1, 7)]


def learn(
    log: BallLog, *events: BallEvent, domain: str = "crex", rank: float = 100
) -> list[tuple[str, str, int]]:
    news = log.take(events, domain_id=domain, rank=rank)
    return [(str(kept.event.key), kept.found.value, kept.version) for kept in news]


def test_balls_come_in_order_and_only_once() -> None:
    log = BallLog()

    first = learn(log, ball(0, 2), ball(0, 1))
    second = learn(log, ball(0, 1), ball(0, 2), ball(0, 3))

    assert first == [("1/0/1", "live", 1), ("1/0/2", "live", 1)]
    assert second == [("1/0/3", "live", 1)]


def test_a_jump_over_balls_is_a_gap_until_they_are_told() -> None:
    log = BallLog()
    learn(log, *[ball(9, delivery) for delivery in (1, 2, 3)])
    learn(log, ball(9, 6))

    before = log.gaps()
    filled = learn(log, ball(9, 4), ball(9, 5))

    assert before == [Gap(1, 9, 2)]
    assert filled == [("1/9/4", "backfill", 1), ("1/9/5", "backfill", 1)]
    assert log.gaps() == []


def test_a_wide_repeats_the_number_and_is_a_delivery_of_its_own() -> None:
    log = BallLog()
    learn(log, ball(0, 1), ball(0, 2, number=2, legal=1, runs=1, extras=1, extra_kind=ExtraKind.WIDE))
    learn(log, *[ball(0, delivery, number=delivery - 1, legal=delivery - 1) for delivery in range(3, 8)])
    learn(log, ball(1, 1))

    assert log.gaps() == []
    assert len(log.balls()) == 8


def test_a_whole_missing_over_and_a_short_one_are_gaps() -> None:
    log = BallLog()
    learn(log, *overs(0), *overs(1)[:4], *overs(3))

    assert log.gaps() == [Gap(1, 1, 2), Gap(1, 2, 6)]


def test_what_happened_before_our_watch_is_no_gap_but_the_next_innings_is_known_from_its_start() -> None:
    log = BallLog()
    learn(log, *overs(18, 19))
    learn(log, *overs(1, innings=2))

    assert log.gaps() == [Gap(2, 0, 6)]


def test_the_score_tells_of_balls_nobody_has_listed_yet() -> None:
    log = BallLog()
    learn(log, ball(9, 1), ball(9, 2), ball(9, 3))
    score = InningsScore(1, "team_a", 80, 2, Overs(60))

    assert log.gaps([score]) == [Gap(1, 9, 3)]
    assert log.gaps([InningsScore(1, "team_a", 80, 2, Overs(57))]) == []


def test_the_end_of_an_innings_nobody_saw_is_missing_although_the_next_one_is_under_way() -> None:
    log = BallLog()
    learn(log, ball(15, 1), ball(15, 2))
    learn(log, *overs(0, innings=2))
    scores = [InningsScore(1, "team_a", 120, 10, Overs(96)), InningsScore(2, "team_b", 4, 0, Overs(6))]

    assert log.gaps(scores) == [Gap(1, 15, 4)]


def test_an_innings_that_came_and_went_unseen_is_missing_whole_but_none_from_before_our_watch() -> None:
    log = BallLog()
    learn(log, *overs(0, innings=2))
    scores = [InningsScore(number, "team_a", 9, 1, Overs(6)) for number in (1, 2, 3)]

    assert log.gaps(scores) == [Gap(3, 0, 6)]


def test_the_same_gap_is_asked_for_again_less_and_less_often() -> None:
    asking, gap = GapAsking(), (Gap(1, 15, 4),)
    moments = [now for now in range(600) if asking.is_due(gap, now=now) and not asking.asked(gap, now=now)]

    assert moments == [0, 15, 45, 105, 225, 465]
    assert asking.is_due((Gap(1, 15, 3),), now=466) and not asking.is_due((), now=466)


def test_a_correction_is_a_new_version() -> None:
    log = BallLog()
    learn(log, ball(0, 1, runs=4))

    assert learn(log, ball(0, 1, runs=6)) == [("1/0/1", "correction", 2)]
    assert learn(log, ball(0, 1, runs=6)) == []
    assert [kept.event.runs for kept in log.balls()] == [6]


def test_another_spelling_is_no_correction() -> None:
    log = BallLog()
    learn(log, ball(0, 1, runs=1, text="1"))

    assert learn(log, ball(0, 1, runs=1, text="single")) == []


def test_sources_that_differ_never_take_turns() -> None:
    log = BallLog()
    learn(log, ball(0, 1, runs=4), domain="second", rank=80)

    better = learn(log, ball(0, 1, runs=6), domain="crex", rank=100)
    worse = learn(log, ball(0, 1, runs=4), domain="second", rank=80)

    assert better == [("1/0/1", "correction", 2)]
    assert worse == []


def test_a_ball_the_source_takes_back_is_withdrawn_and_kept_as_history() -> None:
    log = BallLog()
    learn(log, *overs(0), ball(0, 7, number=6, legal=6))

    news = learn(log, *overs(0), ball(1, 1))

    assert news == [("1/0/7", "withdrawn", 2), ("1/1/1", "live", 1)]
    assert len(log.balls()) == 7


def test_a_source_that_shows_only_its_latest_over_withdraws_nothing() -> None:
    log = BallLog()
    learn(log, *overs(0, 1))

    assert learn(log, ball(2, 1)) == [("1/2/1", "live", 1)]


def test_what_the_ledger_remembers_is_not_news_again() -> None:
    log, again = BallLog(), BallLog()
    learn(log, *overs(0))
    again.restore(log.balls())

    assert learn(again, *overs(0), ball(1, 1)) == [("1/1/1", "live", 1)]


@given(st.data())
def test_whatever_windows_a_source_shows_no_ball_is_lost_or_doubled(data: st.DataObject) -> None:
    play = overs(0, 1, 2, 3)
    log, shown = BallLog(), []
    position = 0
    while position < len(play):
        position = min(len(play), position + data.draw(st.integers(1, 9)))
        window = play[max(0, (position - 1) // 6 * 6 - 12) : position]  # whole overs, the last three at most
        shown += log.take(window, domain_id="crex", rank=1)

    assert sorted(kept.event.key for kept in shown) == [event.key for event in play]
    assert log.gaps() == []


@pytest.mark.parametrize("found", list(Found))
def test_every_word_for_how_a_ball_was_found_is_lower_case(found: Found) -> None:
    assert found.value == found.value.lower()
