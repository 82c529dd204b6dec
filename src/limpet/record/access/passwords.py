"""Passwords: argon2id, slow on purpose, so call these beside the event loop."""

from __future__ import annotations

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from limpet.errors import UsageError

SHORTEST = 12
LONGEST = 512


def check_strength(password: str, *, name: str) -> None:
    """Raise UsageError unless it is long enough and not just the name."""
    if len(password) < SHORTEST:
        raise UsageError(
            f"The password has {len(password)} characters; {SHORTEST} are the least.",
            fix="Take a few words in a row.",
        )
    if len(password) > LONGEST:
        raise UsageError(f"The password is longer than {LONGEST} characters.", fix="Take a shorter one.")
    if len(set(password)) < 5 or password.lower().replace(name.lower(), "") == "":
        raise UsageError("The password is too easy to guess.", fix="Take a few words in a row.")


def hash_password(password: str) -> str:
    """Return the argon2id hash, with its salt and its costs."""
    return _hasher().hash(password)


def is_right(password: str, kept: str | None) -> bool:
    """Whether it is the password. Without one to compare it takes as long, so that time betrays no name."""
    if len(password) > LONGEST:
        return False
    try:
        _hasher().verify(kept or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()  # the library's defaults follow RFC 9106 and grow with it


@cache
def _nobodys() -> str:
    return hash_password("nobody has this password")
