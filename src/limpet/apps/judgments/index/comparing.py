"""Compares an index with the cases we know: what is new, changed, gone, or back again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from limpet.apps.judgments.index.survey import Survey
from limpet.apps.judgments.tokens import normalize_action_token


class KnownCase(NamedTuple):
    """A case as far as a comparison needs it."""

    id: int
    token: str
    token_norm: str
    fingerprint: str
    is_active: bool


@dataclass(slots=True)
class Comparison:
    """What an index changes."""

    active_before: int = 0
    numbers: Mapping[str, int] = field(default_factory=dict)  # in which row of the index a token stands
    new: set[str] = field(default_factory=set)  # tokens
    changed: dict[str, int] = field(default_factory=dict)  # the case by its token in this index
    reappeared: dict[str, int] = field(default_factory=dict)
    removed: list[int] = field(default_factory=list)

    @property
    def rows_to_read(self) -> set[int]:
        """The rows of the index that say anything new."""
        return {self.numbers[token] for tokens in (self.new, self.changed) for token in tokens}

    @property
    def removed_share(self) -> float:
        """Which part of what was active this index leaves out."""
        return len(self.removed) / self.active_before if self.active_before else 0.0


def compare(found: Survey, known: Iterable[KnownCase]) -> Comparison:
    """Compare; a token that only changed its spelling stays the case it was."""
    result = Comparison(numbers=found.numbers)
    missing: list[KnownCase] = []
    unmatched = set(found.fingerprints)
    for case in known:
        result.active_before += case.is_active
        if case.token not in found.fingerprints:
            missing.append(case)
            continue
        unmatched.discard(case.token)
        _match(result, found, case, token=case.token)
    respelled = _by_normal_spelling(unmatched)
    for case in missing:
        token = respelled.pop(case.token_norm, None)
        if token is not None:
            unmatched.discard(token)
            _match(result, found, case, token=token)
        elif case.is_active:
            result.removed.append(case.id)
    result.new = unmatched
    return result


def _match(result: Comparison, found: Survey, case: KnownCase, *, token: str) -> None:
    if not case.is_active:
        result.reappeared[token] = case.id
    if token != case.token or not found.says(token, case.fingerprint):
        result.changed[token] = case.id


def _by_normal_spelling(tokens: Iterable[str]) -> dict[str, str]:
    """Return tokens by their one spelling; where two share it nobody can say which was which."""
    spelled: dict[str, str] = {}
    doubtful: set[str] = set()
    for token in tokens:
        normal = normalize_action_token(token)
        if spelled.setdefault(normal, token) != token:
            doubtful.add(normal)
    return {normal: token for normal, token in spelled.items() if normal not in doubtful}
