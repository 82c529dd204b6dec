"""An adapter's failure rates as a line, batch by batch, with what is usual and what is too much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from limpet.observe.drift import MOST_FAILURES

WIDTH, HEIGHT = 760, 232
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 18, 18, 56  # room for labels, which are larger on a phone
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_MOST_NUMBERS = 8  # more run numbers under the line would overlap


@dataclass(frozen=True, slots=True)
class BatchDot:
    """One batch on the sheet."""

    x: float
    y: float
    run_id: int
    counts: bool  # a recheck is shown, and judged by nobody
    is_bad: bool
    label: str


@dataclass(frozen=True, slots=True)
class DriftChart:
    """Everything the template draws."""

    line: str
    dots: Sequence[BatchDot]
    numbers: Sequence[BatchDot]  # those whose run is named on the axis
    shares: Sequence[tuple[float, str]]
    limit: float
    usual: float | None
    left: float = _LEFT
    right: float = WIDTH - _RIGHT
    bottom: float = HEIGHT - _BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


def draw_drift(batches: Sequence[Mapping[str, Any]], usual: float | None) -> DriftChart | None:
    """Return the chart of these batches, given newest first; one alone is no course."""
    if len(batches) < 2:
        return None
    dots = [_dot(batch, place, len(batches)) for place, batch in enumerate(reversed(batches))]
    counted = [dot for dot in dots if dot.counts]
    step = -(-len(dots) // _MOST_NUMBERS)
    return DriftChart(
        line="M" + "L".join(f"{dot.x} {dot.y}" for dot in counted) if counted else "",
        dots=dots,
        numbers=dots[(len(dots) - 1) % step :: step],  # the newest is always among them
        shares=[(_y(share), f"{share:.0%}") for share in _SHARES],
        limit=_y(MOST_FAILURES),
        usual=None if usual is None else _y(usual),
    )


def _dot(batch: Mapping[str, Any], place: int, count: int) -> BatchDot:
    x = round(_LEFT + 12 + place / (count - 1) * (WIDTH - _LEFT - _RIGHT - 24), 1)
    rate, judged = float(batch["failure_rate"]), batch["urls_judged"]
    return BatchDot(
        x,
        _y(rate),
        batch["run_id"],
        bool(batch["counts_toward_drift"]),
        rate >= MOST_FAILURES,
        f"Run {batch['run_id']}: {rate:.0%} of {judged} failed, {batch['concluded_at']:%Y-%m-%d %H:%M} UTC",
    )


def _y(share: float) -> float:
    return round(_TOP + (1 - share) * (HEIGHT - _TOP - _BOTTOM), 1)
