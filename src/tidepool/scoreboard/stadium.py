"""All matches of one world, at any tick: what both sites tell of, each in its own way."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from tidepool.scoreboard.crex_live import shown_from
from tidepool.scoreboard.delivery import Delivery
from tidepool.scoreboard.fixture import Fixture, fixture_of
from tidepool.scoreboard.play import play
from tidepool.scoreboard.standing import Standing, standing_at
from tidepool.site import Setup

TICKS_PER_SECOND_ON_COMMAND = 1.0  # for a world whose time moves on command, one tick is told as one second


class Stadium:
    """The matches of a seed. Nothing here changes: everything is a function of the tick."""

    def __init__(self, setup: Setup) -> None:
        self.fixtures = tuple(
            fixture_of(index, seed=setup.seed, plain=setup.plain) for index in range(setup.matches)
        )
        self._by_key = {fixture.key: fixture for fixture in self.fixtures}
        self._by_number = {str(fixture.number): fixture for fixture in self.fixtures}
        self._epoch = datetime.fromtimestamp(setup.epoch, UTC).replace(microsecond=0)
        self._tick_seconds = setup.tick_seconds or TICKS_PER_SECOND_ON_COMMAND

    def with_key(self, key: str) -> Fixture | None:
        """Return the match by the first site's key."""
        return self._by_key.get(key)

    def with_number(self, number: str) -> Fixture | None:
        """Return the match by the second site's number."""
        return self._by_number.get(number)

    def starts_at(self, fixture: Fixture) -> datetime:
        """Return when it begins."""
        return self._epoch + timedelta(seconds=fixture.start_tick * self._tick_seconds)

    def listed(self, tick: int) -> Iterator[Standing]:
        """Yield the matches on the list of live ones."""
        for fixture in self.fixtures:
            standing = standing_at(fixture, tick)
            if standing.is_listed:
                yield standing

    def truth(self, fixture: Fixture, *, tick: int) -> dict[str, Any]:
        """Say how the match really stands, and every ball with the tick at which it happened."""
        standing = standing_at(fixture, tick)
        course = play(fixture)
        wrong = {each.number: each for each in course.misstatements}
        balls = []
        for number, delivery in enumerate(course.deliveries):
            if delivery.tick > tick:
                break
            fault = wrong.get(number)
            row = _ball(delivery) | {"shown_tick": max(delivery.tick, shown_from(fixture))}
            if fault is not None:
                row |= {"first_shown_as": fault.token, "corrected_tick": fault.until}
            balls.append(row)
        return {
            **_summary(standing),
            "starts_at": self.starts_at(fixture).isoformat(),
            "innings": [
                {
                    "number": innings.number,
                    "side": fixture.sides[innings.side].short,
                    "runs": innings.runs,
                    "wickets": innings.wickets,
                    "legal_balls": innings.legal_balls,
                }
                for innings in standing.innings
            ],
            "balls": balls,
        }

    def summaries(self, *, tick: int) -> list[dict[str, Any]]:
        """Say in short how every match stands."""
        return [_summary(standing_at(fixture, tick)) for fixture in self.fixtures]


def _summary(standing: Standing) -> dict[str, Any]:
    fixture = standing.fixture
    return {
        "key": fixture.key,
        "number": fixture.number,
        "kind": fixture.kind.value,
        "sides": [side.short for side in fixture.sides],
        "label": fixture.label,
        "path": fixture.path,
        "phase": standing.phase,
        "is_listed": standing.is_listed,
        "result": standing.result,
        "start_tick": fixture.start_tick,
        "end_tick": play(fixture).end_tick,
    }


def _ball(delivery: Delivery) -> dict[str, Any]:
    outcome = delivery.outcome
    return {
        "innings": delivery.innings,
        "over": delivery.over,
        "delivery": delivery.place,
        "ball": delivery.ball,
        "legal_balls": delivery.legal_balls,
        "outcome": outcome.token,
        "runs": outcome.runs,
        "extras": outcome.extras,
        "is_wicket": outcome.is_wicket,
        "tick": delivery.tick,
    }
