"""A pretend court in a process of its own, and archivists that are killed at their work."""

from __future__ import annotations

import hashlib
import json
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ZONE = "tidepool.localhost"
WIDTH = 4
CONFIG = """\
[settings]
retry_base_delay_seconds = 0.05
retry_max_delay_seconds = 0.2
[[sources]]
id = "unreported_judgments"
app = "judgments"
site = "judicial_ky"
hosts = ["court.{zone}", "box.{zone}", "boxcdn.{zone}"]
base_url = "http://court.{zone}:{port}"
http_only = true
allow_private_addresses = true
[sources.options]
box_hosts = ["box.{zone}", "boxcdn.{zone}"]
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the harness"
[sources.pace]
requests_per_second = 60
min_delay_seconds = 0.015
jitter = 0
max_concurrent = {width}
"""


class CourtHarness:
    """What the kill harness does, at a court: wrapped, because its class comes by a fixture."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def write_config(self) -> None:
        text = CONFIG.format(zone=ZONE, port=self.inner.port, width=WIDTH)
        (self.inner.folder / "limpet.toml").write_text(text)

    def control(self, path: str, /, **wish: Any) -> Any:
        """Ask the pretend web's own control API."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.inner.port}{path}",
            data=json.dumps(wish).encode() if wish else None,
            headers={"Host": f"control.{ZONE}"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def misbehave(self) -> None:
        """Nonces are spent, addresses run out, Box asks for pauses and cuts documents short."""
        self.control("/acts", site="court", act="set_habits", **{"with": {"nonce_uses": 40}})
        self.control("/acts", site="court", act="set_habits", **{"with": {"signature_seconds": 5.0}})
        for name, probability in (("pdf_cut_short", 0.05), ("pdf_expired", 0.05), ("pdf_is_html", 0.02)):
            self.control("/faults", site="boxcdn", name=name, path="/d/1/*", probability=probability)
        pause = {"retry_after": 1}
        self.control(
            "/faults",
            site="boxcdn",
            name="rate_limited_seconds",
            path="/d/1/*",
            probability=0.01,
            options=pause,
        )

    def published(self) -> dict[str, str]:
        """The sha256 of every document that must be in the archive, by token."""
        tokens = [row[0] for row in self.inner.ledger_rows("SELECT action_token_raw FROM cases")]
        truth = {
            str(token): self.control(
                f"/truth?site=court&path=/token/{urllib.request.quote(str(token), safe='')}"
            )
            for token in tokens
        }
        return {token: facts["sha256"] for token, facts in truth.items() if not facts["is_criminal"]}

    def archived(self) -> dict[str, str]:
        rows = self.inner.ledger_rows(
            "SELECT action_token_raw, path FROM cases JOIN case_files ON case_files.case_id = cases.id"
        )
        assert len(rows) == len({path for _, path in rows}) == len({token for token, _ in rows})
        return {
            str(token): hashlib.sha256((self.inner.data_dir / str(path)).read_bytes()).hexdigest()
            for token, path in rows
        }

    def sent(self) -> dict[int, list[str]]:
        """When each document's bytes were sent whole, by its number."""
        times: dict[int, list[str]] = defaultdict(list)
        for visit in self.inner.visits():
            if visit["site"] == "boxcdn" and visit["status"] == 200 and visit["fault"] is None:
                times[int(str(visit["path"]).split("/")[3])].append(str(visit["arrived_at"]))
        return times

    def recorded(self) -> dict[int, str]:
        """When each document was on record, by its number; a token's truth does not tell it, its file's text does."""
        rows = self.inner.ledger_rows("SELECT path, stored_at FROM case_files")
        return {self._number(Path(str(path))): str(stored_at) for path, stored_at in rows}

    def _number(self, path: Path) -> int:
        content = (self.inner.data_dir / path).read_bytes()
        return int(content.partition(b"(Judgment ")[2].partition(b")")[0])

    def asked_again_although_recorded(self) -> list[int]:
        recorded = self.recorded()
        return [
            number
            for number, times in self.sent().items()
            if number in recorded and max(times) > recorded[number]
        ]

    def transfers_begun_again(self) -> int:
        return sum(len(times) - 1 for times in self.sent().values())


@pytest.fixture
def court(
    kill_harness: Any, nursery: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[CourtHarness]:
    cases = getattr(request, "param", 60)
    inner = kill_harness(tmp_path, nursery, targets=1, app="judgments", origin=("--cases", str(cases)))
    harness = CourtHarness(inner)
    inner._write_config = harness.write_config
    inner.start_shop()
    try:
        yield harness
    finally:
        inner.stop()
