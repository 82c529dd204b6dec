"""/metrics of a running portal, after real runs: every promised name, with its labels, and few enough series."""

from __future__ import annotations

import re
import shutil
import subprocess

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


# -- what `promtool check metrics` objects to ------------------------------------------------------------------

UNITS_THAT_ARE_NO_BASE = [
    "minutes",
    "hours",
    "days",
    "milliseconds",
    "kilobytes",
    "megabytes",
    "gigabytes",
    "percent",
    "celsius_degrees",
]
ABBREVIATED = {"s", "ms", "us", "ns", "sec", "b", "kb", "mb", "gb", "tb", "pb", "m", "h", "d"}
# The seeds name some as the linter would not; the name is the promise.
NAMED_BY_THE_SEEDS = {
    "active_scrapers_count",
    "scrape_extract_duration_ms",
    "scrape_fetch_duration_ms",
    "scrape_rate_limit_wait_ms",
}


def objections(name: str, kind: str, helps: dict[str, str], labels: set[str]) -> list[str]:
    """What promtool's linter would say of one family; `name` as it stands behind `# TYPE`."""
    words = name.split("_")
    found = []
    if not helps.get(name):
        found.append("no help text")
    if kind == "counter" and not name.endswith("_total"):
        found.append('counter metrics should have "_total" suffix')
    if kind != "counter" and name.endswith("_total"):
        found.append('non-counter metrics should not have "_total" suffix')
    if kind not in ("histogram", "summary") and name.endswith(("_bucket", "_sum", "_count")):
        found.append("suffix of a histogram or summary")
    if kind != "histogram" and "le" in labels:
        found.append('non-histogram metrics should not have "le" label')
    if kind != "summary" and "quantile" in labels:
        found.append('non-summary metrics should not have "quantile" label')
    if any(word in ("counter", "gauge", "histogram", "summary") for word in words):
        found.append("metric name should not include type")
    if any(character.isupper() for label in labels for character in label) or re.search("[A-Z]", name):
        found.append("names should be written in snake_case")
    if ":" in name:
        found.append("colons belong to recording rules")
    if set(words) & set(UNITS_THAT_ARE_NO_BASE):
        found.append("use base units")
    if set(words) & ABBREVIATED:
        found.append("metric names should not contain abbreviated units")
    return found


def lint(text: str) -> dict[str, list[str]]:
    helps, types, labels = {}, {}, {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name, _, said = line[7:].partition(" ")
            helps[name] = said
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split()
            assert name not in types, f"{name} is told twice"
            types[name] = kind
            labels[name] = set()
        else:
            family = next(each for each in sorted(types, key=len, reverse=True) if line.startswith(each))
            labels[family] |= set(re.findall(r'(\w+)="', line))
    wrong = {name: objections(name, kind, helps, labels[name]) for name, kind in types.items()}
    return {name: found for name, found in wrong.items() if found and name not in NAMED_BY_THE_SEEDS}


def test_the_linter_of_prometheus_has_nothing_to_say(portal) -> None:
    assert lint(portal.get("/metrics").text) == {}


def test_prometheus_own_linter_agrees(portal) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed: the rules above stand in for it")

    text = portal.get("/metrics").body
    said = subprocess.run(
        [promtool, "check", "metrics"], check=False, input=text, capture_output=True, timeout=60
    )
    complained_of = {line.split()[0] for line in said.stderr.decode().splitlines()}

    assert said.returncode in (0, 3)  # 3: it reads all of it, and would have chosen other names
    assert complained_of <= NAMED_BY_THE_SEEDS


def test_the_linter_objects_to_what_it_should() -> None:
    text = (
        "# TYPE visits counter\nvisits 1\n# HELP age_minutes Old.\n# TYPE age_minutes gauge\nage_minutes 3\n"
    )

    assert lint(text) == {
        "visits": ["no help text", 'counter metrics should have "_total" suffix'],
        "age_minutes": ["use base units"],
    }


def test_a_hundred_thousand_targets_add_no_series(playground) -> None:
    before = len(playground.get("/metrics").text.splitlines())

    async def add(house) -> None:
        def write(connection) -> None:
            connection.exec_driver_sql(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
                "INSERT INTO targets (source_id, canonical_url, url, adapter_id, kind, lane, enabled, "
                "robots_path_blocked, last_status, created_at, updated_at) "
                "SELECT 'shop', 'https://x.test/' || i, 'https://x.test/' || i, 'tidepool_shop', 'page', 'x' || i || "
                "'.test', 1, 0, 'reason_' || i, '2026-01-01T00:00:00.000000+00:00', '2026-01-01T00:00:00.000000+00:00' "
                "FROM n"
            )

        await house.ledger.write(write)

    playground.do(add)
    playground.app.state.lookout.forget()
    text = playground.get("/metrics").text
    active = [line for line in text.splitlines() if line.startswith("scrape_targets_active{")]

    assert sum(float(line.split()[-1]) for line in active) > 100_000
    assert len(text.splitlines()) == before
