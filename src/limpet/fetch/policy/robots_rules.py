"""The rules of one robots.txt group, compiled so that asking costs microseconds, however hostile they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_ENCODED_UNRESERVED = re.compile(r"%(2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])")
_TO_ENCODE = re.compile(r"%[0-9a-fA-F]{2}|[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Rule:
    """One Allow or Disallow line; `pattern` is already percent-encoded."""

    allows: bool
    pattern: str


def encode(text: str) -> str:
    """Percent-encode what is not ASCII, and write existing escapes in upper case.

    The text holds octets, one a character: a robots.txt may be in any encoding, or in none.
    """
    if "%" not in text and text.isascii():
        return text
    return _TO_ENCODE.sub(lambda m: m[0].upper() if m[0][0] == "%" else f"%{ord(m[0]):02X}", text)


def decode_unreserved(text: str) -> str:
    """Write plainly what RFC 9309 says means the same encoded or not: letters, digits and -._~"""
    return _ENCODED_UNRESERVED.sub(lambda m: chr(int(m[1], 16)), text) if "%" in text else text


class CompiledRules:
    """Answers for one group. The longest matching pattern wins; between equals, Allow."""

    __slots__ = ("_lengths", "_needles", "_prefixes", "_wildcards")

    def __init__(self, rules: Iterable[Rule]) -> None:
        prefixes: dict[str, bool] = {}
        wildcards: dict[str, bool] = {}
        for rule in rules:
            if not rule.pattern:  # "Disallow:" with nothing after it disallows nothing
                continue
            kind = wildcards if _has_wildcard(rule.pattern) else prefixes
            kind[rule.pattern] = kind.get(rule.pattern, False) or rule.allows
        self._prefixes = prefixes
        self._lengths = tuple(sorted({len(pattern) for pattern in prefixes}, reverse=True))
        self._wildcards = tuple(
            (len(pattern), allows, *_split(pattern))
            for pattern, allows in sorted(wildcards.items(), key=lambda item: (-len(item[0]), not item[1]))
        )
        self._needles = tuple(dict.fromkeys(wildcard[2] for wildcard in self._wildcards))

    def allow(self, path: str) -> bool:
        """Whether the path, encoded like the patterns, may be visited."""
        best, allowed = self._longest_prefix(path)
        if not any(map(path.__contains__, self._needles)):
            return allowed
        for priority, allows, needle, segments, is_anchored in self._wildcards:
            if priority < best:
                break
            is_stronger = priority > best or (allows and not allowed)
            if is_stronger and needle in path and _matches(path, segments, is_anchored):
                best, allowed = priority, allows
        return allowed

    def _longest_prefix(self, path: str) -> tuple[int, bool]:
        prefixes = self._prefixes
        for length in self._lengths:
            verdict = prefixes.get(path[:length])
            # A path shorter than the length is cut to itself and may equal a shorter pattern: it matches too.
            if verdict is not None:
                return min(length, len(path)), verdict
        return 0, True


def _has_wildcard(pattern: str) -> bool:
    # A dollar sign means the end only where it is last.
    return "*" in pattern or pattern.endswith("$")


def _split(pattern: str) -> tuple[str, tuple[str, ...], bool]:
    """Return the longest literal, the literals between the stars, and whether the last must end the path."""
    is_anchored = pattern.endswith("$")
    first, *rest = (pattern[:-1] if is_anchored else pattern).split("*")
    last = rest.pop() if rest and is_anchored else None
    segments = (first, *filter(None, rest), *(() if last is None else (last,)))
    return max(segments, key=len), segments, is_anchored


def _matches(path: str, segments: tuple[str, ...], is_anchored: bool) -> bool:
    """Match in one sweep: each literal is taken where it first fits, leaving the most room for the rest."""
    first = segments[0]
    if not path.startswith(first):
        return False
    if len(segments) == 1:
        return not is_anchored or path == first
    at = len(first)
    for segment in segments[1:-1] if is_anchored else segments[1:]:
        found = path.find(segment, at)
        if found < 0:
            return False
        at = found + len(segment)
    return not is_anchored or (len(path) - at >= len(segments[-1]) and path.endswith(segments[-1]))
