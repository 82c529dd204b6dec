"""What lies in deploy/ fits what runs: every metric that is asked for is told, every rule has its runbook."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from limpet.cli import main
from limpet.cli.table import VERBS
from limpet.settings import PREFIX, Settings

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
                found.setdefault(f"{board.name}: {panel['title']}", set()).update(
                    NAME.findall(target["expr"])
                )
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


@pytest.mark.parametrize(
    "words", [("rules", "alerts.rules.yaml"), ("config", "--syntax-only", "prometheus.yaml")]
)
def test_prometheus_takes_our_files(words: tuple[str, ...]) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed")

    said = subprocess.run(
        [promtool, "check", *words], check=False, cwd=DEPLOY, capture_output=True, text=True, timeout=60
    )

    assert said.returncode == 0, said.stdout + said.stderr


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


# -- that what deploy/ names is there --------------------------------------------------------------------------


def workloads() -> dict[str, list[str]]:
    """Every command line the files would run, by where it stands."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    found = {
        f"compose {name}": service["command"]
        for name, service in compose["services"].items()
        if service["image"] == "limpet"
    }
    for document in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()):
        pod = document["spec"].get("template", {"spec": {"containers": []}})  # a Service runs nothing
        for container in pod["spec"]["containers"]:
            found[f"kubernetes {container['name']}"] = container["args"]
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    found["Dockerfile"] = json.loads(re.findall(r"^CMD (\[.*\])$", dockerfile, re.MULTILINE)[-1])
    unit = (DEPLOY / "limpet.service").read_text()
    found["systemd"] = re.findall(r"^ExecStart=\S+/limpet (.*)$", unit, re.MULTILINE)[0].split()
    return found


@pytest.mark.parametrize(("where", "words"), workloads().items())
def test_every_command_is_one_of_ours_and_takes_its_options(
    where: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([words[0], "--help"])

    told = capsys.readouterr().out
    assert code == 0, where
    assert all(word in told for word in words if word.startswith("--")), where


def test_every_setting_that_is_named_is_one() -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields}

    named = {
        f"{path.name}: {name}"
        for path in DEPLOY.rglob("*")
        if path.is_file()
        for name in re.findall(r"\bLIMPET_[A-Z_]*[A-Z]\b", path.read_text(encoding="utf-8"))
        if name not in known
    }

    assert named == set()


def test_what_is_copied_into_the_container_is_there() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    sent = (ROOT / ".dockerignore").read_text().splitlines()

    copied = [
        line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY ") and "--from" not in line
    ]

    assert len(copied) == 3
    assert all((ROOT / each).exists() for line in copied for each in line)
    assert "*" in sent and all(f"!{each}" in sent for line in copied for each in line if each != "./")
    assert "--require-hashes" in text and "--hash=sha256:" in (ROOT / "requirements" / "run.lock").read_text()


def test_the_health_check_asks_what_the_portal_answers_strangers(portal: Any) -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    port, path = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", text)[0]

    answer = portal.ask("GET", path)

    assert answer.status == 200
    assert int(port) == Settings.model_fields["port"].default and f"EXPOSE {port}" in text


def test_every_service_waits_for_what_it_needs_and_is_given_time_to_drain() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    ours = [each for each in services.values() if each["image"] == "limpet"]
    drain = float(Settings.model_fields["drain_seconds"].default)

    assert {"migrate", "portal", "scheduler", "worker", "postgres", "redis"} == set(services)
    assert set(services["migrate"]["depends_on"]) == {"postgres"}
    for service in ours:
        assert service is services["migrate"] or set(service["depends_on"]) == {"migrate", "redis"}
        assert int(service["stop_grace_period"].removesuffix("s")) > drain
    assert all("healthcheck" in services[name] for name in ("postgres", "redis"))
    unit = (DEPLOY / "limpet.service").read_text()
    assert int(re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)[0]) > drain
