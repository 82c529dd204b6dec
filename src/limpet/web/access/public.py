"""The few addresses that are for everybody. Whatever is not named here is closed."""

from __future__ import annotations

_EXACTLY = frozenset({"/login", "/health", "/ready", "/api/v1/health"})
_BELOW = (
    "/static/",
    "/enter/",  # a one-time link proves itself
    "/webhook/",  # webhooks come with a secret of their own, which their handler checks
)


def is_public(path: str) -> bool:
    """Whether anybody may ask for it."""
    return path in _EXACTLY or path.startswith(_BELOW)


def is_for_metrics(path: str) -> bool:
    """Whether a token for metrics opens it."""
    return path == "/metrics"
