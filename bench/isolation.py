"""How much of its throughput a healthy domain keeps while every way a server can misbehave is tried beside it.

    .venv/bin/python -m bench.isolation                # both paces, the best of three rounds
    .venv/bin/python -m bench.isolation --family size --family headers

One origin serves the healthy domain, another process - at the lowest priority, so that its own work is not taken for
ours - serves one hostile domain per behaviour, each at the default pace and with default settings. The client walks
the healthy domain alone and with the others beside it; it stops as soon as the healthy domain is done.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from limpet.assembly import assemble
from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun, Settlement
from limpet.settings import load_settings
from tidepool.faults import BEHAVIOURS, FAMILIES, TABLE

HEALTHY = "healthy"
HOSTILE_TARGETS = 40
SOURCE = """\
[[sources]]
id = "{name}"
app = "prices"
site = "tidepool_shop"
hosts = ["{host}"]
http_only = true
allow_private_addresses = true
patience_seconds = 5
targets = {targets}
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the bench"
[sources.pace]
{pace}
"""
DEFAULT_PACE = "requests_per_second = 0.5"


@dataclass(frozen=True)
class Pace:
    """How the healthy domain is asked, and for how many pages."""

    name: str
    terms: str
    pages: int


PACES = (
    Pace("20 pages/s", "requests_per_second = 20\nmin_delay_seconds = 0.05\njitter = 0", 200),
    Pace("unlimited", "requests_per_second = 0\nmin_delay_seconds = 0\nmax_concurrent = 8", 4_000),
)


@contextmanager
def origin(products: int, *, niceness: int = 0) -> Iterator[int]:
    """Serve a pretend web in a process of its own and yield its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tidepool", "--port", "0", "--plain", "--products", str(products)],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: os.nice(niceness),  # noqa: PLW1509 - nothing else runs in this process yet
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline().rsplit(":", 1)[1])
    finally:
        process.kill()
        process.communicate()


def product_paths(port: int, count: int) -> list[str]:
    """Return the addresses of that many products."""
    paths: list[str] = []
    for page in range(1, -(-count // 1_000) + 1):
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/sitemap-{page}.xml", headers={"Host": "shop.tidepool.localhost"}
        )
        with urllib.request.urlopen(request) as answer:
            places = answer.read().decode().split("<loc>")[1:]
        paths += ["/" + place.partition("</loc>")[0].split("/", 3)[3] for place in places]
    return paths[:count]


def behaviours(families: Sequence[str]) -> list[str]:
    """Return every way to misbehave that belongs to these families; all of them when none is named."""
    return [name for name in BEHAVIOURS if not families or _family(TABLE[name].act.__module__) in families]


def _family(module: str) -> str:
    return module.rpartition(".")[2]


def make_hostile(port: int, names: Sequence[str]) -> None:
    """Switch these behaviours on, each at a domain of its own."""
    for name in names:
        fault = {"site": "shop", "name": name, "host": host_of(name)}
        urllib.request.urlopen(
            urllib.request.Request(
                f"http://127.0.0.1:{port}/faults",
                data=json.dumps(fault).encode(),
                headers={"Host": "control.tidepool.localhost"},
            )
        ).close()


def host_of(name: str) -> str:
    return f"shop.{name.replace('_', '-')}.localhost"


def source(name: str, port: int, paths: Sequence[str], pace: str) -> str:
    targets = [f"http://{host_of(name)}:{port}{path}" for path in paths]
    return SOURCE.format(name=name, host=host_of(name), targets=json.dumps(targets), pace=pace)


class UntilDone(Silence):
    """Stops the crew once the healthy domain has no target left."""

    def __init__(self, remaining: int, stop: asyncio.Event) -> None:
        self._remaining = remaining
        self._stop = stop

    def settled(self, settlement: Settlement) -> None:
        self._remaining -= settlement.lease.target.source_id == HEALTHY
        if not self._remaining:
            self._stop.set()


async def walk(data_dir: Path, config: Path, pages: int) -> None:
    """Walk until the healthy domain is done, and print peak memory and CPU seconds."""
    async with assemble(load_settings(data_dir=data_dir, config=config)) as house:
        run = await house.desk.plan(NewRun(app="prices", source_id=None))
        crew = house.desk.crew
        await house.desk.walk(run, house.app("prices"), UntilDone(pages, crew.stop))
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(used.ru_maxrss / 1024, used.ru_utime + used.ru_stime)


def pages_per_second(data_dir: Path, pages: int) -> float:
    """Return the healthy domain's throughput, from its first request to its last record."""
    with sqlite3.connect(data_dir / "limpet.db") as ledger:
        (begun,) = ledger.execute(
            "SELECT min(started_at) FROM requests WHERE source_id = ?", [HEALTHY]
        ).fetchone()
        done, ended = ledger.execute(
            "SELECT count(*), max(ended_at) FROM jobs WHERE source_id = ? AND state = 'succeeded'", [HEALTHY]
        ).fetchone()
    if done != pages:
        raise SystemExit(f"only {done} of {pages} healthy pages succeeded")
    return pages / (datetime.fromisoformat(ended) - datetime.fromisoformat(begun)).total_seconds()


def measure(folder: Path, sources: Sequence[str], pages: int) -> tuple[float, float, float]:
    """Return pages per second, peak MiB and CPU seconds of one walk in a process of its own."""
    folder.mkdir()
    config = folder / "limpet.toml"
    config.write_text("\n".join(sources))
    command = [sys.executable, "-m", "bench.isolation", "--walk", str(folder), "--pages", str(pages)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    memory, cpu = said.split()
    return pages_per_second(folder / "data", pages), float(memory), float(cpu)


def compare(pace: Pace, names: Sequence[str], rounds: int, folder: Path) -> None:
    """Print the healthy domain's throughput alone and in bad company, and the ratio of the medians."""
    with origin(pace.pages) as healthy_port, origin(HOSTILE_TARGETS, niceness=19) as hostile_port:
        make_hostile(hostile_port, names)
        healthy = source(HEALTHY, healthy_port, product_paths(healthy_port, pace.pages), pace.terms)
        paths = product_paths(hostile_port, HOSTILE_TARGETS)
        hostile = [source(name, hostile_port, paths, DEFAULT_PACE) for name in names]
        alone, beside = [], []
        for number in range(rounds):
            alone.append(
                measure(folder / f"{pace.name}-alone-{number}".replace("/", "-"), [healthy], pace.pages)
            )
            beside.append(
                measure(
                    folder / f"{pace.name}-beside-{number}".replace("/", "-"), [*hostile, healthy], pace.pages
                )
            )
    alone_figures, beside_figures = max(alone), max(beside)  # a busy neighbour can only make a round slower
    print(f"{pace.name}, {pace.pages} pages")
    print("  alone                      {:7.1f} pages/s {:5.0f} MiB {:6.1f} CPU s".format(*alone_figures))
    print(
        f"  beside {len(names):3} hostile domains",
        "{:7.1f} pages/s {:5.0f} MiB {:6.1f} CPU s".format(*beside_figures),
    )
    print(f"  kept {beside_figures[0] / alone_figures[0]:.1%}", flush=True)


def main() -> None:
    """Compare both paces, or be the client of one walk."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("--rounds", type=int, default=3)
    line.add_argument(
        "--family", action="append", default=[], choices=[_family(each.__name__) for each in FAMILIES]
    )
    line.add_argument("--pace", choices=[pace.name for pace in PACES])
    line.add_argument("--walk", type=Path, help=argparse.SUPPRESS)
    line.add_argument("--pages", type=int, default=0, help=argparse.SUPPRESS)
    wishes = line.parse_args()
    if wishes.walk:
        asyncio.run(walk(wishes.walk / "data", wishes.walk / "limpet.toml", wishes.pages))
        return
    with tempfile.TemporaryDirectory(prefix="limpet-isolation-") as folder:
        for pace in PACES:
            if wishes.pace in (None, pace.name):
                compare(pace, behaviours(wishes.family), wishes.rounds, Path(folder))


if __name__ == "__main__":
    main()
