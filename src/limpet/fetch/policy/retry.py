"""Trying again: how often, how long apart, and only when it may help."""

from __future__ import annotations

import random as chance
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from limpet.clock import Clock
from limpet.errors import LimpetError
from limpet.fetch.policy.rate import clamp_pause

T = TypeVar("T")
OnFailure = Callable[[int, LimpetError, float | None], None]


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often something is tried in all, and how the rests between grow."""

    max_attempts: int = 3
    first_delay: float = 1.0
    multiplier: float = 2.0
    max_delay: float = 30.0

    def allows(self, attempt: int, error: LimpetError) -> bool:
        """Whether that attempt may still be made after this error."""
        return error.retryable and attempt <= self.max_attempts

    def backoff(self, attempt: int) -> float:
        """Return the longest rest before that attempt; the second attempt has the first rest."""
        try:
            return min(self.first_delay * self.multiplier ** max(0, attempt - 2), self.max_delay)
        except OverflowError:
            return self.max_delay

    def delay_before(self, attempt: int, error: LimpetError, random: Random | None = None) -> float:
        """Return the rest before it: what the origin asked for, else our backoff with full jitter."""
        asked = getattr(error, "retry_after", None)
        if asked:  # "Retry-After: 0" asks for nothing: our own backoff stands
            return clamp_pause(asked)
        return (random.uniform if random else chance.uniform)(0.0, self.backoff(attempt))


PAGES = RetryPolicy()
INFRASTRUCTURE = RetryPolicy(max_attempts=5, first_delay=1.0, multiplier=2.0, max_delay=16.0)


async def persist(
    attempt: Callable[[int], Awaitable[T]],
    policy: RetryPolicy,
    clock: Clock,
    *,
    on_failure: OnFailure | None = None,
    random: Random | None = None,
    longest_rest: float | None = None,
) -> T:
    """Call `attempt(1)`, `attempt(2)`, ... until one succeeds; raise the last error when none may follow.

    `on_failure` hears of each failed attempt and the rest that follows it (None: no further attempt).
    An error that asks for more than `longest_rest` is raised at once, so that its lane can be put aside.
    """
    number = 1
    while True:
        try:
            return await attempt(number)
        except LimpetError as error:
            rest = _rest_after(number, error, policy=policy, random=random, longest_rest=longest_rest)
            if on_failure is not None:
                on_failure(number, error, rest)
            if rest is None:
                raise
        await clock.sleep(rest)
        number += 1


def _rest_after(
    number: int,
    error: LimpetError,
    *,
    policy: RetryPolicy,
    random: Random | None,
    longest_rest: float | None,
) -> float | None:
    if not policy.allows(number + 1, error):
        return None
    rest = policy.delay_before(number + 1, error, random)
    return None if longest_rest is not None and rest > longest_rest else rest
