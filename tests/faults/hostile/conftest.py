"""A pretend web of hostile domains in a process of its own, and walks over it that are judged from the ledger."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from limpet.assembly import app_checks, assemble
from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun
from limpet.settings import load_settings

WALKER = Path(__file__).with_name("walker.py")
MEBIBYTE = 1024 * 1024

# One table of the config. Every domain is a source of its own: its own lane, breaker, budget and robots.txt.
SOURCE = """\
[[sources]]
id = "{name}"
app = "prices"
site = "tidepool_shop"
hosts = ["{host}"]
http_only = true
allow_private_addresses = true
patience_seconds = {patience}
max_bytes = {max_bytes}
targets = {targets}
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the harness"
[sources.pace]
requests_per_second = 0
min_delay_seconds = 0
"""


@dataclass(frozen=True)
class Domain:
    """One domain of the pretend web and how we visit it."""

    name: str
    paths: Sequence[str]
    patience: float = 15.0
    max_bytes: int = 2 * MEBIBYTE

    @property
    def host(self) -> str:
        return f"shop.{self.name.replace('_', '-')}.localhost"

    def table(self, port: int) -> str:
        targets = [f"http://{self.host}:{port}{path}" for path in self.paths]
        return SOURCE.format(
            name=self.name,
            host=self.host,
            patience=self.patience,
            max_bytes=self.max_bytes,
            targets=json.dumps(targets),
        )


class HostileOrigin:
    """The pretend web as a process; told by its control API which domain shall do what."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "tidepool", "--port", "0", *options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline().rsplit(":", 1)[1])

    def set_fault(self, name: str, domain: Domain, **rule: Any) -> None:
        self._control("POST", "/faults", {"site": "shop", "name": name, "host": domain.host, **rule})

    def forget(self) -> None:
        self._control("POST", "/reset", {})

    def truth(self, path: str) -> dict[str, Any]:
        return self._control("GET", f"/truth?site=shop&path={path}")

    def visits(self) -> Counter[str]:
        """How often each host was asked, as the origin saw it; what the harness itself asked is left out."""
        hosts = (visit["host"] for visit in self._control("GET", "/log"))
        return Counter(host for host in hosts if host != "shop.tidepool.localhost")

    def paths(self, count: int) -> list[str]:
        """The addresses of that many products."""
        with urllib.request.urlopen(self._request("GET", "/sitemap-1.xml", host="shop")) as answer:
            places = answer.read().decode().split("<loc>")[1:]
        return ["/" + place.partition("</loc>")[0].split("/", 3)[3] for place in places[:count]]

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _control(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        with urllib.request.urlopen(self._request(method, path, body, host="control")) as answer:
            return json.load(answer)

    def _request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *, host: str
    ) -> urllib.request.Request:
        return urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Host": f"{host}.tidepool.localhost"},
            method=method,
        )


@dataclass(frozen=True)
class Ending:
    """How one target ended, and everything the ledger says about the way there."""

    path: str
    outcome: str
    reason: str | None
    ended_at: str
    details: str
    request_ms: tuple[float, ...]  # of every request that left
    attempt_ms: tuple[float, ...]
    record: Mapping[str, Any] | None  # what was stored as fact


@dataclass
class Walk:
    """One finished walk."""

    data_dir: Path
    is_sound: bool
    held: list[str] = field(default_factory=list)
    endings: dict[str, list[Ending]] = field(default_factory=dict)  # by domain

    def the(self, name: str) -> Ending:
        """Return the ending of a domain with one target."""
        (ending,) = self.endings[name]
        return ending

    def requests(self) -> Counter[str]:
        """How many requests left for each host, as we wrote it down."""
        # What our own gates kept back is noted under its domain too, but never left.
        left = "SELECT domain FROM requests WHERE outcome NOT IN ('refused', 'robots_blocked')"
        return Counter(domain for (domain,) in rows(self.data_dir, left))


class HeldLanes(Silence):
    """Remembers which lanes had to wait."""

    def __init__(self) -> None:
        self.lanes: list[str] = []

    def held(self, lane: str, reason: str, seconds: float) -> None:
        self.lanes.append(lane)


def rows(data_dir: Path, sql: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(data_dir / "limpet.db") as connection:
        return connection.execute(sql).fetchall()


def write_config(folder: Path, origin: HostileOrigin, domains: Iterable[Domain]) -> Path:
    config = folder / "limpet.toml"
    config.write_text("\n".join(domain.table(origin.port) for domain in domains))
    return config


def walk(folder: Path, origin: HostileOrigin, domains: Sequence[Domain], **settings: Any) -> Walk:
    """Walk every target of these domains once, one attempt each, and return what the ledger says."""
    folder.mkdir(parents=True, exist_ok=True)
    data_dir, config = folder / "data", write_config(folder, origin, domains)
    asked = {"retry_max_attempts": 1, "circuit_breaker_threshold": 1000, **settings}

    async def walked() -> Walk:
        watcher = HeldLanes()
        async with assemble(load_settings(data_dir=data_dir, config=config, **asked)) as house:
            run = await house.desk.plan(NewRun(app="prices", source_id=None))
            await house.desk.walk(run, house.app("prices"), watcher)
            verified = await house.ledger.verify(app_checks=app_checks())
        return Walk(data_dir, verified.is_sound, watcher.lanes)

    done = asyncio.run(walked())
    for name, ending in read_endings(data_dir):
        done.endings.setdefault(name, []).append(ending)
    return done


def read_endings(data_dir: Path) -> Iterator[tuple[str, Ending]]:
    requests = by_job(data_dir, "SELECT job_id, elapsed_ms FROM requests WHERE domain <> ''")
    attempts = by_job(data_dir, "SELECT job_id, elapsed_ms FROM attempts")
    records = {job: record for job, *record in rows(data_dir, RECORDS)}
    for job, name, url, state, reason, ended_at, details in rows(data_dir, JOBS):
        record = dict(zip(RECORD_FIELDS, records[job], strict=True)) if job in records else None
        path = "/" + url.split("/", 3)[3]
        yield (
            name,
            Ending(path, state, reason, ended_at, details or "", requests[job], attempts[job], record=record),
        )


JOBS = (
    "SELECT jobs.id, jobs.source_id, targets.url, jobs.state, jobs.reason, jobs.ended_at, jobs.details "
    "FROM jobs JOIN targets ON targets.id = jobs.target_id ORDER BY jobs.id"
)
RECORD_FIELDS = ("price_cents", "currency", "availability", "title", "sku")
RECORDS = (
    "SELECT prices.job_id, prices.price_cents, prices.currency, prices.availability, "
    "source_products.title, source_products.retailer_sku FROM prices "
    "JOIN source_products USING (source_id, identity_key)"
)


class by_job(dict[int, tuple[float, ...]]):  # noqa: N801 - reads as a question
    """Every value of a job; none for a job that has none."""

    def __init__(self, data_dir: Path, sql: str) -> None:
        super().__init__()
        for job, value in rows(data_dir, sql):
            self[job] = (*self[job], value)

    def __missing__(self, job: int) -> tuple[float, ...]:
        return ()


@dataclass(frozen=True)
class Hostile:
    """What the tests of this folder work with, since test modules cannot import each other."""

    origin: HostileOrigin
    folder: Path

    domain = staticmethod(Domain)

    def walk(self, name: str, domains: Sequence[Domain], **settings: Any) -> Walk:
        return walk(self.folder / name, self.origin, domains, **settings)

    def peak_memory(self, domains: Sequence[Domain], *, warm_up: str) -> list[float]:
        """Return the MiB of a client of its own: after a healthy domain, after all in turn, after all at once."""
        config = write_config(self.folder, self.origin, domains)
        command = [sys.executable, str(WALKER), str(self.folder / "memory"), str(config), warm_up]
        said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout
        return [float(line) for line in said.split()]


@pytest.fixture(scope="module")
def start_origin() -> Iterator[Callable[..., HostileOrigin]]:
    started: list[HostileOrigin] = []

    def start(*options: str) -> HostileOrigin:
        started.append(HostileOrigin(*options))
        return started[-1]

    yield start
    for origin in started:
        origin.stop()


@pytest.fixture(scope="module")
def hostile(start_origin, tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    """A shop where every product is simply in stock, so that only the fault makes a difference."""
    return Hostile(start_origin("--plain", "--products", "120"), tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def motley(start_origin, tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    """A shop with products of every kind."""
    return Hostile(start_origin("--products", "40"), tmp_path_factory.mktemp("motley"))
