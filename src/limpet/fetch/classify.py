"""Which answers are pages, and which are errors with a code."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from limpet.errors import (
    BadResponse,
    FetchError,
    HttpStatusError,
    PageBlocked,
    PageGone,
    RateLimited,
    ServerFault,
)
from limpet.fetch.challenge import looks_blocked, looks_closed
from limpet.fetch.policy.retry_after import parse_retry_after

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PASSING_FAULTS = frozenset({500, 502, 503, 504})


def objection(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    *,
    now: datetime | None,
    asked_conditionally: bool = False,
    asked_for_a_part: bool = False,
) -> FetchError | None:
    """Return the error this answer amounts to, or None when it is a page we may read.

    `now` dates a Retry-After; a successful answer needs none.
    """
    refusal = _refusal(status, parse_retry_after(headers.get("retry-after"), now=now) if now else None)
    if refusal is not None:
        return refusal
    sign = looks_blocked(status, headers, body)
    if sign:
        return PageBlocked(f"A challenge page instead of content ({sign}, HTTP {status}).", status=status)
    if status == 200 and looks_closed(body):
        return ServerFault("A maintenance notice instead of content (HTTP 200).", status=status)
    if 200 <= status < 300 and status != 206:
        return None
    if (status == 304 and asked_conditionally) or (status == 206 and asked_for_a_part):
        return None
    return _fault(status)


def _refusal(status: int, retry_after: float | None) -> FetchError | None:
    """The origin understood and says no, not here, or not now."""
    if status in (401, 402, 403, 451):
        return PageBlocked(f"The origin refuses us (HTTP {status}).", status=status, retry_after=retry_after)
    if status in (404, 410):
        return PageGone(f"The page does not exist any more (HTTP {status}).", status=status)
    if status == 429 or (status == 503 and retry_after is not None):
        return RateLimited(
            f"The origin asks us to slow down (HTTP {status}).", status=status, retry_after=retry_after
        )
    return None


def _fault(status: int) -> FetchError:
    """The answer is no page and no refusal."""
    if status in _PASSING_FAULTS:
        return ServerFault(f"The origin fails (HTTP {status}).", status=status)
    if status == 206:
        return BadResponse("Part of a page (HTTP 206) although the whole was asked for.", status=206)
    if status == 304:
        return BadResponse("HTTP 304 to an unconditional request.", status=304)
    return HttpStatusError(f"Unexpected HTTP status {status}.", status=status)
