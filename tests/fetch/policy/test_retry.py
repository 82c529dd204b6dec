"""Trying again."""

from __future__ import annotations

from random import Random

import pytest

from limpet.clock import FrozenClock
from limpet.errors import FetchTimeout, LimpetError, PageGone, RateLimited
from limpet.fetch.policy.retry import INFRASTRUCTURE, PAGES, RetryPolicy, persist


class Stubborn:
    """Fails with each error in turn, then succeeds."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.asked: list[int] = []

    async def __call__(self, attempt: int) -> str:
        self.asked.append(attempt)
        if self.errors:
            raise self.errors.pop(0)
        return "page"


@pytest.mark.parametrize(
    ("policy", "rests"), [(PAGES, [1, 2, 4, 8, 16, 30, 30]), (INFRASTRUCTURE, [1, 2, 4, 8, 16, 16])]
)
def test_rests_double_up_to_their_cap(policy: RetryPolicy, rests: list[float]) -> None:
    assert [policy.backoff(attempt) for attempt in range(2, 2 + len(rests))] == rests
    assert policy.backoff(100_000) == policy.max_delay


def test_the_rest_is_drawn_between_zero_and_the_backoff() -> None:
    random = Random(1)

    drawn = [PAGES.delay_before(4, FetchTimeout(), random) for _ in range(500)]

    assert 0 <= min(drawn) < 0.2 and 3.8 < max(drawn) <= 4


@pytest.mark.parametrize(("asked", "rest"), [(90.0, 90.0), (1e9, 21600.0)])
def test_what_the_origin_asks_for_wins_over_our_backoff(asked: float, rest: float) -> None:
    assert PAGES.delay_before(2, RateLimited(retry_after=asked)) == rest


def test_a_retry_after_of_zero_leaves_our_backoff_standing() -> None:
    assert PAGES.delay_before(2, RateLimited(retry_after=0.0), Random(1)) > 0


async def test_it_persists_until_an_attempt_succeeds() -> None:
    attempt = Stubborn(FetchTimeout(), FetchTimeout())

    assert await persist(attempt, PAGES, FrozenClock()) == "page"
    assert attempt.asked == [1, 2, 3]


async def test_it_gives_up_after_the_last_attempt() -> None:
    attempt = Stubborn(*[FetchTimeout() for _ in range(9)])

    with pytest.raises(FetchTimeout):
        await persist(attempt, PAGES, FrozenClock())

    assert attempt.asked == [1, 2, 3]


@pytest.mark.parametrize("error", [PageGone(), LimpetError(), ValueError()])
async def test_what_cannot_get_better_is_not_tried_again(error: Exception) -> None:
    attempt = Stubborn(error)

    with pytest.raises(type(error)):
        await persist(attempt, PAGES, FrozenClock())

    assert attempt.asked == [1]


async def test_it_rests_as_long_as_the_origin_asks() -> None:
    clock = FrozenClock()
    before = clock.monotonic()

    await persist(Stubborn(RateLimited(retry_after=77)), PAGES, clock)

    assert clock.monotonic() - before == 77


async def test_a_rest_longer_than_the_caller_can_wait_is_raised_at_once() -> None:
    attempt = Stubborn(RateLimited(retry_after=3600))

    with pytest.raises(RateLimited):
        await persist(attempt, PAGES, FrozenClock(), longest_rest=60)

    assert attempt.asked == [1]


async def test_each_failure_is_told_with_the_rest_that_follows() -> None:
    told: list[tuple[int, str, float | None]] = []
    errors = [RateLimited(retry_after=5), RateLimited(retry_after=6), PageGone()]

    with pytest.raises(PageGone):
        await persist(
            Stubborn(*errors),
            RetryPolicy(max_attempts=4),
            FrozenClock(),
            on_failure=lambda number, error, rest: told.append((number, error.code, rest)),
        )

    assert told == [(1, "fetch.rate_limited", 5), (2, "fetch.rate_limited", 6), (3, "fetch.gone", None)]
