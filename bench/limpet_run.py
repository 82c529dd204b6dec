"""Limpet with every gate on and the budget set to unlimited: plan, lease, fetch, read, judge, record."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import uvloop
from bench.store import Errand, errand, errand_parser

from limpet.assembly import assemble
from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun
from limpet.settings import load_settings

CONCURRENCY = 64

CONFIG = """
[[sources]]
id = "bench-shop"
app = "prices"
site = "tidepool_shop"
hosts = ["{host}"]
http_only = true
allow_private_addresses = true
targets_file = "targets.txt"

[sources.terms]
reviewed_at = 2026-01-31
approved_by = "the bench"

[sources.pace]
requests_per_second = 0
min_delay_seconds = 0
jitter = 0
max_concurrent = {concurrency}
"""


def write_config(task: Errand) -> Path:
    """Write the config file a user would write, and the addresses beside it."""
    (task.directory / "targets.txt").write_text("\n".join(task.urls) + "\n")
    config = task.directory / "limpet.toml"
    host = urlsplit(task.base_url).hostname or ""
    config.write_text(CONFIG.format(host=host, concurrency=CONCURRENCY))
    return config


async def main(task: Errand) -> None:
    """Run once over every target; exit with the counts unless all succeeded."""
    settings = load_settings(config=write_config(task), data_dir=task.directory)
    async with assemble(settings) as house:
        run = await house.desk.plan(NewRun(app="prices", source_id="bench-shop"))
        ended = await house.desk.walk(run, house.app("prices"), Silence())
    if ended.counts.get("succeeded") != task.pages:
        raise SystemExit(f"{dict(ended.counts)} of {task.pages}")


if __name__ == "__main__":
    uvloop.run(main(errand(errand_parser().parse_args())))
