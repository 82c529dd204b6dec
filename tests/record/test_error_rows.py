"""Every failure can be found in the error log, with what became of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from limpet.record.entry import AttemptNote, Lease, Settlement
from limpet.record.settled_rows import error_rows, error_type
from limpet.target import Outcome, Target

NOW = datetime(2026, 5, 1, tzinfo=UTC)
LEASE = Lease(
    1, 1, Target("shop", "https://shop.example/a", "https://shop.example/a?token=x", "shop.example"), 1, 0
)
TIMED_OUT = AttemptNote(1, NOW, 900.0, "timeout", error_code="fetch.timeout", error_message="No answer.")
ANSWERED = AttemptNote(2, NOW, 20.0, "ok", status=200)


def rows_of(outcome: Outcome, *attempts: AttemptNote, reason: str | None = None, details: str = "") -> list:
    settlement = Settlement(LEASE, outcome, NOW, reason=reason, details=details, attempts=attempts)
    return error_rows(settlement, "worker-1", lambda moment: moment)


def test_an_error_that_a_retry_overcame_is_noted_as_resolved() -> None:
    (row,) = rows_of(Outcome.SUCCEEDED, TIMED_OUT, ANSWERED)

    assert row[:4] == ("worker-1", NOW, "network", "No answer.")
    assert row[-3:] == (True, NOW, "auto_retry")


def test_an_error_nothing_overcame_stays_open_and_tells_no_secret() -> None:
    (row,) = rows_of(Outcome.FAILED, TIMED_OUT, reason="timeout")

    assert row[5] == "https://shop.example/a"
    assert row[-3:] == (False, None, None)


def test_a_page_that_cannot_be_read_is_a_parsing_error_with_its_trace() -> None:
    (row,) = rows_of(Outcome.FAILED, ANSWERED, reason="adapter_error", details="Traceback: here")

    assert row[2:5] == ("parsing", "adapter_error", "Traceback: here")


def test_a_success_at_first_try_leaves_no_row() -> None:
    assert rows_of(Outcome.SUCCEEDED, ANSWERED) == []


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("fetch.timeout", "network"),
        ("gate.robots", "network"),
        ("fetch.blocked", "auth"),
        ("browser_crashed", "browser"),
    ],
)
def test_codes_are_sorted_into_kinds_people_search_by(code: str, kind: str) -> None:
    assert error_type(code) == kind
