"""What lies in deploy/ fits what runs: every metric that is asked for is told, every rule has its runbook."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from limpet.cli.table import VERBS

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
NAME = re.compile(r"\b((?:scrape|scraper|limpet|active|data)_[a-z_]+)\b(?!\s*=)")
# Names of labels, and words of the query language, that look like metrics.
NOT_METRICS = {"scrape_interval"}


def told(portal: Any) -> set[str]:
    lines = portal.get("/metrics").text.splitlines()
    typed = {line.split()[2]: line.split()[3] for line in lines if line.startswith("# TYPE")}
    endings = {
        "histogram": ("_bucket", "_sum", "_count"),
        "summary": ("_sum", "_count"),
        "counter": ("", "_total"),
    }
    return {name + end for name, kind in typed.items() for end in endings.get(kind, ("",))}


def asked() -> dict[str, set[str]]:
    rules = yaml.safe_load((DEPLOY / "alerts.rules.yaml").read_text())["groups"][0]["rules"]
    found = {rule["alert"]: set(NAME.findall(rule["expr"])) for rule in rules}
    for board in sorted((DEPLOY / "grafana").glob("*.json")):
        for panel in json.loads(board.read_text())["panels"]:
            for target in panel["targets"]:
                found[f"{board.name}: {panel['title']}"] = set(NAME.findall(target["expr"]))
    return {where: names - NOT_METRICS for where, names in found.items()}


def test_every_metric_that_is_asked_for_is_told(portal: Any) -> None:
    known = told(portal)

    unknown = {where: names - known for where, names in asked().items() if names - known}

    assert len(known) > 20 and len(asked()) > 20
    assert unknown == {}


def test_every_rule_has_its_runbook() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    headings = set(re.findall(r"^### (\S+)", page, re.MULTILINE))
    rules = yaml.safe_load((DEPLOY / "alerts.rules.yaml").read_text())["groups"][0]["rules"]

    anchors = {rule["annotations"]["runbook"].partition("#")[2] for rule in rules}

    assert anchors <= headings


@pytest.mark.parametrize("name", ["compose.yaml", "prometheus.yaml", "alerts.rules.yaml"])
def test_yaml_is_readable(name: str) -> None:
    assert yaml.safe_load((DEPLOY / name).read_text())


def test_kubernetes_starts_every_part_with_words_limpet_knows() -> None:
    parts = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()))
    pods = [part["spec"]["template"]["spec"] for part in parts if "template" in part["spec"]]

    verbs = {pod["containers"][0]["args"][0] for pod in pods}

    assert verbs == {"migrate", "scheduler", "worker", "web"}
    assert verbs <= {verb.name for verb in VERBS}


def test_the_container_runs_as_nobody_important_and_says_how_it_is() -> None:
    text = (DEPLOY / "Dockerfile").read_text()

    assert "\nUSER limpet" in text and "HEALTHCHECK" in text and "VOLUME /app/data" in text
    assert text.index("USER limpet") < text.index("ENTRYPOINT")
