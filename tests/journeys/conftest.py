"""Whole journeys: a pretend shop on a real port, a real ledger, and Limpet in this process or in one of its own."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from limpet.assembly import House, app_checks, assemble
from limpet.engine.watcher import Silence
from limpet.record.database import LEDGER_FILE, open_engine
from limpet.record.entry import NewRun, Run, Settlement
from limpet.record.migrate import migrate
from limpet.record.reading import Job
from limpet.settings import load_settings
from tidepool import Tidepool
from tidepool.access_log import Visit

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

    process: asyncio.subprocess.Process
    out: str = ""
    _grew: asyncio.Event = field(default_factory=asyncio.Event)
    _readers: list[asyncio.Task[str]] = field(default_factory=list)

    def listen(self) -> None:
        self._readers = [asyncio.create_task(self._read_out()), asyncio.create_task(self._read_err())]

    async def says(self, pattern: str) -> re.Match[str]:
        """Return where the output matches, as soon as it does."""
        async with asyncio.timeout(PATIENCE):
            while not (found := re.search(pattern, self.out)):
                self._grew.clear()
                assert self.process.returncode is None, self.out
                await self._grew.wait()
        return found

    def interrupt(self, number: int = signal.SIGINT) -> None:
        self.process.send_signal(number)

    async def ends(self) -> Said:
        async with asyncio.timeout(PATIENCE):
            out, err = await asyncio.gather(*self._readers)
            return Said(await self.process.wait(), out, err)

    async def _read_out(self) -> str:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.out += line.decode()
            self._grew.set()
        self._grew.set()
        return self.out

    async def _read_err(self) -> str:
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()


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

    def write_config(self, *sources: str, settings: str = "") -> None:
        self.config.write_text(f"[settings]\n{settings}\n" + "\n".join(sources))

    def open(self, **settings: Any) -> AbstractAsyncContextManager[House]:
        """Open the whole house in this process."""
        return assemble(load_settings(data_dir=self.data_dir, config=self.config, **settings))

    async def start(self, *words: str) -> Command:
        """Start a command in a process of its own; it is ended with the test if it has not ended by itself."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("LIMPET_")}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-u", "-m", "limpet", *words),
            *("--data-dir", str(self.data_dir), "--config", str(self.config)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=clean | {"COLUMNS": "200"} | self.environment,
            cwd=self.folder,
        )
        command = Command(process)
        self._commands.append(command)
        command.listen()
        return command

    async def limpet(self, *words: str) -> Said:
        """Run a command to its end."""
        return await (await self.start(*words)).ends()

    async def end_commands(self) -> None:
        for command in self._commands:
            if command.process.returncode is None:
                command.process.kill()
                await command.process.wait()


async def plan_and_walk(house: House, watcher: Silence | None = None, **new: Any) -> Run:
    """Plan a run over every source and walk it."""
    run = await house.desk.plan(NewRun(app="prices", source_id=None, **new))
    return await walk(house, run, watcher)


async def walk(house: House, run: Run, watcher: Silence | None = None) -> Run:
    return await house.desk.walk(run, house.app("prices"), watcher or Silence())


async def prove(house: House) -> None:
    """Fail unless every run balances and every file matches."""
    found = await house.ledger.verify(app_checks=app_checks())
    assert found.is_sound, found.problems


async def words_of(house: House, run: Run) -> list[tuple[str, str | None]]:
    """Return how each job of the run ended, in planned order."""
    jobs: list[Job] = await house.ledger.jobs(run.id)
    return [(job.state.value, job.reason) for job in jobs]


@pytest.fixture(scope="session")
def migrated_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with today's schema, to be copied: migrating costs more than most journeys."""
    folder = tmp_path_factory.mktemp("migrated")
    engine = open_engine(folder)
    migrate(engine)
    engine.dispose()
    return folder / LEDGER_FILE


@pytest.fixture
async def shore(tmp_path: Path, migrated_ledger: Path) -> AsyncIterator[Shore]:
    """A pretend web with plain products and an empty ledger beside it."""
    (tmp_path / "data").mkdir()
    shutil.copy(migrated_ledger, tmp_path / "data")
    async with Tidepool(products=60, plain=True) as pool:
        shore = Shore(tmp_path, pool)
        yield shore
        await shore.end_commands()


@pytest.fixture
def journey() -> type[Journeys]:
    return Journeys


class Journeys:
    """What tests share; they cannot import each other."""

    Onlooker = Onlooker
    plan_and_walk = staticmethod(plan_and_walk)
    walk = staticmethod(walk)
    prove = staticmethod(prove)
    words_of = staticmethod(words_of)
