"""What went wrong in the service this monitor replaces: each incident and defect that a reading could repeat."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from typing import Any

import pytest

from limpet.apps.matches.adapter import DomainAdapterDescriptor
from limpet.apps.matches.domains import ADAPTERS, DomainTable
from limpet.apps.matches.models.crex.code_book import CodeBook
from limpet.apps.matches.models.crex.live import Beside, read_live
from limpet.apps.matches.models.outcomes import outcome_of
from limpet.apps.matches.record import DiscoveredMatch, MatchStatus, Phase, Team
from limpet.clock import FrozenClock, SystemClock

MATCH = DiscoveredMatch(
    "crex",
    "RE0",
    "u",
    MatchStatus.LIVE,
    teams=(Team("CD", "", "IND"), Team("11", "", "AUS")),
    label="1st Match",
)
LIVE: dict[str, Any] = {
    "a": "CD.11",
    "B": "1",
    "j": "31/0(4.2",
    "k": "0/0(0.0",
    "v": "4.2",
    "rb": [{"o": 5, "bt": "CD", "b": [{"d": 1, "u": "1"}, {"d": 2, "u": "1"}]}],
}


def read(**changed: Any) -> Any:
    facts = {name: value for name, value in (LIVE | changed).items() if value is not None}
    return read_live(facts, Beside(MATCH), CodeBook(), observed_at=SystemClock().now())


async def test_balls_between_two_visits_are_not_skipped(build_scoreboards: Callable[..., Any]) -> None:
    """Incident: the score went from 9.3 to 9.6 and two balls were never shown."""
    boards = build_scoreboards()
    boards.world.advance(60)
    adapter = boards.domains.adapter("crex")
    match = next(m for m in await adapter.discover(boards.way) if m.match_key == "RF0")
    before = await adapter.fetch_match(match, boards.way)

    boards.world.advance(17)
    after = await adapter.fetch_match(match, boards.way)

    bowled = after.innings[0].overs.legal_balls - before.innings[0].overs.legal_balls
    new = [ball for ball in after.balls if ball.key > before.balls[-1].key]
    assert bowled >= 2
    assert sum(ball.is_legal for ball in new) == bowled


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_every_adapter_can_be_built_and_knows_its_name(adapter: str) -> None:
    """Incident: a constructor that was never called made every visit fail."""
    domains = DomainTable([DomainAdapterDescriptor("some_name", adapter)], clock=FrozenClock())

    assert domains.adapter("some_name").domain_id == "some_name"


def test_a_change_of_the_score_alone_is_a_change() -> None:
    """Defect: changes were looked for under names that do not exist, so that only the list of balls counted."""
    assert read(j="32/0(4.3").payload() != read().payload()
    assert read(k="1/0(0.1").payload() != read().payload()
    assert read(B="Stumps").payload() != read().payload()


@pytest.mark.parametrize(
    ("event", "status"),
    [
        ("IND won by 7 wickets", MatchStatus.COMPLETED),
        ("AUS won the Super Over", MatchStatus.COMPLETED),
        ("Match tied", MatchStatus.COMPLETED),
        ("Match drawn", MatchStatus.COMPLETED),
        ("Match abandoned without a ball bowled", MatchStatus.ABANDONED),
        ("No result", MatchStatus.ABANDONED),
        ("w", MatchStatus.LIVE),
        ("Stumps", MatchStatus.LIVE),
        ("Innings Break", MatchStatus.LIVE),
    ],
)
def test_the_end_of_a_match_is_noticed_and_a_break_is_not_taken_for_it(
    event: str, status: MatchStatus
) -> None:
    """Defect: completion was never detected, because nobody set a status."""
    assert read(B=event).status is status


def test_stumps_is_a_break_of_a_live_match() -> None:
    """Defect: a match that paused over night was deleted and never came back."""
    snapshot = read(B="Stumps")

    assert snapshot.status is MatchStatus.LIVE
    assert snapshot.phase is Phase.STUMPS


@pytest.mark.parametrize("event", ["^4", "^2", "^1"])
def test_a_code_that_means_two_things_is_never_counted(event: str) -> None:
    """Trap: ^4 is a run-out, or four runs; the list of balls decides."""
    assert read(B=event).balls == read(B="1").balls
    assert outcome_of(event) is None


def test_a_clock_time_without_a_date_is_no_moment(build_scoreboards: Callable[..., Any]) -> None:
    """Incident: fixtures show "7:00 AM" without date or zone, and daylight saving did the rest."""
    assert read().start_time is None


async def test_a_start_is_kept_with_its_zone(scoreboards: Any) -> None:
    """The other site's start has a zone, and means the same moment everywhere."""
    listed = await scoreboards.domains.adapter("pavilion").discover(scoreboards.way)

    offsets = {match.start_time.utcoffset() for match in listed}
    assert len(offsets) == 1
    moments = {match.start_time.astimezone(UTC) for match in listed if match.match_key == "90000"}
    expected = scoreboards.world.match("RF0")["starts_at"]
    assert {moment.isoformat() for moment in moments} == {expected}


async def test_one_match_that_breaks_does_not_break_the_scorecard_of_another(scoreboards: Any) -> None:
    """Incident: one match shut the shared executor down, and no other got its scorecard any more."""
    scoreboards.world.advance(100)
    adapter = scoreboards.domains.adapter("crex")
    good, broken = (await adapter.discover(scoreboards.way))[:2]
    lost = DiscoveredMatch("crex", "ZZZ", broken.url, MatchStatus.LIVE)

    with pytest.raises(Exception, match="no such match"):
        await adapter.fetch_match(lost, scoreboards.way, with_card=True)
    snapshot = await adapter.fetch_match(good, scoreboards.way, with_card=True)

    assert snapshot.card


async def test_a_score_does_not_go_down_with_its_scorecard(scoreboards: Any) -> None:
    """Whatever is wrong with the card, the balls are on time; what was missed is said."""
    scoreboards.world.advance(100)
    adapter = scoreboards.domains.adapter("crex")
    match = next(iter(await adapter.discover(scoreboards.way)))
    adapter._sides = lambda match: {}

    snapshot = await adapter.fetch_match(match, scoreboards.way, with_card=True)

    assert snapshot.balls
    assert snapshot.card == ()
    assert "scorecard" in snapshot.troubles[0]


async def test_the_data_host_is_sent_what_pages_send_and_nothing_it_once_answered(scoreboards: Any) -> None:
    """Defect: the scorecard was asked for with the headers of a response."""
    scoreboards.world.advance(50)
    adapter = scoreboards.domains.adapter("crex")
    await adapter.discover(scoreboards.way)

    assert {name.lower() for name in adapter._headers()} == {"accept", "referer", "authorization"}


def test_absent_and_empty_mean_the_same() -> None:
    """Trap: a missing field is left out in one answer and empty in the next."""
    absent, empty = read(p=None, q=None, b=None), read(p="", q="", b="", c="")

    assert absent.payload() == empty.payload()
    assert absent.batters == ()
    assert absent.bowler is None


def test_a_session_as_a_bare_number_breaks_nothing() -> None:
    """Trap: D is a list of words, or a number when there is one."""
    assert read(D=10, Z="44+2").payload() == read(D="10,14", Z="44+2,60+3").payload()


def test_names_that_have_not_come_yet_are_codes_and_said_to_be_unknown() -> None:
    """Incident: the code book was read too early, and players were nameless for the whole match."""
    snapshot = read(p="37X.389", q="44.39", s="0.0*")

    assert [batter.name for batter in snapshot.batters] == ["", ""]
    assert {"37X", "389"} <= set(snapshot.unknown_codes)
