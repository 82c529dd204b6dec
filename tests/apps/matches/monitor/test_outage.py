"""When no source answers any more: every word we show says so, until one does again. Time is frozen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest
from structlog.testing import capture_logs

from limpet.apps.matches.care_log import recoveries
from limpet.apps.matches.monitor.health import health_status
from limpet.apps.matches.monitor.session import ScraperContext
from limpet.apps.matches.silence import watched_sources
from limpet.assembly import House
from limpet.clock import FrozenClock
from limpet.errors import ConfigError
from limpet.observe.health import Grade, assess
from limpet.observe.standing import Surveyor, Watching

Build = Callable[..., Any]
LOOK_SECONDS = 15


@dataclass
class Day:
    """A monitor whose time we pass ourselves, and which asks only when we let it."""

    house: House
    clock: FrozenClock
    began: float = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.clock.monotonic()

    async def visit_all(self) -> None:
        room = self.house.monitor.room
        room.offer_due()
        while (request := room.queue.take(self.clock.monotonic())) is not None:
            await self.house.monitor._visitor.visit(request)

    async def wait(self, seconds: int) -> None:
        for _ in range(seconds // LOOK_SECONDS):
            self.clock.advance(LOOK_SECONDS)
            await self.house.monitor.caretaker.look()

    @property
    def grade(self) -> str:
        return self.house.monitor.room.grading.grade.value

    def health(self) -> dict[str, Any]:
        return health_status(self.house.monitor.room, self.house.monitor.caretaker.load, [])

    async def source_grades(self) -> set[Grade]:
        survey = partial(self.surveyor.survey, sources=self.house.catalogue.list())
        found = assess(await self.house.ledger.read(survey), now=self.clock.now())
        return {found.of(source.id) for source in self.house.catalogue.list()}

    @property
    def surveyor(self) -> Surveyor:
        return Surveyor(partial(watched_sources, clock=self.clock))

    async def alerts(self) -> list[tuple[str, str]]:
        await replace(self.house.alerts, clock=self.clock, surveyor=self.surveyor).grade()
        return [(each.kind, each.subject) for each in await self.house.ledger.alerts()]


@asynccontextmanager
async def frozen_day(build_arena: Build) -> AsyncIterator[Day]:
    """Yield a day on which two sources have answered about two matches."""
    async with build_arena(matches=2, tick_seconds=0.0) as arena, arena.open() as house:
        room = house.monitor.room
        arena.pool.advance(40)
        room.clock = clock = FrozenClock(house.clock.now())
        house.monitor._refresh_domains()
        await house.monitor.discovery.look()
        day = Day(house, clock)
        await day.visit_all()
        await house.monitor.caretaker.look()
        yield day


async def test_a_restart_that_brought_nothing_ends_in_failing_and_the_next_one_waits_longer(
    build_arena: Build,
) -> None:
    async with frozen_day(build_arena) as day:
        grades = {}
        for second in range(LOOK_SECONDS, 700, LOOK_SECONDS):
            await day.wait(LOOK_SECONDS)
            grades[second] = day.grade
        written = await day.house.ledger.read(recoveries)

    assert [grades[each] for each in (45, 60, 75)] == ["healthy", "degraded", "degraded"]
    assert {grades[each] for each in range(90, 210, LOOK_SECONDS)} == {"recovering"}
    assert {grades[each] for each in range(210, 330, LOOK_SECONDS)} == {"failing"}
    assert {grades[each] for each in range(330, 450, LOOK_SECONDS)} == {"recovering"}
    assert {grades[each] for each in range(450, 700, LOOK_SECONDS)} == {"failing"}
    assert [row["outcome"] for row in written] == ["failed", "failed"]


async def test_health_is_down_while_not_one_live_match_answers_and_well_once_they_do(
    build_arena: Build,
) -> None:
    async with frozen_day(build_arena) as day:
        before = day.health()["status"]
        await day.wait(60)
        late = day.health()["status"]
        await day.wait(45)
        recovering = (day.grade, day.health()["status"])
        told = []
        for _ in range(20):
            await day.wait(LOOK_SECONDS)
            told.append(day.health()["status"])
        badges = {each["health_status"] for each in day.health()["scrapers"]}
        await day.visit_all()
        await day.wait(45)
        await day.visit_all()
        after = day.health()

    assert (before, late, recovering) == ("healthy", "degraded", ("recovering", "degraded"))
    assert set(told) == {"down"}
    assert badges == {"failing"}
    assert after["status"] == "healthy" and {each["health_status"] for each in after["scrapers"]} == {
        "healthy"
    }


async def test_a_source_whose_matches_are_silent_is_failing_with_an_alert_until_they_answer(
    build_arena: Build,
) -> None:
    async with frozen_day(build_arena) as day:
        before = (await day.source_grades(), await day.alerts())
        await day.wait(120)
        grades, alerts = await day.source_grades(), await day.alerts()
        await day.visit_all()
        await day.wait(LOOK_SECONDS)
        after = (await day.source_grades(), await day.alerts())

    assert before == ({Grade.HEALTHY}, [])
    assert grades == {Grade.FAILING}
    assert sorted(alerts) == [("grade", "source crex"), ("grade", "source pavilion")]
    assert after == ({Grade.HEALTHY}, [])


async def test_nobody_is_silent_once_nobody_watches(build_arena: Build) -> None:
    async with frozen_day(build_arena) as day:
        await day.wait(120)
        read = partial(watched_sources, clock=day.clock)
        watched = await day.house.ledger.read(read)
        await day.house.monitor.caretaker.leave()
        left = await day.house.ledger.read(read)

    assert watched == {
        name: Watching(live=2, silent=2, silent_seconds=120.0) for name in ("crex", "pavilion")
    }
    assert left == {}


async def test_a_match_paused_by_hand_is_not_missed(build_arena: Build) -> None:
    async with frozen_day(build_arena) as day:
        for watch in day.house.monitor.room.watches.values():
            watch.record = watch.record.paused_by_hand()
        await day.wait(300)
        seen = (day.grade, day.health()["status"], await day.source_grades())

    assert seen == ("healthy", "healthy", {Grade.HEALTHY})


async def test_a_domain_that_is_switched_off_counts_as_no_scraper(build_arena: Build) -> None:
    async with frozen_day(build_arena) as day:
        room = day.house.monitor.room
        everybody = day.health()
        del room.active["pavilion"]
        fewer = day.health()
        del room.active["crex"]
        await day.wait(300)
        nobody = day.health()

    assert (everybody["active_scraper_count"], len(everybody["scrapers"])) == (4, 4)
    assert (fewer["active_scraper_count"], len(fewer["scrapers"])) == (2, 2)
    assert {each["match_id"].partition(":")[0] for each in fewer["scrapers"]} == {"crex"}
    assert (nobody["status"], nobody["active_scraper_count"], nobody["scrapers"]) == ("healthy", 0, [])


async def test_a_sources_file_that_names_an_unknown_source_is_refused_and_the_last_good_one_holds(
    build_arena: Build,
) -> None:
    async with build_arena(matches=1, tick_seconds=0.0) as arena, arena.open() as house:
        before = [domain.id for domain in house.monitor.room.domains()]
        arena.sources_file.write_text("sources:\n  - {domain_id: crexy, adapter: crex}\n")
        with capture_logs() as log:
            after = [domain.id for domain in house.monitor.room.domains()]
        arena.sources_file.unlink()
        with capture_logs() as log_of_none:
            without = [domain.id for domain in house.monitor.room.domains()]

    assert before == after == without == ["crex", "pavilion"]
    (told,), (told_of_none,) = log, log_of_none
    assert (told["event"], told["log_level"]) == ("domains_not_read", "error")
    assert "'crexy'" in told["message"] and told["fix"].startswith("Did you mean 'crex'?")
    assert "LIMPET_MATCH_SOURCES" in told_of_none["fix"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "LIMPET_MATCH_SOURCES"),
        ("sources:\n  - {domain_id: crexy, adapter: crex}\n", "Did you mean 'crex'?"),
    ],
)
async def test_a_sources_file_nobody_can_follow_refuses_the_start(
    build_arena: Build, text: str | None, said: str
) -> None:
    async with build_arena(matches=1, tick_seconds=0.0) as arena:
        if text is None:
            arena.sources_file.unlink()
        else:
            arena.sources_file.write_text(text)

        with pytest.raises(ConfigError) as refused:
            async with arena.open() as house:
                house.monitor.room.domains()

    assert said in refused.value.fix


async def test_only_domains_that_take_part_are_told_as_read(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.0) as arena, arena.open() as house:
        house.monitor.room.domains()
        arena.write_config(disabled=("pavilion",))
        with capture_logs() as log:
            house.monitor.room.domains()

    assert [(each["event"], each["domains"]) for each in log] == [("domains_read", ["crex"])]


# -- one session -------------------------------------------------------------------------------------------


def session(clock: FrozenClock) -> ScraperContext:
    return ScraperContext("crex:RF0", "http://crex.test/RF0", clock)


@pytest.mark.parametrize(("silence", "badge"), [(10, "degraded"), (300, "failing")])
def test_a_renewed_session_is_not_well_before_it_brought_something(silence: float, badge: str) -> None:
    clock = FrozenClock()
    worn, new = session(clock), session(clock)
    worn.succeeded(12.0)
    for _ in range(10):
        worn.failed()
    clock.advance(silence)

    new.follow(worn)
    seen = (new.health_status, new.last_update_time, new.staleness_seconds)
    new.succeeded(10.0)

    assert seen == (badge, worn.last_update_time, silence)
    assert new.health_status == "healthy"


def test_a_session_that_was_well_when_it_was_renewed_stays_well() -> None:
    clock = FrozenClock()
    worn = session(clock)
    clock.advance(6 * 3600)
    worn.succeeded(12.0)
    new = session(clock)

    new.follow(worn)

    assert (worn.reason_to_restart, new.health_status) == ("uptime_exceeded", "healthy")


def test_a_renewed_session_is_given_its_time_before_the_next() -> None:
    clock = FrozenClock()
    worn = session(clock)
    clock.advance(400)
    new = session(clock)
    new.follow(worn)

    reasons = [worn.reason_to_restart, new.reason_to_restart]
    clock.advance(300)

    assert [*reasons, new.reason_to_restart] == ["stale", None, "stale"]
