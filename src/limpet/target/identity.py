"""Identity keys: the name by which a product is recognised again, whatever page shows it."""

from __future__ import annotations

import hashlib

from limpet.errors import BadIdentity
from limpet.target.address import canonicalize

LONGEST_IDENTITY = 255


def identity_key(
    *, pid: str | None = None, sku: str | None = None, url: str | None = None, http_only: bool = False
) -> str:
    """Return PID:…, else SKU:…, else URL:<16 hex digits>, the steadiest there is; or raise BadIdentity."""
    for kind, value in (("PID", pid), ("SKU", sku)):
        if value and value.strip():
            return f"{kind}:{_encoded(kind, value.strip())}"
    if url and url.strip():
        canonical = canonicalize(url, http_only=http_only)
        return f"URL:{hashlib.sha256(canonical.encode()).hexdigest()[:16]}"
    raise BadIdentity("A product needs an id, a SKU or an address to be recognised by; all three are empty.")


def _encoded(kind: str, value: str) -> str:
    # The percent sign too, or "a:b" and "a%3Ab" would be one product.
    text = value.replace("%", "%25").replace(":", "%3A")
    if len(text) > LONGEST_IDENTITY:
        raise BadIdentity(
            f"The {kind} {value[:40]!r}… is {len(text)} characters long; {LONGEST_IDENTITY} is the most."
        )
    return text
