"""Who may not come in, and why. The tree they belong to stands in `limpet.errors`."""

from __future__ import annotations

from limpet.errors import UsageError


class NotSignedIn(UsageError):
    code = "access.not_signed_in"


class NotAllowed(UsageError):
    """We know who asks, and they may not; or it was no page of ours that asked."""

    code = "access.not_allowed"


class WrongPassword(UsageError):
    code = "access.wrong_password"


class KeyReused(UsageError):
    """An idempotency key that stands for another request, or for one still under way."""

    code = "access.key_reused"
