"""Scorecards with their history: a new version only when something changed, and what it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from limpet.apps.matches.scorecard import InningsCard

Card = Mapping[str, Any]
_PLAYER_GROUPS = ("batters", "bowlers")


@dataclass(frozen=True, slots=True)
class KeptCard:
    """One version of one innings' scorecard, and what it changed."""

    innings: int
    version: int
    card: Card
    changes: Card
    domain_id: str


@dataclass(slots=True)
class CardLog:
    """The scorecards of one match, by innings. The better-ranked source is the one that is kept."""

    _cards: dict[int, KeptCard] = field(default_factory=dict)
    _ranks: dict[int, float] = field(default_factory=dict)

    def take(self, cards: Sequence[InningsCard], *, domain_id: str, rank: float) -> list[KeptCard]:
        """Learn what a source shows; return the innings that changed."""
        return [kept for card in cards if (kept := self._learn(card_of(card), domain_id, rank)) is not None]

    def restore(self, cards: Iterable[KeptCard]) -> None:
        """Take back what the ledger remembers, newest version last."""
        for kept in cards:
            self._cards[kept.innings] = kept
            self._ranks[kept.innings] = 0.0

    @property
    def cards(self) -> list[KeptCard]:
        return [self._cards[number] for number in sorted(self._cards)]

    def _learn(self, card: Card, domain_id: str, rank: float) -> KeptCard | None:
        innings = int(card["innings"])
        known = self._cards.get(innings)
        if known is not None and domain_id != known.domain_id and rank <= self._ranks[innings]:
            return None
        changes = diff(known.card if known else {}, card)
        if not changes:
            return None
        kept = KeptCard(innings, known.version + 1 if known else 1, card, changes, domain_id)
        self._cards[innings] = kept
        self._ranks[innings] = rank
        return kept


def card_of(card: InningsCard) -> dict[str, Any]:
    """Return the scorecard as plain data, players by their code."""
    return {
        "innings": card.number,
        "side": card.side,
        "score": card.score.payload() if card.score else None,
        "batters": {line.code: asdict(line) for line in card.batters},
        "bowlers": {line.code: {**asdict(line), "overs": str(line.overs)} for line in card.bowlers},
    }


def diff(before: Card, after: Card) -> dict[str, Any]:
    """Return what changed: the score, players that are new, and each changed figure of a player as from/to."""
    changes: dict[str, Any] = {}
    if before.get("score") != after.get("score"):
        changes["score"] = {"from": before.get("score"), "to": after.get("score")}
    for group in _PLAYER_GROUPS:
        old, new = before.get(group, {}), after.get(group, {})
        changed = {code: _line_diff(old.get(code), line) for code, line in new.items()}
        if changed := {code: each for code, each in changed.items() if each}:
            changes[group] = changed
    if wickets := _fallen(before, after):
        changes["wickets"] = wickets
    return changes


def _line_diff(old: Card | None, new: Card) -> dict[str, Any]:
    if old is None:
        return {"new": dict(new)}
    return {
        name: {"from": old.get(name), "to": value} for name, value in new.items() if old.get(name) != value
    }


def _fallen(before: Card, after: Card) -> list[str]:
    """Return who got out between the two."""
    out_before = {code for code, line in before.get("batters", {}).items() if line["state"] == "out"}
    return [
        code
        for code, line in after.get("batters", {}).items()
        if line["state"] == "out" and code not in out_before
    ]
