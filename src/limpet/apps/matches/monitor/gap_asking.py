"""When a source is asked again for balls that are missing."""

from __future__ import annotations

from dataclasses import dataclass

from limpet.apps.matches.ball_log import Gap

FIRST_PAUSE_SECONDS = 15.0
LONGEST_PAUSE_SECONDS = 300.0


@dataclass(slots=True)
class GapAsking:
    """Remembers what a source was asked for. It may lag behind, so the same is asked again, but less and less often."""

    gaps: tuple[Gap, ...] = ()
    again_at: float = 0.0  # monotonic
    pause_seconds: float = FIRST_PAUSE_SECONDS

    def is_due(self, gaps: tuple[Gap, ...], *, now: float) -> bool:
        """Whether to ask: for what looks new at once, for what was asked before after its pause."""
        return bool(gaps) and (gaps != self.gaps or now >= self.again_at)

    def asked(self, gaps: tuple[Gap, ...], *, now: float) -> None:
        """Take note that the source has answered, whatever it knew."""
        is_same = gaps == self.gaps
        longer = min(2 * self.pause_seconds, LONGEST_PAUSE_SECONDS)
        self.pause_seconds = longer if is_same else FIRST_PAUSE_SECONDS
        self.gaps, self.again_at = gaps, now + self.pause_seconds
