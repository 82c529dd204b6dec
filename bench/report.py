"""The table, and how far each bar was cleared."""

from __future__ import annotations

from collections.abc import Mapping

from bench import environment
from bench.measure import Cores, Cost

# The peer, the smallest ratio of its CPU to Limpet's that we promise.
BARS = {"bare": 1 / 1.4, "scrapy": 4.0, "scrapy-jobdir": 5.0, "crawlee-sql": 6.0}
RSS_BAR_MB = 120
SERVER_HEADROOM = 3.0


def render(costs: Mapping[str, Cost], *, pages: int, repeat: int, cores: Cores) -> str:
    """Return the whole report as text."""
    where = "server and client on a core each" if cores.are_apart else "ONE CORE: server and client share it"
    rounds = f", median of {repeat} rounds" if repeat > 1 else ""
    lines = [
        f"{pages:,} pages, {where}{rounds}",
        "",
        *_table(costs, pages),
        "",
        _headroom(costs),
        *_bars(costs),
    ]
    uneven = environment.uneven_parts()
    if uneven:
        lines.append(f"Not the same parts (Limpet / bare): {', '.join(uneven)}")
    return "\n".join(lines)


def _table(costs: Mapping[str, Cost], pages: int) -> list[str]:
    thousands = pages / 1000
    lines = [f"{'client':<15} {'CPU s/1000':>10} {'pages/s':>8} {'RSS MB':>7} {'x bare':>7} {'x limpet':>9}"]
    for name, cost in costs.items():
        lines.append(
            f"{name:<15} {cost.cpu_seconds / thousands:>10.3f} {pages / cost.wall_seconds:>8.0f} "
            f"{cost.peak_rss_mb:>7.0f} {_ratio(costs, cost, 'bare'):>7} {_ratio(costs, cost, 'limpet'):>9}"
        )
    return lines


def _ratio(costs: Mapping[str, Cost], cost: Cost, to: str) -> str:
    return f"{cost.cpu_seconds / costs[to].cpu_seconds:.2f}" if to in costs else "-"


def _headroom(costs: Mapping[str, Cost]) -> str:
    """How much more the server could have served than the fastest client asked for."""
    tightest = min(cost.cpu_seconds / max(cost.server_cpu_seconds, 0.01) for cost in costs.values())
    verdict = "never the bottleneck" if tightest > SERVER_HEADROOM else "TOO SLOW FOR A FAIR RUN"
    return f"The page server used {1 / tightest:.0%} of the CPU of the fastest client: {verdict}."


def _bars(costs: Mapping[str, Cost]) -> list[str]:
    if "limpet" not in costs:
        return []
    ours = costs["limpet"]
    lines = [
        f"{'reached' if costs[peer].cpu_seconds / ours.cpu_seconds >= bar else 'MISSED '}  "
        f"{peer} / limpet = {costs[peer].cpu_seconds / ours.cpu_seconds:.2f}, bar {bar:.2f}"
        for peer, bar in BARS.items()
        if peer in costs
    ]
    word = "reached" if ours.peak_rss_mb <= RSS_BAR_MB else "MISSED "
    lines.append(f"{word}  RSS {ours.peak_rss_mb:.0f} MB, bar {RSS_BAR_MB}")
    return lines
