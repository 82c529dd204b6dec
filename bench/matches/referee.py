"""The referee: every ball that really happened against every ball Limpet shows, and how long each took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

Key = tuple[int, int, int]
Score = tuple[float, int, int, int]  # when it was heard; innings, legal balls, runs


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of comparing."""

    balls: int
    missing: Sequence[tuple[str, Key]] = ()
    wrong: Sequence[tuple[str, Key]] = ()
    invented: Sequence[tuple[str, Key]] = ()
    delays: Sequence[float] = field(default=(), repr=False)

    @property
    def is_flawless(self) -> bool:
        return not (self.missing or self.wrong or self.invented)

    def delay(self, share: float) -> float:
        """Return the delay that this share of the balls stayed below."""
        if not self.delays:
            return float("nan")
        ordered = sorted(self.delays)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def sentence(self) -> str:
        """Say it in one line."""
        middle = median(self.delays) if self.delays else float("nan")
        return (
            f"{self.balls} balls: {len(self.missing)} missed, {len(self.wrong)} wrong, {len(self.invented)} invented; "
            f"delay median {middle:.2f} s, p95 {self.delay(0.95):.2f} s, p99 {self.delay(0.99):.2f} s, "
            f"max {max(self.delays, default=float('nan')):.2f} s"
        )


def compare(
    truth: Mapping[str, Sequence[Mapping[str, Any]]],
    shown: Mapping[str, Mapping[Key, Mapping[str, Any]]],
    seen: Mapping[tuple[str, Key], float],
    *,
    since: float,
    until: float,
) -> Finding:
    """Judge the balls that happened between two moments; `seen` says when each could first be read."""
    missing, wrong, invented, delays = [], [], [], []
    count = 0
    for match, balls in truth.items():
        known = shown.get(match, {})
        true_keys = set()
        for ball in balls:
            key = (ball["innings"], ball["over"], ball["delivery"])
            true_keys.add(key)
            shown_at = ball["shown_monotonic"]
            if shown_at is None or shown_at > until:
                continue
            count += 1
            if key not in known:
                missing.append((match, key))
                continue
            is_corrected = "first_shown_as" in ball
            said, true = known[key], (ball["runs"], ball["extras"], bool(ball["is_wicket"]))
            if (said["runs"], said["extras"], bool(said["is_wicket"])) != true and not is_corrected:
                wrong.append((match, key))
            if shown_at >= since and (match, key) in seen:
                delays.append(seen[match, key] - shown_at)
        invented += [(match, key) for key in known if key not in true_keys]
    return Finding(count, missing, wrong, invented, delays)


def heard_at(
    truth: Mapping[str, Sequence[Mapping[str, Any]]], scores: Mapping[str, Sequence[Score]]
) -> dict[tuple[str, Key], float]:
    """Return when each ball's score could first be shown, by those who heard scores only."""
    seen: dict[tuple[str, Key], float] = {}
    for match, balls in truth.items():
        runs: dict[int, int] = {}
        if any("first_shown_as" in ball for ball in balls):
            continue  # scores that are put right later go down again and tell nothing about a single ball
        for ball in balls:
            innings = ball["innings"]
            runs[innings] = runs.get(innings, 0) + ball["runs"]
            wanted = (innings, ball["legal_balls"], runs[innings])
            at = next((when for when, *score in scores.get(match, ()) if _covers(score, wanted)), None)
            if at is not None:
                seen[match, (innings, ball["over"], ball["delivery"])] = at
    return seen


def _covers(score: Sequence[int], wanted: tuple[int, int, int]) -> bool:
    innings, legal_balls, runs = score
    later = innings > wanted[0]
    return later or (innings == wanted[0] and legal_balls >= wanted[1] and runs >= wanted[2])
