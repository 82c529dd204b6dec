from __future__ import annotations

from datetime import UTC, datetime, timedelta

from limpet.engine.backoff import Backoff

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_each_refusal_doubles_the_wait_up_to_an_hour_and_the_sixth_is_worth_an_alert() -> None:
    backoff = Backoff()

    alerts, waits = [], []
    for _ in range(9):
        alerts.append(backoff.refused("shop", 60.0, now=NOW))
        waits.append(backoff.seconds("shop"))

    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
    assert alerts == [False] * 5 + [True] + [False] * 3


def test_nobody_asks_before_the_wait_is_over_and_others_ask_meanwhile() -> None:
    backoff = Backoff()

    backoff.refused("shop", 60.0, now=NOW)

    assert backoff.holds("shop", NOW + timedelta(seconds=59))
    assert not backoff.holds("shop", NOW + timedelta(seconds=60))
    assert not backoff.holds("other", NOW)


def test_once_accepted_the_next_refusal_begins_anew() -> None:
    backoff = Backoff()
    for _ in range(5):
        backoff.refused("shop", 60.0, now=NOW)

    backoff.accepted("shop")
    backoff.refused("shop", 60.0, now=NOW)

    assert backoff.seconds("shop") == 60.0
