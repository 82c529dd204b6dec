"""What a proof asks for: each bar with its figure, printed one by one; one that does not hold fails the proof."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

HOLDS, FAILS, UNJUDGED = "ok", "FAILED", "not judged"


@dataclass(frozen=True, slots=True)
class Bar:
    """One thing asked for, what was found, and what it may be at most."""

    name: str
    found: str
    asked: str
    verdict: str


@dataclass(slots=True)
class Bars:
    """Collects bars and notes of one proof."""

    proof: str
    bars: list[Bar] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def at_most(self, name: str, found: float, limit: float, *, unit: str = "", judged: bool = True) -> None:
        """Ask that a figure does not exceed its limit; what is no number does not hold."""
        said, asked = f"{found:.2f}{unit}", f"at most {limit:g}{unit}"
        self.bars.append(Bar(name, said, asked, _verdict(found <= limit, judged=judged)))

    def below(self, name: str, found: float, limit: float, *, unit: str = "") -> None:
        """Ask that a figure stays under its limit."""
        self.bars.append(Bar(name, f"{found:.2f}{unit}", f"below {limit:g}{unit}", _verdict(found < limit)))

    def none(self, name: str, found: list[object]) -> None:
        """Ask that there is nothing of the kind; what there is, is shown."""
        shown = "none" if not found else f"{len(found)}: {', '.join(map(str, found[:5]))}"
        self.bars.append(Bar(name, shown, "none", _verdict(not found)))

    def true(self, name: str, holds: bool, *, found: str, asked: str) -> None:
        """Ask that something is so."""
        self.bars.append(Bar(name, found, asked, _verdict(holds)))

    def note(self, sentence: str) -> None:
        """Report a figure nothing is asked of."""
        self.notes.append(sentence)

    @property
    def hold(self) -> bool:
        return bool(self.bars) and all(bar.verdict != FAILS for bar in self.bars)

    def print(self) -> None:
        """Print figures and verdict."""
        for sentence in self.notes:
            print(sentence)
        width = max((len(bar.name) for bar in self.bars), default=0)
        for bar in self.bars:
            print(f"  {bar.verdict:<10} {bar.name:<{width}}  {bar.found}  ({bar.asked})")
        print(f"{self.proof}: {'every bar holds' if self.hold else 'A BAR DOES NOT HOLD'}", flush=True)

    def write(self, file: Path) -> None:
        """Write the same as JSON."""
        file.write_text(json.dumps(asdict(self) | {"holds": self.hold}, indent=2) + "\n")


def _verdict(holds: bool, *, judged: bool = True) -> str:
    if not judged:
        return UNJUDGED
    return HOLDS if holds else FAILS
