"""Whether a figure stays flat: the slope most pairs of samples agree on, so that one peak decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import median

MOST_POINTS = 120  # pairs grow with the square


def slope_per_minute(samples: Sequence[tuple[float, float]]) -> float:
    """Return the growth a minute of (monotonic second, figure) pairs, by Theil and Sen."""
    step = max(1, len(samples) // MOST_POINTS)
    points = samples[::step]
    slopes = [
        (b - a) / (later - sooner) for (sooner, a), (later, b) in combinations(points, 2) if later > sooner
    ]
    return 60 * median(slopes) if slopes else 0.0
