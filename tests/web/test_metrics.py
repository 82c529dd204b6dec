"""/metrics of a running portal, after real runs: every promised name, with its labels, and few enough series."""

from __future__ import annotations

import pytest
from prometheus_client.parser import text_string_to_metric_families

# Seed 003, section 11.1, name by name.
COUNTERS = {
    "scrape_urls_attempted": {"adapter_id", "source_id", "status"},
    "scrape_urls_succeeded": {"adapter_id", "source_id"},
    "scrape_urls_failed": {"adapter_id", "source_id", "reason"},
    "scrape_offers_extracted": {"adapter_id", "source_id"},
    "scrape_offers_valid": {"adapter_id", "source_id"},
    "scrape_offers_dropped": {"adapter_id", "source_id", "reason"},
    "scrape_offers_quarantined": {"adapter_id", "source_id", "reason"},
    "scrape_adapter_disabled": {"adapter_id", "reason"},
    "scrape_queue_rejected": {"reason"},
    "scrape_oos_no_price": {"adapter_id", "source_id"},
}
GAUGES = {
    "scrape_queue_pending": {"adapter_id"},
    "scrape_adapter_enabled": {"adapter_id"},
    "scrape_targets_active": {"adapter_id", "source_id"},
    "scrape_targets_broken": {"adapter_id", "source_id"},
    "scrape_targets_stale": {"adapter_id", "source_id"},
}
HISTOGRAMS = {
    "scrape_fetch_duration_ms": {"adapter_id"},
    "scrape_extract_duration_ms": {"adapter_id"},
    "scrape_rate_limit_wait_ms": {"domain"},
}
KINDS = (
    dict.fromkeys(COUNTERS, "counter")
    | dict.fromkeys(GAUGES, "gauge")
    | dict.fromkeys(HISTOGRAMS, "histogram")
)


@pytest.fixture
def families(portal):
    text = portal.get("/metrics").text
    return {family.name: family for family in text_string_to_metric_families(text)}


def values(family) -> dict[tuple[str, ...], float]:
    return {tuple(sample.labels.values()): sample.value for sample in family.samples}


def test_every_name_of_the_seed_is_there_with_its_kind_and_its_meaning(families, portal) -> None:
    text = portal.get("/metrics").text

    assert {name: families[name].type for name in KINDS} == KINDS
    assert all(families[name].documentation.endswith(".") for name in KINDS)
    assert all(f"# TYPE {name}_total counter" in text for name in COUNTERS)


@pytest.mark.parametrize(("name", "labels"), [*COUNTERS.items(), *GAUGES.items(), *HISTOGRAMS.items()])
def test_labels_are_those_of_the_seed(families, name, labels) -> None:
    assert all(set(sample.labels) - {"le"} == labels for sample in families[name].samples)


def test_counts_are_those_of_the_ledger(families, portal) -> None:
    async def in_the_ledger(house):
        return [
            await house.ledger.counts(run.id) for run in await house.ledger.runs() if run.source_id == "shop"
        ]

    counted = portal.do(in_the_ledger)
    succeeded = sum(each.get("succeeded", 0) for each in counted)

    assert succeeded > 0
    assert values(families["scrape_offers_valid"])["tidepool_shop", "shop"] == succeeded
    attempted = values(families["scrape_urls_attempted"])
    assert attempted["tidepool_shop", "shop", "succeeded"] == succeeded
    assert values(families["scrape_adapter_enabled"])["tidepool_shop",] == 1
    assert values(families["scrape_targets_active"])["tidepool_shop", "shop"] > 0


def test_histograms_add_up_and_know_every_page(families) -> None:
    for name in ("scrape_fetch_duration_ms", "scrape_extract_duration_ms"):
        found = {
            (sample.name, sample.labels.get("le")): sample.value
            for sample in families[name].samples
            if sample.labels["adapter_id"] == "tidepool_shop"
        }
        cumulative = [value for (kind, _), value in found.items() if kind.endswith("_bucket")]
        assert cumulative == sorted(cumulative)
        assert found[f"{name}_bucket", "+Inf"] == found[f"{name}_count", None] >= 40
        assert found[f"{name}_sum", None] > 0


def test_text_of_a_hostile_page_never_becomes_a_series(portal) -> None:
    text = portal.get("/metrics").text

    assert "<script" not in text and "<b>" not in text
    assert len([line for line in text.splitlines() if not line.startswith("#")]) < 600
