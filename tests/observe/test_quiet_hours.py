from __future__ import annotations

from datetime import UTC, datetime

import pytest

from limpet.observe.quiet_hours import parse_quiet_hours


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-01-{text}").replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours", "now", "ends"),
    [
        ("22:00-07:00", "10T23:30", "11T07:00"),
        ("22:00-07:00", "11T06:59", "11T07:00"),
        ("22:00-07:00", "11T07:00", None),
        ("22:00-07:00", "10T21:59", None),
        ("12:00-13:30", "10T12:00", "10T13:30"),
        ("12:00-13:30", "10T13:30", None),
        ("22:00-07:00 Europe/Berlin", "10T21:30", "11T06:00"),
        ("22:00-07:00 Europe/Berlin", "10T06:30", None),
    ],
)
def test_quiet_ends_when_it_was_said_to(hours: str, now: str, ends: str | None) -> None:
    quiet = parse_quiet_hours(hours)

    assert quiet is not None
    assert quiet.end_after(at(now)) == (at(ends) if ends else None)


@pytest.mark.parametrize("text", ["night", "22-7", "25:00-07:00", "22:00-07:00 Nowhere/Land", "22:00-07:61"])
def test_what_is_no_span_of_hours_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="two times of day"):
        parse_quiet_hours(text)


def test_no_hours_are_quiet_when_none_were_named() -> None:
    assert parse_quiet_hours(" ") is None
