"""How throughput grows with workers: 200 domains, 5,000 targets, each domain at its own pace, on real servers.

    .venv/bin/python -m bench.scale                       # 1, 2 and 4 workers
    .venv/bin/python -m bench.scale --workers 4 --domains 50 --each 10

Postgres, Redis, the origins and the workers share this machine's cores. Every round proves itself: each target was
asked for exactly once, no domain saw two requests closer together than its budget, and `limpet verify` is clean.
Beside the throughput stands what each part of the machine spent on it: when all of it adds up to the cores there are,
more workers cannot make it faster.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import psutil
from sqlalchemy import Connection, text

from limpet.assembly import assemble
from limpet.cli.scaling import handing_over
from limpet.record.entry import NewRun
from limpet.settings import load_settings
from limpet.target.outcome import RunState, Trigger

KEEPER = Path(__file__).parent.parent / "tests" / "servers" / "keeper.py"
LANES_PER_WORKER = 25
SPACING_SECONDS = 0.5
LONGEST_ROUND_SECONDS = 300
SOURCE = """\
[[sources]]
id = "{name}"
app = "prices"
site = "tidepool_shop"
hosts = ["shop.{name}.localhost"]
http_only = true
allow_private_addresses = true
targets = {targets}
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the bench"
[sources.pace]
requests_per_second = 2
min_delay_seconds = 0.5
jitter = 0
"""


@dataclass(frozen=True)
class Place:
    """Everything one round needs: the servers, and where the workers find their configuration."""

    port: int
    folder: Path
    environment: dict[str, str]


@dataclass(frozen=True)
class Spent:
    """CPU seconds, by who spent them."""

    workers: float
    postgres: float
    others: float  # Redis, the origins, and whoever looks on

    @property
    def total(self) -> float:
        return self.workers + self.postgres + self.others

    @classmethod
    def so_far(cls, crew: Sequence[subprocess.Popen[str]]) -> Spent:
        """Add up all processes below this one."""
        workers = {process.pid for process in crew}
        spent = {"workers": 0.0, "postgres": 0.0, "others": _seconds(psutil.Process())}
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                name = "postgres" if "postgres" in process.name() else "others"
                spent["workers" if process.pid in workers else name] += _seconds(process)
        return cls(**spent)

    def since(self, before: Spent) -> Spent:
        return Spent(
            self.workers - before.workers, self.postgres - before.postgres, self.others - before.others
        )


def _seconds(process: psutil.Process) -> float:
    # Ended children count with their parent: Postgres forks a backend for each connection.
    times = process.cpu_times()
    return float(times.user + times.system + times.children_user + times.children_system)


@contextmanager
def server(kind: str) -> Iterator[str]:
    """Keep a server of our own and yield its address."""
    with subprocess.Popen(
        [sys.executable, str(KEEPER), kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as keeper:
        assert keeper.stdout is not None and keeper.stdin is not None
        yield json.loads(keeper.stdout.readline())["url"]
        keeper.stdin.close()


@contextmanager
def origins(products: int) -> Iterator[int]:
    """Serve every domain from one process and yield its port."""
    command = [sys.executable, "-m", "tidepool", "--port", "0", "--plain", "--products", str(products)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline().rsplit(":", 1)[1])
        process.terminate()


def ask(port: int, path: str, host: str = "control") -> bytes:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", headers={"Host": f"{host}.tidepool.localhost"}
    )
    with urllib.request.urlopen(request) as answer:
        found: bytes = answer.read()
    return found


def write_config(place: Place, *, domains: int, each: int) -> None:
    places = ask(place.port, "/sitemap-1.xml", "shop").decode().split("<loc>")[1 : each + 1]
    paths = ["/" + found.partition("</loc>")[0].split("/", 3)[3] for found in places]
    sources = []
    for number in range(domains):
        name = f"zone{number:04d}"
        urls = [f"http://shop.{name}.localhost:{place.port}{path}" for path in paths]
        sources.append(SOURCE.format(name=name, targets=json.dumps(urls)))
    (place.folder / "limpet.toml").write_text("\n".join(sources))


@contextmanager
def workers(place: Place, count: int) -> Iterator[list[subprocess.Popen[str]]]:
    """Start workers, and yield once each of them takes lanes."""
    command = [sys.executable, "-m", "limpet", "worker", "--concurrency", str(LANES_PER_WORKER)]
    started = [
        subprocess.Popen(
            [*command, "--data-dir", str(place.folder / f"worker-{number}")],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | place.environment,
        )
        for number in range(count)
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
    yield started
    for process in started:
        process.terminate()
    for process in started:
        process.wait(timeout=60)


async def round_of(place: Place, count: int) -> tuple[float, int, Spent]:
    """Let so many workers walk one run; return its seconds, how many targets succeeded, and what it cost."""
    settings = {name.removeprefix("LIMPET_").lower(): value for name, value in place.environment.items()}
    async with assemble(load_settings(data_dir=place.folder / "desk", **settings)) as house:
        desk = await handing_over(house)
        with workers(place, count) as crew:
            began, before = time.monotonic(), Spent.so_far(crew)
            run = await desk.plan(NewRun(app="prices", source_id=None, trigger=Trigger.UI))
            async with asyncio.timeout(LONGEST_ROUND_SECONDS):
                while (await house.ledger.run_head(run.id)).state is RunState.RUNNING:
                    await asyncio.sleep(0.2)
            took, spent = time.monotonic() - began, Spent.so_far(crew).since(before)
            run = await house.ledger.run(run.id)
            print(await house.ledger.read(partial(sizes, crew=crew, pages=run.planned)))
        found = await house.ledger.verify()
        if not found.is_sound:
            raise SystemExit(f"the ledger does not balance: {found.problems[:3]}")
    return took, run.counts["succeeded"], spent


def sizes(connection: Connection, *, crew: Sequence[subprocess.Popen[str]], pages: int) -> str:
    """Return what each page cost the database, and what each worker cost the hosts."""
    bodies, rest = connection.execute(
        text(
            "SELECT sum(pg_total_relation_size(relid)) FILTER (WHERE relname = 'snapshot_frames'), "
            "sum(pg_total_relation_size(relid)) FILTER (WHERE relname <> 'snapshot_frames') FROM pg_stat_user_tables"
        )
    ).one()
    lines = connection.execute(
        text("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")
    )
    memory = max(psutil.Process(process.pid).memory_info().rss for process in crew) / 2**20
    return (
        f"  per page {rest / pages / 1024:.1f} KiB of rows and indexes, {bodies / pages / 1024:.1f} KiB of bodies; "
        f"{lines.scalar_one()} connections; largest worker {memory:.0f} MB"
    )


def judge(port: int, *, domains: int, each: int) -> float:
    """Return the smallest gap any domain saw; exit when a target was asked for twice or never."""
    by_host: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for visit in json.loads(ask(port, "/log")):
        if visit["path"].startswith("/product/"):
            by_host[visit["host"]].append((visit["arrived_monotonic"], visit["path"]))
    for host, visits in by_host.items():
        if len(visits) != each or len({path for _, path in visits}) != each:
            raise SystemExit(f"{host} saw {len(visits)} requests for {each} targets")
    if len(by_host) != domains:
        raise SystemExit(f"{len(by_host)} of {domains} domains were asked")
    return min(b[0] - a[0] for visits in by_host.values() for a, b in pairwise(sorted(visits)))


def measure(count: int, *, domains: int, each: int) -> float:
    """Run one round on fresh servers, print it, and return pages per second."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        environment = {
            "LIMPET_DATABASE_URL": stack.enter_context(server("postgres")),
            "LIMPET_REDIS_URL": stack.enter_context(server("redis")),
            "LIMPET_CONFIG": str(folder / "limpet.toml"),
            "LIMPET_MAX_PENDING_PER_ADAPTER": "100000",
            "LIMPET_MAX_PENDING_TOTAL": "100000",
        }
        place = Place(stack.enter_context(origins(each + 5)), folder, environment)
        write_config(place, domains=domains, each=each)
        try:
            took, succeeded, spent = asyncio.run(round_of(place, count))
        except TimeoutError:
            raise SystemExit(
                f"{count} workers did not end within {LONGEST_ROUND_SECONDS} s: is the machine busy?"
            ) from None
        gap = judge(place.port, domains=domains, each=each)
    if succeeded != domains * each:
        raise SystemExit(f"only {succeeded} of {domains * each} targets succeeded")
    print(
        f"{count} workers: {succeeded / took:6.1f} pages/s in {took:5.1f} s, smallest gap {gap:.3f} s\n"
        f"  CPU ms a page: workers {_ms(spent.workers, succeeded)}, Postgres {_ms(spent.postgres, succeeded)}, "
        f"others {_ms(spent.others, succeeded)}; {spent.total / took:.2f} of {psutil.cpu_count()} cores busy with it",
        flush=True,
    )
    return succeeded / took


def _ms(seconds: float, pages: int) -> str:
    return f"{seconds / pages * 1000:.1f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", type=int, action="append")
    parser.add_argument("--domains", type=int, default=200)
    parser.add_argument("--each", type=int, default=25)
    options = parser.parse_args(arguments)
    counts = options.workers or [1, 2, 4]
    rates = [measure(count, domains=options.domains, each=options.each) for count in counts]
    for count, rate in zip(counts[1:], rates[1:], strict=True):
        print(f"{count} workers do {rate / rates[0]:.2f} x what {counts[0]} does")


if __name__ == "__main__":
    main()
