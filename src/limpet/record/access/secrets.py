"""Secrets we hand out: random, shown once, and kept only as a hash."""

from __future__ import annotations

import hashlib
import secrets

TOKEN_PREFIX = "lmp_"


def new_secret() -> str:
    """Return 256 bits nobody can guess, fit for an address."""
    return secrets.token_urlsafe(32)


def new_api_token() -> str:
    """Return a token that scanners for leaked secrets can recognise."""
    return TOKEN_PREFIX + new_secret()


def digest(secret: str) -> str:
    """Return what we keep. A plain hash is enough: what is random needs no salt and no slowness."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def forgery_token(session_secret: str) -> str:
    """Return what a page must say back to show that it is ours; it reveals nothing about the session."""
    return digest(f"forgery {session_secret}")
