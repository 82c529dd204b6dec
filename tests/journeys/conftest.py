"""Whole journeys: a pretend shop on a real port, a real ledger, and Limpet in this process or in one of its own."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
import runpy
import shutil
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from limpet.assembly import House, app_checks, assemble
from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun, Run, Settlement
from limpet.record.reading import Job
from limpet.settings import load_settings
from tidepool import Tidepool
from tidepool.access_log import Visit

COMMAND = Path(__file__).with_name("command.py")
# Every command is a process of its own, forked where the imports are done already; see the first conftest.
FORKS = multiprocessing.get_context("forkserver")
PATIENCE = 60.0  # for a process of ours on a busy machine; nothing waits that long when all is well
QUICK = "requests_per_second = 200\nmin_delay_seconds = 0.005\njitter = 0"


@dataclass
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str


@dataclass(eq=False)
class Command:
    """A limpet in a process of its own, whose lines are read as they come."""

    process: BaseProcess
    place: Path

    @property
    def out(self) -> str:
        return _text(self.place / "out")

    @property
    def log(self) -> str:
        return _text(self.place / "err")

    async def says(self, pattern: str) -> re.Match[str]:
        """Return where the output matches, as soon as it does."""
        async with asyncio.timeout(PATIENCE):
            while not (found := re.search(pattern, self.out)):
                assert self.process.is_alive(), self.out
                await asyncio.sleep(0.01)
        return found

    def interrupt(self, number: int = signal.SIGINT) -> None:
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    async def ends(self) -> Said:
        await asyncio.to_thread(self.process.join, PATIENCE)
        assert self.process.exitcode is not None, self.out
        return Said(self.process.exitcode, self.out, _text(self.place / "err"))


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


class Onlooker(Silence):
    """Hears what is settled and held; may act on the way."""

    def __init__(self, on_settled: Callable[[int], None] = lambda count: None) -> None:
        self.settlements: list[Settlement] = []
        self.rests: list[tuple[str, str, float]] = []
        self._on_settled = on_settled

    def settled(self, settlement: Settlement) -> None:
        self.settlements.append(settlement)
        self._on_settled(len(self.settlements))

    def held(self, lane: str, reason: str, seconds: float) -> None:
        self.rests.append((lane, reason, seconds))


@dataclass
class Shore:
    """One pretend web, one data directory, one config."""

    folder: Path
    pool: Tidepool
    environment: dict[str, str] = field(default_factory=dict)
    _commands: list[Command] = field(default_factory=list)

    # -- the web -------------------------------------------------------------------------------------------

    def paths(self, count: int, *, start: int = 0) -> list[str]:
        return [product.path for product in self.pool.site("shop").catalogue][start : start + count]

    def urls(self, count: int, *, start: int = 0, zone: str = "tidepool.localhost") -> list[str]:
        return [self.pool.url("shop", path, zone=zone) for path in self.paths(count, start=start)]

    def visits(self, path: str = "/product/", *, zone: str = "tidepool.localhost") -> list[Visit]:
        """What the origin saw of product pages, in order of arrival."""
        return [v for v in self.pool.log if v.host == f"shop.{zone}" and v.path.startswith(path)]

    async def until(self, comes_true: Callable[[], object]) -> None:
        """Return once the origin has seen what is waited for."""
        async with asyncio.timeout(PATIENCE):
            while not comes_true():
                await asyncio.sleep(0.01)

    # -- limpet --------------------------------------------------------------------------------------------

    @property
    def data_dir(self) -> Path:
        return self.folder / "data"

    @property
    def config(self) -> Path:
        return self.folder / "limpet.toml"

    def source(
        self,
        targets: Sequence[str],
        *,
        name: str = "shop",
        zone: str = "tidepool.localhost",
        pace: str = QUICK,
        extra: str = "",
        terms: str = 'reviewed_at = 2026-01-01\napproved_by = "the tests"',
    ) -> str:
        """Return one source as the config file has it."""
        listed = "".join(f'"{url}",\n' for url in targets)
        return (
            f'[[sources]]\nid = "{name}"\napp = "prices"\nsite = "tidepool_shop"\nhosts = ["shop.{zone}"]\n'
            f"http_only = true\nallow_private_addresses = true\n{extra}\ntargets = [\n{listed}]\n"
            f"[sources.terms]\n{terms}\n[sources.pace]\n{pace}\n"
        )

    def describe_shop(self, version: str, count: int, *, product: str, price: str, stock: str) -> None:
        """Write the shop's adapter `drifty` into a file, as a person would who mends it, and a source it reads."""
        (self.folder / "sites").mkdir(exist_ok=True)
        (self.folder / "sites" / "drifty.yaml").write_text(
            f"id: drifty\nversion: {version}\napp: prices\ndomain: shop.tidepool.localhost\ncurrency: USD\n"
            f"product: '{product}'\n"
            f"fields:\n  title: {{css: h1}}\n  price: [{price}]\n  availability: {{css: '{stock}'}}\n"
        )
        self.write_config(self.source(self.urls(count)).replace("tidepool_shop", "drifty"))

    def write_config(self, *sources: str, settings: str = "") -> None:
        self.config.write_text(f"[settings]\n{settings}\n" + "\n".join(sources))

    def open(self, **settings: Any) -> AbstractAsyncContextManager[House]:
        """Open the whole house in this process."""
        asked = {name.removeprefix("LIMPET_").lower(): value for name, value in self.environment.items()}
        return assemble(load_settings(data_dir=self.data_dir, config=self.config, **asked, **settings))

    async def start(self, *words: str) -> Command:
        """Start a command in a process of its own; it is ended with the test if it has not ended by itself."""
        place = self.folder / f"command-{len(self._commands)}"
        place.mkdir()
        known = {
            "words": [*words, "--data-dir", str(self.data_dir), "--config", str(self.config)],
            "folder": str(self.folder),
            "out": str(place / "out"),
            "err": str(place / "err"),
            "environment": {"COLUMNS": "200"} | self.environment,
        }
        process = FORKS.Process(target=runpy.run_path, args=(str(COMMAND), known, "__main__"))
        command = Command(process, place)
        self._commands.append(command)
        await asyncio.to_thread(process.start)
        return command

    async def limpet(self, *words: str) -> Said:
        """Run a command to its end."""
        return await (await self.start(*words)).ends()

    async def end_commands(self) -> None:
        for command in self._commands:
            if command.process.is_alive():
                command.process.kill()
                await asyncio.to_thread(command.process.join)


async def plan_and_walk(house: House, watcher: Silence | None = None, **new: Any) -> Run:
    """Plan a run over every source and walk it."""
    run = await house.desk.plan(NewRun(app="prices", source_id=None, **new))
    return await walk(house, run, watcher)


async def walk(house: House, run: Run, watcher: Silence | None = None, *, app: str = "prices") -> Run:
    return await house.desk.walk(run, house.app(app), watcher or Silence())


async def prove(house: House) -> None:
    """Fail unless every run balances and every file matches."""
    found = await house.ledger.verify(app_checks=app_checks())
    assert found.is_sound, found.problems


async def words_of(house: House, run: Run) -> list[tuple[str, str | None]]:
    """Return how each job of the run ended, in planned order."""
    jobs: list[Job] = await house.ledger.jobs(run.id)
    return [(job.state.value, job.reason) for job in jobs]


@pytest.fixture
async def shore(tmp_path: Path, migrated_ledger: Path) -> AsyncIterator[Shore]:
    """A pretend web with plain products and an empty ledger beside it."""
    (tmp_path / "data").mkdir()
    shutil.copy(migrated_ledger, tmp_path / "data")
    async with Tidepool(products=60, plain=True) as pool:
        shore = Shore(tmp_path, pool)
        yield shore
        await shore.end_commands()


@pytest.fixture(params=["embedded", pytest.param("scaled", marks=[pytest.mark.postgres, pytest.mark.redis])])
def anywhere(shore: Shore, request: pytest.FixtureRequest) -> Shore:
    """The same shore twice: on SQLite and files, and on Postgres and Redis."""
    if request.param == "scaled":
        shore.environment["LIMPET_DATABASE_URL"] = request.getfixturevalue("migrated_postgres_url")
        shore.environment["LIMPET_REDIS_URL"] = request.getfixturevalue("redis_url")
    return shore


@pytest.fixture
def journey() -> type[Journeys]:
    """What tests share; they cannot import each other."""
    return Journeys


class Journeys:
    """How a house is walked and looked at."""

    Onlooker = Onlooker
    plan_and_walk = staticmethod(plan_and_walk)
    walk = staticmethod(walk)
    prove = staticmethod(prove)
    words_of = staticmethod(words_of)
