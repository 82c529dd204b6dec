"""A price history as lines on a sheet: a price holds until the next observation says otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from limpet.apps.prices.views import PricePoint
from limpet.extract.parse.currency import amount_in

WIDTH, HEIGHT = 760, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 18, 16, 34
_MOST_DOTS = 60
_PRICE_TICKS = 4


@dataclass(frozen=True, slots=True)
class Tick:
    """A label and where it stands."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Dot:
    """One observation on the sheet."""

    x: float
    y: float
    in_stock: bool
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything the template draws; `sold_out` is the part of the line where nothing could be bought."""

    on_sale: str
    sold_out: str
    dots: Sequence[Dot]
    prices: Sequence[Tick]
    times: Sequence[Tick]
    left: float = _LEFT
    right: float = WIDTH - _RIGHT
    bottom: float = HEIGHT - _BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


def draw(points: Sequence[PricePoint]) -> Chart | None:
    """Return the chart of the observations in the newest one's currency; None when there is nothing to draw."""
    points = [point for point in points if point.currency == points[-1].currency]
    if not points:
        return None
    sheet = _Sheet(points)
    return Chart(
        on_sale=sheet.line(in_stock=True),
        sold_out=sheet.line(in_stock=False),
        dots=sheet.dots() if len(points) <= _MOST_DOTS else (),
        prices=[Tick(sheet.y(cents), amount_in(cents, points[-1].currency)) for cents in sheet.steps],
        times=sheet.time_ticks(),
    )


class _Sheet:
    """Places moments and cents on paper."""

    def __init__(self, points: Sequence[PricePoint]) -> None:
        self._points = points
        self._first, self._last = points[0].observed_at, points[-1].observed_at
        self.steps = nice_steps(min(p.price_cents for p in points), max(p.price_cents for p in points))

    def x(self, moment: datetime) -> float:
        total = (self._last - self._first).total_seconds()
        share = (moment - self._first).total_seconds() / total if total else 0.5
        return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)

    def y(self, cents: float) -> float:
        low, high = self.steps[0], self.steps[-1]
        return round(_TOP + (high - cents) / (high - low) * (HEIGHT - _TOP - _BOTTOM), 1)

    def line(self, *, in_stock: bool) -> str:
        """Return the steps between observations whose earlier one was, or was not, in stock."""
        pieces = []
        for here, there in zip(self._points, self._points[1:], strict=False):
            if here.in_stock is in_stock:
                x, y = self.x(here.observed_at), self.y(here.price_cents)
                pieces.append(f"M{x} {y}H{self.x(there.observed_at)}V{self.y(there.price_cents)}")
        return "".join(pieces)

    def dots(self) -> list[Dot]:
        return [
            Dot(
                self.x(point.observed_at),
                self.y(point.price_cents),
                point.in_stock,
                f"{amount_in(point.price_cents, point.currency)} {point.currency}, {point.availability}, "
                f"{point.observed_at:%Y-%m-%d %H:%M}",
            )
            for point in self._points
        ]

    def time_ticks(self) -> list[Tick]:
        total = self._last - self._first
        if not total:
            return [Tick(self.x(self._first), _label(self._first, total))]
        moments = [self._first, self._first + total / 2, self._last]
        return [Tick(self.x(moment), _label(moment, total)) for moment in moments]


def nice_steps(low: int, high: int) -> list[int]:
    """Return round amounts that enclose both, evenly apart; never one alone."""
    spread = max(high - low, high // 20, 4)
    rough = spread / (_PRICE_TICKS - 1)
    power = 10 ** math.floor(math.log10(rough))
    step = max(1, int(next(each * power for each in (1, 2, 2.5, 5, 10) if each * power >= rough)))
    first = low // step * step
    steps = [first]
    while steps[-1] < high or len(steps) < 2:
        steps.append(steps[-1] + step)
    return steps


def _label(moment: datetime, total: timedelta) -> str:
    if total < timedelta(minutes=10):
        return f"{moment:%H:%M:%S}"
    return f"{moment:%H:%M}" if total < timedelta(days=1) else f"{moment:%d %b %Y}"
