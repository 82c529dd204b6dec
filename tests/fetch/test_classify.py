"""Every answer is a page, or one error with one word."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from limpet.fetch.classify import objection

NOW = datetime(2026, 5, 1, tzinfo=UTC)
PAGE = b"<html><head><title>9mm Luger</title></head><body>" + b"content " * 3000 + b"</body></html>"


@pytest.mark.parametrize(
    ("status", "headers", "outcome", "is_retryable"),
    [
        (401, {}, "blocked", False),
        (402, {}, "blocked", False),
        (403, {}, "blocked", False),
        (451, {}, "blocked", False),
        (404, {}, "gone", False),
        (410, {}, "gone", False),
        (429, {}, "rate_limited", True),
        (429, {"retry-after": "7"}, "rate_limited", True),
        (503, {"retry-after": "7"}, "rate_limited", True),
        (503, {}, "error", True),
        (500, {}, "error", True),
        (502, {}, "error", True),
        (504, {}, "error", True),
        (501, {}, "error", False),
        (400, {}, "error", False),
        (406, {}, "error", False),
        (206, {}, "error", True),
        (304, {}, "error", True),
        (999, {}, "error", False),
    ],
)
def test_every_status_has_its_word(
    status: int, headers: dict[str, str], outcome: str, is_retryable: bool
) -> None:
    problem = objection(status, headers, PAGE, now=NOW)

    assert problem is not None
    assert (problem.outcome, problem.retryable) == (outcome, is_retryable)
    assert problem.status == status


@pytest.mark.parametrize("status", [200, 201, 203])
def test_success_is_a_page(status: int) -> None:
    assert objection(status, {}, PAGE, now=NOW) is None


def test_unmodified_is_an_answer_only_to_those_who_asked() -> None:
    assert objection(304, {}, b"", now=NOW, asked_conditionally=True) is None
    assert objection(304, {}, b"", now=NOW) is not None


def test_a_part_is_an_answer_only_to_those_who_asked_for_one() -> None:
    assert objection(206, {}, b"half", now=NOW, asked_for_a_part=True) is None
    assert objection(206, {}, b"half", now=NOW) is not None


def test_a_challenge_with_status_200_is_not_a_page() -> None:
    challenge = b"<html><head><title>Just a moment...</title></head><body></body></html>"

    problem = objection(200, {}, challenge, now=NOW)

    assert problem is not None
    assert problem.outcome == "blocked"


def test_a_maintenance_notice_with_status_200_is_a_fault_that_passes() -> None:
    notice = b"<title>Maintenance</title><h1>Briefly unavailable for scheduled maintenance.</h1>"

    problem = objection(200, {}, notice, now=NOW)

    assert problem is not None
    assert (problem.outcome, problem.retryable) == ("error", True)


def test_retry_after_travels_with_the_error() -> None:
    problem = objection(429, {"retry-after": "120"}, b"", now=NOW)

    assert problem is not None
    assert problem.retry_after == 120
