"""The reason people give for what they change: the audit log keeps it, so it must say something."""

from __future__ import annotations

from limpet.errors import UsageError


def said(reason: str) -> str:
    """Return the reason as it was given; refuse one without a word in it."""
    if not reason.strip():
        raise UsageError("The reason is empty.", fix="Say why in a few words with --reason.")
    return reason
