"""What is due, when there is no room for it, and what nobody came for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from limpet.engine.housekeeping import Housekeeping, mark_stale
from limpet.engine.service import Service
from limpet.engine.timetable import Timetable
from limpet.errors import QueueFull
from limpet.record.entry import NewRun
from limpet.record.tables import jobs, runs, sources, targets
from limpet.target.outcome import Trigger
from limpet.target.queue import Accepted, RefusalReason, Refused

NOON = datetime(2026, 3, 2, 12, 0, 30, tzinfo=UTC)
SMALL = {"max_pending_per_adapter": 10, "max_pending_total": 15}
HOURLY, AT_NOON = 'schedule = "0 * * * *"', 'schedule = "0 12 * * *"'


def two_sources(shore, *, schedule: str = HOURLY, count: int = 8) -> tuple[str, str]:
    """Return two sources of one adapter, each on its own domain."""
    reef = shore.urls(count, zone="reef.localhost")
    return (
        shore.source(shore.urls(count), extra=schedule),
        shore.source(reef, name="reef", zone="reef.localhost", extra=schedule),
    )


async def change(house, table, **values) -> None:
    await house.ledger.write(lambda connection: connection.execute(update(table).values(**values)))


async def statuses(house) -> set[str]:
    return {
        status
        for status in ("active", "paused", "broken", "stale")
        if await house.ledger.targets(status=status)
    }


# -- what is due --------------------------------------------------------------------------------------------


async def test_a_fire_is_answered_once_and_the_next_one_again(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(2), extra=HOURLY))

    async with shore.open() as house:
        timetable = Timetable(house.desk)
        (first,) = await timetable.plan_due(NOON)
        under_way = await timetable.plan_due(NOON + timedelta(hours=1))
        await journey.walk(house, first)
        same = await Timetable(house.desk).plan_due(NOON + timedelta(minutes=5))
        (second,) = await timetable.plan_due(NOON + timedelta(hours=1))

    assert (first.trigger, first.planned) == (Trigger.SCHEDULE, 2)
    assert under_way == same == []
    assert second.id > first.id


async def test_two_schedulers_never_fire_twice(shore) -> None:
    shore.write_config(shore.source(shore.urls(2), extra=HOURLY))

    async with shore.open() as one, shore.open() as another:
        planned = [await Timetable(house.desk).plan_due(NOON) for house in (one, another)]

    assert [len(each) for each in planned] == [1, 0]


async def test_a_target_follows_the_schedule_of_its_own(shore, journey) -> None:
    """A cron kept beside the target but never looked at would be a lie."""
    shore.write_config(shore.source(shore.urls(3), extra=AT_NOON))

    async with shore.open() as house:
        every_hour = update(targets).where(targets.c.id == 1).values(schedule="0 * * * *")
        await house.ledger.write(lambda connection: connection.execute(every_hour))
        timetable, visited = Timetable(house.desk), []
        for hour in range(25):
            for run in await timetable.plan_due(NOON + timedelta(hours=hour)):
                visited.append(sorted(job.target_id for job in await house.ledger.jobs(run.id)))
                await journey.walk(house, run)

    assert visited[0] == visited[24] == [1, 2, 3]
    assert visited[1:24] == [[1]] * 23


async def test_a_schedule_nobody_can_read_stops_nobody_else(shore) -> None:
    shore.write_config(shore.source(shore.urls(3), extra=HOURLY))

    async with shore.open() as house:
        broken = update(targets).where(targets.c.id == 1).values(schedule="whenever")
        await house.ledger.write(lambda connection: connection.execute(broken))
        (run,) = await Timetable(house.desk).plan_due(NOON)

    assert run.planned == 2


async def test_a_switched_off_source_is_not_planned(shore) -> None:
    shore.write_config(shore.source(shore.urls(2), extra=HOURLY))
    await shore.limpet("sources", "disable", "shop", "--reason", "they asked us to")

    async with shore.open() as house:
        assert await Timetable(house.desk).plan_due(NOON) == []


async def test_a_run_started_by_hand_progresses_while_another_is_under_way(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(4), extra=HOURLY))

    async with shore.open() as house:
        (scheduled,) = await Timetable(house.desk).plan_due(NOON)
        by_hand = await journey.plan_and_walk(house)
        still = await house.ledger.run(scheduled.id)
        later = await journey.walk(house, scheduled)

    assert by_hand.counts["succeeded"] == 4
    assert still.counts["pending"] == 4
    assert later.counts["succeeded"] == 4  # a target walked in one run is walked again in the next


async def test_a_run_ends_when_its_last_target_does_and_counts_what_was_walked(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(4)))
    shore.pool.set_fault("shop", "not_found_404", path=shore.paths(1)[0])

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)

    assert ended.ended_at is not None
    assert (ended.planned, ended.counts["succeeded"], ended.counts["failed"]) == (4, 3, 1)


async def test_a_target_taken_out_while_it_waits_is_quietly_skipped(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(4)))

    async with shore.open() as house:
        run = await house.desk.plan(NewRun(app="prices", source_id=None))
        now = house.clock.now()
        gone = update(targets).where(targets.c.id == 2).values(status="paused", updated_at=now)
        await house.ledger.write(lambda connection: connection.execute(gone))
        ended = await journey.walk(house, run)
        words = await journey.words_of(house, ended)
        await journey.prove(house)

    assert words[1] == ("skipped", "target_paused")
    assert ended.counts["succeeded"] == 3 and len(shore.visits()) == 3


# -- when there is no room ----------------------------------------------------------------------------------


async def test_a_full_queue_refuses_with_a_moment_to_retry(shore) -> None:
    shore.write_config(*two_sources(shore))

    async with shore.open(**SMALL) as house:
        taken = await house.desk.offer(NewRun(app="prices", source_id="shop"))
        refused = await house.desk.offer(NewRun(app="prices", source_id="reef"))
        with pytest.raises(QueueFull, match="Retry after 60 s"):
            await house.desk.plan(NewRun(app="prices", source_id="reef"))
        told = await house.ledger.events(event_type="queue_rejected")

    assert isinstance(taken, Accepted) and taken.count == 8
    assert refused == Refused(60.0, RefusalReason.QUEUE_FULL)
    assert [event.source_id for event in told] == ["reef", "reef"]


async def test_by_hand_the_same_limits_hold_and_one_sentence_says_so(shore, journey) -> None:
    shore.write_config(*two_sources(shore), settings="max_pending_per_adapter = 10\nmax_pending_total = 15")
    async with shore.open() as house:
        waiting = await house.desk.plan(NewRun(app="prices", source_id="shop"))

    refused = await shore.limpet("run", "prices", "--source", "reef")
    async with shore.open() as house:
        await journey.walk(house, waiting)
    taken = await shore.limpet("run", "prices")  # nothing waits: sixteen are more than the limit, and welcome

    assert refused.code == 2
    assert (
        "queue is full" in refused.err
        and "Retry after 60 s" in refused.err
        and "limpet resume" in refused.err
    )
    assert taken.code == 0, taken.out + taken.err


async def test_the_scheduler_backs_off_from_a_full_queue_and_alerts_when_it_stays_full(
    shore, journey
) -> None:
    shore.write_config(*two_sources(shore))

    async with shore.open(**SMALL) as house:
        timetable = Timetable(house.desk)
        (run,) = await timetable.plan_due(NOON)  # the other source finds no room
        asked = [
            await _refusals(house, timetable, NOON + timedelta(seconds=at)) for at in (1, 59, 61, 120, 182)
        ]
        later = NOON + timedelta(seconds=182)
        for _ in range(5):
            later += timedelta(hours=1)
            await timetable.plan_due(later)
        alerts = await house.ledger.events(event_type="alert_scheduler_backoff")
        await journey.walk(house, run)
        answered = await timetable.plan_due(later + timedelta(hours=1))

    assert asked == [0, 0, 1, 0, 1]  # after one minute, then after two
    assert alerts and alerts[0].payload["seconds"] > 1_800
    assert len(answered) == 1


async def _refusals(house, timetable: Timetable, now: datetime) -> int:
    before = len(await house.ledger.events(event_type="queue_rejected"))
    await timetable.plan_due(now)
    return len(await house.ledger.events(event_type="queue_rejected")) - before


# -- what nobody came for -----------------------------------------------------------------------------------


async def test_what_waits_for_a_day_is_stale_and_queued_again_by_hand_alone(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(4), extra=HOURLY))

    async with shore.open() as house:
        now = house.clock.now()
        run = await house.desk.plan(NewRun(app="prices", source_id="shop"))
        await change(house, jobs, planned_at=now - timedelta(hours=25))
        marked = await mark_stale(house.desk, now)
        await change(house, runs, state="aborted")
        by_schedule = await Timetable(house.desk).plan_due(now)
        told = await house.ledger.events(event_type="targets_stale")
        by_hand = await journey.plan_and_walk(house)
        after = await statuses(house)

    assert (marked, [event.payload["stale"] for event in told]) == (4, [4])
    assert run.planned == 4 and by_schedule == []
    assert by_hand.counts["succeeded"] == 4
    assert after == {"active"}


async def test_a_source_nobody_found_room_for_is_stale_after_a_day(shore) -> None:
    shore.write_config(*two_sources(shore))

    async with shore.open(**SMALL) as house:
        now = house.clock.now()
        timetable = Timetable(house.desk)
        await timetable.plan_due(now)
        await change(house, sources, created_at=now - timedelta(hours=30))
        marked = await mark_stale(house.desk, now)
        stale = await house.ledger.targets(status="stale")

    assert marked == 8
    assert {target.source_id for target in stale} == {"shop"}


async def test_many_stale_targets_are_an_alert(shore) -> None:
    urls = [f"http://shop.tidepool.localhost/p/{number}" for number in range(120)]
    shore.write_config(shore.source(urls, extra=HOURLY))

    async with shore.open() as house:
        await change(house, sources, created_at=house.clock.now() - timedelta(hours=30))
        await mark_stale(house.desk, house.clock.now())
        alerts = await house.ledger.events(event_type="alert_stale_targets")

    assert [event.payload["stale"] for event in alerts] == [120]


async def test_a_service_that_was_away_for_days_finds_nothing_stale(shore) -> None:
    shore.write_config(shore.source(shore.urls(3), extra=HOURLY))

    async with shore.open() as house:
        now = house.clock.now()
        await change(house, sources, created_at=now - timedelta(days=5))
        planned = await Timetable(house.desk).plan_due(now)  # as a service looks: first the timetable
        await Housekeeping(house.desk).look(now)
        after = await statuses(house)

    assert len(planned) == 1
    assert after == {"active"}


async def test_the_round_is_made_once_an_hour(shore) -> None:
    shore.write_config(shore.source(shore.urls(3), extra=HOURLY))

    async with shore.open() as house:
        now, round_ = house.clock.now(), Housekeeping(house.desk)
        await round_.look(now)
        await change(house, sources, created_at=now - timedelta(hours=30))
        await round_.look(now + timedelta(minutes=59))
        soon = await statuses(house)
        await round_.look(now + timedelta(minutes=61))
        after = await statuses(house)

    assert (soon, after) == ({"active"}, {"stale"})


async def test_the_service_rechecks_what_is_broken_for_a_week(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(2)))

    async with shore.open() as house:
        await journey.plan_and_walk(house)
        long_ago = house.clock.now() - timedelta(days=8)
        await change(house, targets, status="broken", consecutive_failures=5, last_scraped_at=long_ago)
        stop = house.desk.crew.stop
        onlooker = journey.Onlooker(lambda count: stop.set() if count == 2 else None)
        await Service(house.desk, house.apps, onlooker, house.clock).serve(stop)
        (run, *_) = await house.ledger.runs(limit=1)
        after = await statuses(house)

    assert (run.trigger, run.counts["succeeded"]) == (Trigger.RECHECK, 2)
    assert after == {"active"}
