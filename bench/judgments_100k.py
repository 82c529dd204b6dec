"""A court's index of 100,000 rows: the first sync, one that finds nothing new, and one that finds 1 % changed."""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from bench.plan_100k import Gauge

from limpet.apps.judgments.params import ScrapeParams
from limpet.apps.judgments.scraping import preview
from limpet.assembly import assemble
from limpet.cli.judging import sync
from limpet.settings import load_settings

CONFIG = """\
[[sources]]
id = "unreported_judgments"
app = "judgments"
site = "judicial_ky"
hosts = ["court.tidepool.localhost"]
base_url = "http://court.tidepool.localhost:{port}"
http_only = true
allow_private_addresses = true
max_bytes = 104857600
patience_seconds = 300
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the bench"
[sources.pace]
requests_per_second = 0
min_delay_seconds = 0
"""


class PretendCourt:
    """The court in a process of its own, so that its memory is not counted as ours."""

    def __init__(self, cases: int) -> None:
        command = [sys.executable, "-m", "tidepool", "--port", "0", "--cases", str(cases)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline().rsplit(":", 1)[1])

    def control(self, path: str, **wish: Any) -> Any:
        """Ask the pretend web's own control API."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=json.dumps(wish).encode() if wish else None,
            headers={"Host": "control.tidepool.localhost"},
        )
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)

    def statuses(self) -> list[int]:
        """How the index was answered, request by request."""
        seen = self.control("/log?site=court")
        return [visit["status"] for visit in seen if visit["path"].endswith("judgments.csv")]

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


async def measure(court: PretendCourt, folder: Path, *, cases: int) -> None:
    """Walk the steps and check what each came to."""
    config = folder / "limpet.toml"
    config.write_text(CONFIG.format(port=court.port))
    one_percent = cases // 100
    async with assemble(load_settings(data_dir=folder / "data", config=config)) as house:
        gauge = Gauge()
        gauge.note("house open")
        first = await sync(house, "unreported_judgments", accept_removals=False)
        gauge.note(f"first sync, {len(first.new_case_ids):,} cases")
        unchanged = await sync(house, "unreported_judgments", accept_removals=False)
        gauge.note("sync of an unchanged index")
        wish = {"add": one_percent // 2, "change": one_percent // 4, "remove": one_percent // 4}
        court.control("/acts", site="court", act="move", **{"with": wish})
        gauge.note("(the court moves by 1 %)")
        moved = await sync(house, "unreported_judgments", accept_removals=False)
        counts = (len(moved.new_case_ids), len(moved.changed_case_ids), len(moved.removed_case_ids))
        gauge.note(f"sync of 1 % changed: {counts}")
        plan = await preview(ScrapeParams("full", dry_run=True), desk=house.desk)
        gauge.note(f"plan of {plan.cases_targeted:,} downloads")
    print(f"peak RSS {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print(f"the origin answered {court.statuses()}")
    if not unchanged.is_unchanged or counts != tuple(wish.values()) or court.statuses() != [200, 304, 200]:
        raise SystemExit("a sync did not come to what the court did")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    wanted = parser.parse_args().cases
    pretend = PretendCourt(wanted)
    try:
        with tempfile.TemporaryDirectory(prefix="limpet-judgments-") as directory:
            asyncio.run(measure(pretend, Path(directory), cases=wanted))
    finally:
        pretend.stop()
