from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from limpet.record.types import utc_text


def test_text_order_is_time_order() -> None:
    early = datetime(2026, 1, 1, 12, 0, 0, 5, tzinfo=UTC)
    moments = [
        early,
        early + timedelta(microseconds=1),
        early + timedelta(seconds=1),
        early + timedelta(days=400),
    ]

    texts = [utc_text(moment) for moment in moments]

    assert texts == sorted(texts)
    assert {len(text) for text in texts} == {32}


def test_another_zone_is_the_same_instant() -> None:
    cayman = datetime(2026, 1, 1, 7, tzinfo=timezone(timedelta(hours=-5)))

    assert utc_text(cayman) == "2026-01-01T12:00:00.000000+00:00"


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no zone"):
        utc_text(datetime(2026, 1, 1))
