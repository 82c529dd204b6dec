"""What became of one request, in one word."""

from __future__ import annotations

from enum import StrEnum


class FetchOutcome(StrEnum):
    """Closed: a request ends in exactly one of these."""

    OK = "ok"
    NOT_MODIFIED = "not_modified"
    GONE = "gone"  # 404, 410
    BLOCKED = "blocked"  # 401, 403, 451, or a challenge page whatever its status
    RATE_LIMITED = "rate_limited"  # 429, or 503 with Retry-After
    ROBOTS_BLOCKED = "robots_blocked"
    REFUSED = "refused"  # our own gates: source, address, breaker, budget store
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    ERROR = "error"  # connection, protocol, other statuses
