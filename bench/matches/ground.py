"""The ground: a pretend scoreboard as a process, and the configuration by which it is watched."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Each site under a zone of its own: what befalls one must not stop our visits to another.
ZONES = {"crex": "tidepool", "crexapi": "tidepool", "crex_browser": "kelp", "pavilion": "reef"}

SOURCE = """
[[sources]]
id = "{id}"
app = "matches"
site = "{id}"
hosts = {hosts}
http_only = true
allow_private_addresses = true
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the bench"
[sources.pace]
requests_per_second = 0
min_delay_seconds = 0
max_concurrent = {at_once}
"""


@dataclass(frozen=True, slots=True)
class Domain:
    """One domain as it takes part."""

    id: str
    weight: int
    at_once: int = 40
    most_matches: int = 0
    every_seconds: float = 0.5

    @property
    def hosts(self) -> list[str]:
        zone = ZONES[self.id]
        names = ["pavilion"] if self.id == "pavilion" else ["crex", "crexapi"]
        return [f"{name}.{zone}.localhost" for name in names]


class Ground:
    """Start it, ask it for the truth, make it misbehave, end it."""

    def __init__(self, folder: Path, *, matches: int, tick_seconds: float) -> None:
        command = [sys.executable, "-m", "tidepool", "--port", "0", "--matches", str(matches)]
        command += ["--tick-seconds", str(tick_seconds), "--code-book-seconds", "0.5"]
        self.access_log = folder / "origin.jsonl"
        command += ["--access-log", str(self.access_log)]
        self.folder = folder
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline().rsplit(":", 1)[1])

    @property
    def pid(self) -> int:
        return self._process.pid

    def write_config(self, *domains: Domain) -> None:
        """Write limpet.toml and sources.yaml for these domains."""
        sources = [
            SOURCE.format(id=each.id, hosts=json.dumps(each.hosts), at_once=each.at_once) for each in domains
        ]
        (self.folder / "limpet.toml").write_text("".join(sources))
        described = [
            {
                "domain_id": each.id,
                "precedence_weight": each.weight,
                "rate_limits": {
                    "max_concurrent_contexts": each.at_once,
                    "min_interval_seconds": each.every_seconds,
                },
                "metadata": {
                    "base_url": f"http://{each.hosts[0]}:{self.port}",
                    "names_call": "names",
                    "most_matches": each.most_matches,
                },
            }
            for each in domains
        ]
        (self.folder / "sources.yaml").write_text(json.dumps({"sources": described}))

    def matches(self) -> list[dict[str, Any]]:
        """Return how every match stands."""
        found: list[dict[str, Any]] = self._control("GET", "/matches")
        return found

    def balls(self, key: str) -> list[dict[str, Any]]:
        """Return every ball of a match, with the monotonic second at which it happened."""
        found: list[dict[str, Any]] = self._control("GET", f"/matches?key={key}")["balls"]
        return found

    def set_fault(self, site: str, name: str, **rule: Any) -> None:
        """Make a site misbehave."""
        self._control("POST", "/faults", {"site": site, "name": name, **rule})

    def clear_faults(self, site: str | None = None) -> None:
        """Make a site behave, or all of them."""
        self._control("DELETE", f"/faults?site={site}" if site else "/faults")

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()

    def _control(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Host": "control.tidepool.localhost"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
