"""Text from outside, made fit for SQL; addresses, made fit for other people's eyes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit


def storable(text: str) -> str:
    """Return the text without what a database cannot hold: NUL becomes ␀, a lone surrogate becomes U+FFFD."""
    if text.isascii():
        return text if "\x00" not in text else text.replace("\x00", "␀")
    return text.replace("\x00", "␀").encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def storable_or_none(text: str | None) -> str | None:
    """Return the text made storable; nothing stays nothing."""
    return None if text is None else storable(text)


def storable_json(value: Any) -> Any:
    """Return JSON whose every text a database can hold."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(str(key)): storable_json(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [storable_json(member) for member in value]
    return value


def redact_url(url: str) -> str:
    """Return host and path only: a query, a fragment or a user name may hold somebody's secret."""
    bare = url.partition("#")[0].partition("?")[0]
    if "@" in bare:
        bare = _without_user(bare)
    return storable(bare)


def _without_user(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(unreadable address)"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
