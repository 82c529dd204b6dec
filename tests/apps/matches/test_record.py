"""The match record: whole balls, and the unified payload of seed 004."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from limpet.apps.matches.record import (
    BallEvent,
    BallKey,
    DiscoveredMatch,
    EventType,
    ExtraKind,
    InningsScore,
    LastEvent,
    MatchSnapshot,
    MatchStatus,
    Overs,
    Phase,
    Team,
    Toss,
    parse_overs,
)

IND, AUS = Team("CD", "India", "IND"), Team("11", "Australia", "AUS")


@pytest.mark.parametrize(
    ("text", "legal_balls"),
    [
        ("15.3", 93),
        ("9.6", 60),
        ("10.0", 60),
        ("20", 120),
        ("(35.0)", 210),
        ("(31.1", 187),
        (" 0.0 ", 0),
        ("12.3 ov", 75),
    ],
)
def test_overs_are_read_as_whole_balls(text: str, legal_balls: int) -> None:
    assert parse_overs(text) == Overs(legal_balls)


@pytest.mark.parametrize("text", ["", "9.7", "9.35", "-1.2", "9,3", "CRR", "1.2.3"])
def test_what_no_scorer_would_write_is_no_number_of_overs(text: str) -> None:
    assert parse_overs(text) is None


def test_the_last_ball_of_an_over_has_its_own_label_and_makes_the_score_a_full_over() -> None:
    ball = BallEvent(BallKey(1, 9, 6), ball=6, runs=0, legal_balls=60)

    assert ball.label == "9.6"
    assert str(Overs(ball.legal_balls)) == "10.0"


@pytest.mark.parametrize(
    ("kind", "is_legal"),
    [
        (None, True),
        (ExtraKind.WIDE, False),
        (ExtraKind.NO_BALL, False),
        (ExtraKind.BYE, True),
        (ExtraKind.LEG_BYE, True),
    ],
)
def test_only_wides_and_no_balls_do_not_count_towards_the_over(
    kind: ExtraKind | None, is_legal: bool
) -> None:
    assert BallEvent(BallKey(1, 0, 1), ball=1, runs=1, legal_balls=1, extra_kind=kind).is_legal is is_legal


def test_two_sources_agree_on_the_fixture_whichever_side_they_name_first() -> None:
    here = DiscoveredMatch("crex", "RE0", "u", MatchStatus.LIVE, teams=(IND, AUS), label="3rd T20I")
    there = DiscoveredMatch("other", "9", "v", MatchStatus.LIVE, teams=(AUS, IND), label="3rd  T20I ")

    assert here.fixture == there.fixture == "aus-ind-3rd-t20i"
    assert here.match_id == "crex:RE0"


def test_the_payload_is_that_of_seed_004_without_a_float_in_it() -> None:
    snapshot = MatchSnapshot(
        domain_id="crex",
        match_key="RE0",
        observed_at=datetime(2025, 11, 22, 15, 24, tzinfo=UTC),
        status=MatchStatus.LIVE,
        phase=Phase.IN_PLAY,
        title="India vs Australia - 3rd T20I",
        teams=(IND, AUS),
        innings=(
            InningsScore(1, "team_a", 187, 5, Overs(120)),
            InningsScore(2, "team_b", 95, 3, Overs(75)),
        ),
        current_innings=2,
        toss=Toss("India", "bat"),
        start_time=datetime(2025, 11, 22, 19, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))),
        last_event=LastEvent(EventType.WICKET, "Smith c Kohli b Bumrah 42 (28)"),
        metadata={"series": "India tour of Australia 2025", "weather": ""},
    )

    payload = snapshot.payload()

    assert payload["score"]["team_b"]["overs"] == "12.3"
    assert payload["score"]["team_b"]["legal_balls"] == 75
    assert payload["start_time"] == "2025-11-22T14:00:00Z"
    assert payload["toss"] == {"winner": "India", "decision": "bat"}
    assert payload["metadata"] == {"series": "India tour of Australia 2025"}
    assert "venue" not in payload, "what a source does not say is absent, not empty"
    assert "float" not in {type(value).__name__ for value in _leaves(payload)}


def test_a_super_over_does_not_hide_the_score_of_the_match() -> None:
    snapshot = MatchSnapshot(
        domain_id="crex",
        match_key="RE0",
        observed_at=datetime(2025, 11, 22, tzinfo=UTC),
        status=MatchStatus.LIVE,
        phase=Phase.SUPER_OVER,
        innings=(
            InningsScore(1, "team_a", 160, 5, Overs(120)),
            InningsScore(2, "team_b", 160, 8, Overs(120)),
            InningsScore(3, "team_b", 9, 1, Overs(6), is_super_over=True),
        ),
    )

    payload = snapshot.payload()

    assert payload["score"]["team_b"]["runs"] == 160
    assert [each["runs"] for each in payload["innings"]] == [160, 160, 9]


def _leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in _leaves(each)]
    if isinstance(value, list):
        return [leaf for each in value for leaf in _leaves(each)]
    return [value]
