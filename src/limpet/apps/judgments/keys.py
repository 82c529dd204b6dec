"""The keys of cases: under which name a file is kept and a target is known, for good."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from limpet.apps.judgments.tokens import normalize_action_token


def address_of(file_key: str) -> str:
    """Return the address of a case's target; it holds no host, because courts move and documents do not."""
    return f"judgment:{file_key}"


def file_keys(source: str, tokens: Iterable[str], taken: set[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (token, its one spelling, its file key); `taken` grows, so that no two judgments share a file.

    The key is the token's one spelling. Where another judgment has it already, a hash of the token as the court
    spells it is added.
    """
    for token in tokens:
        normal = normalize_action_token(token)
        key = normal if normal not in taken else f"{normal}-{_mark(source, token)}"
        taken.add(key)
        yield token, normal, key


def _mark(source: str, token: str) -> str:
    digest = hashlib.sha256(f"{source}\x1f{token}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:10].upper()
