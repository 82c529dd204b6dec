"""A breaker as text, the same in a file and in Redis."""

from __future__ import annotations

import json

from limpet.fetch.policy.breaker import Breaker, BreakerTerms

LONGEST_NAME = 500
_FIELDS = (
    "state",
    "failure_count",
    "success_count",
    "total_successes",
    "total_failures",
    "total_rejections",
    "changed_at",
    "failed_at",
    "probe_until",
)


def breaker_to_text(breaker: Breaker) -> bytes:
    """Return the breaker as JSON; its terms are settings and stay out."""
    values = {field: getattr(breaker, field) for field in _FIELDS}
    return json.dumps({"name": breaker.name[:LONGEST_NAME], **values}).encode()


def breaker_from_text(name: str, text: bytes | str, *, terms: BreakerTerms) -> Breaker:
    """Return the breaker, named by the text when no name is given; a new one when the text is damaged."""
    try:
        kept = json.loads(text)
        return Breaker(name or kept["name"], terms=terms, **{field: kept[field] for field in _FIELDS})
    except (ValueError, KeyError, TypeError):
        return Breaker(name, terms=terms)
