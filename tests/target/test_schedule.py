from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from limpet.errors import ConfigError
from limpet.target.schedule import Cadence, Cron, parse_schedule

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("0 */4 * * *", datetime(2026, 3, 1, 16, tzinfo=UTC)),
        ("  0   */4 * * * ", datetime(2026, 3, 1, 16, tzinfo=UTC)),
        ("30 12 * * *", datetime(2026, 3, 1, 12, 30, tzinfo=UTC)),
        ("0 12 * * *", datetime(2026, 3, 2, 12, tzinfo=UTC)),
        ("0 9 * * mon", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("@daily", datetime(2026, 3, 2, tzinfo=UTC)),
        ("@Hourly", datetime(2026, 3, 1, 13, tzinfo=UTC)),
        ("every 30s", NOON + timedelta(seconds=30)),
        ("every 1.5h", NOON + timedelta(minutes=90)),
        ("Every 2 d", NOON + timedelta(days=2)),
    ],
)
def test_next_fire_is_later_and_in_utc(text: str, fires: datetime) -> None:
    assert parse_schedule(text).next_fire(NOON) == fires


def test_a_moment_in_another_zone_is_the_same_moment() -> None:
    tokyo = NOON.astimezone(timezone(timedelta(hours=9)))

    fire = parse_schedule("0 */4 * * *").next_fire(tokyo)

    assert fire == datetime(2026, 3, 1, 16, tzinfo=UTC)
    assert fire.utcoffset() == timedelta(0)


def test_last_fire_is_what_should_have_run_by_now() -> None:
    cron = Cron("0 */4 * * *")

    assert cron.last_fire(NOON) == NOON
    assert cron.last_fire(NOON - timedelta(microseconds=1)) == datetime(2026, 3, 1, 8, tzinfo=UTC)
    assert cron.last_fire(NOON + timedelta(seconds=0.999999)) == NOON


@pytest.mark.parametrize(
    "text",
    [
        "",
        "daily",
        "* * * *",
        "* * * * * *",
        "61 * * * *",
        "0 0 30 2 *",
        "*/0 * * * *",
        "a b c d e",
        "@reboot",
        "every",
        "every 0s",
        "every -1s",
        "every 5",
        "every 5w",
        "every 999999999d",
        "5-1 * * * *",
        "1/ * * * *",
    ],
)
def test_nonsense_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        parse_schedule(text)

    assert "cannot be read" in str(refusal.value)
    assert "0 */4 * * *" in refusal.value.fix


def test_cadence_counts_from_the_last_time() -> None:
    assert Cadence(60).next_fire(NOON) == NOON + timedelta(minutes=1)


@pytest.mark.parametrize(
    ("text", "after", "before", "count"),
    [
        ("every 1h", "12:00", "12:30", 0),
        ("every 1h", "12:00", "13:00", 0),  # neither end counts
        ("every 1h", "11:59", "13:01", 2),
        ("every 30s", "12:00", "13:00", 119),
        ("every 1h", "13:00", "12:00", 0),
        ("0 * * * *", "12:00", "13:00", 0),
        ("*/15 * * * *", "12:00", "13:00", 3),
        ("@daily", "00:01", "23:59", 0),
    ],
)
def test_fires_between_two_moments_are_counted(text: str, after: str, before: str, count: int) -> None:
    def at(clock: str) -> datetime:
        return datetime.fromisoformat(f"2026-05-01T{clock}:00+00:00")

    assert parse_schedule(text).fires_between(at(after), at(before)) == count
