"""The record of this app: one document, whole and on the disk."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Judgment:
    """A PDF we have. What the court says about it is in its case."""

    token: str
    sha256: str
    size_bytes: int
    path: str = ""  # below the data directory; empty when only a saved page was read
    box_url: str = ""  # where it came from, without what was signed
    was_adopted: bool = False  # it stood on the disk already, and nobody was asked for it
