"""The promise of freshness as metric families: per source and window, so that burn alerts are one line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prometheus_client.core import GaugeMetricFamily, Metric

from limpet.observe.promise import WINDOWS, ErrorBudget


def promise_families(budgets: Mapping[str, ErrorBudget]) -> Iterator[Metric]:
    """Yield every family; a source nothing was due for has no samples."""
    per_window = ("source", "window")
    due = GaugeMetricFamily("limpet_visits_due", "Visits due in the window.", labels=per_window)
    kept = GaugeMetricFamily("limpet_visits_kept", "Visits due that brought a page.", labels=per_window)
    burn = GaugeMetricFamily(
        "limpet_error_budget_burn_ratio",
        "How fast the error budget is spent: 1 spends it exactly within the window.",
        labels=per_window,
    )
    left = GaugeMetricFamily(
        "limpet_error_budget_left_ratio",
        "Part of the error budget of 30 days that is unspent; below 0 it is overspent.",
        labels=["source"],
    )
    for source_id, budget in sorted(budgets.items()):
        for window in WINDOWS:
            visits, speed = budget.visits[window], budget.burn(window)
            due.add_metric([source_id, window], visits.due)
            kept.add_metric([source_id, window], visits.kept)
            if speed is not None:
                burn.add_metric([source_id, window], speed)
        if budget.left is not None:
            left.add_metric([source_id], budget.left)
    yield from (due, kept, burn, left)
