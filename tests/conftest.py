"""What tests may ask for: a real Redis, a real Postgres, a real browser. Missing ones are said loudly."""

from __future__ import annotations

import json
import multiprocessing
import os
import select
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
import redis

from limpet.record.database import LEDGER_FILE, open_engine
from limpet.record.migrate import migrate

# Commands in processes of their own are forked where this is loaded already: it is most of what starting them costs.
# One list for every folder, because there is one such place in a process.
multiprocessing.get_context("forkserver").set_forkserver_preload(
    [
        "limpet.assembly.match_watch",
        "limpet.apps.prices",
        "limpet.apps.dockets",
        "limpet.apps.judgments",
        "limpet.cli.walking",
        "limpet.cli.demonstrating",
        "limpet.cli.scaling",
        "typer",
    ]
)
KEEPER = Path(__file__).parent / "servers" / "keeper.py"
START_SECONDS = 150
CHROMIUM_NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)
missing_parts: set[str] = set()


@dataclass
class KeptServer:
    """A server of our own; `stop` ends it at once, as if it had crashed or been unplugged."""

    url: str
    pid: int | None
    keeper: subprocess.Popen[str]

    def crash_and_return(self) -> None:
        """Kill it without a farewell, and return when it answers again at the same address."""
        self._wish("crash")

    def go_away(self) -> None:
        """Kill it without a farewell, and leave it so."""
        self._wish("away")

    def come_back(self) -> None:
        """Return when it answers again at the same address."""
        self._wish("back")

    def _wish(self, word: str) -> None:
        assert self.keeper.stdin is not None and self.keeper.stdout is not None
        self.keeper.stdin.write(f"{word}\n")
        self.keeper.stdin.flush()
        self.pid = json.loads(self.keeper.stdout.readline())["pid"]

    def stop(self) -> None:
        assert self.keeper.stdin is not None
        self.keeper.stdin.close()
        self.keeper.wait(timeout=30)


def start_server(kind: str) -> KeptServer:
    """Return the running server, or skip: fail instead when LIMPET_REQUIRE_SERVERS is 1."""
    keeper = subprocess.Popen(
        [sys.executable, str(KEEPER), kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a Ctrl-C is for the tests; the keeper ends the server when they are gone
    )
    assert keeper.stdout is not None
    readable, _, _ = select.select([keeper.stdout], [], [], START_SECONDS)
    line = keeper.stdout.readline() if readable else ""
    answer = json.loads(line) if line else {"error": f"the keeper of {kind} said nothing"}
    if "url" not in answer:
        keeper.kill()
        keeper.wait()
        do_without(kind, answer["error"])
    return KeptServer(answer["url"], answer["pid"], keeper)


def do_without(part: str, reason: str) -> None:
    if os.environ.get("LIMPET_REQUIRE_SERVERS") == "1":
        pytest.fail(
            f"{part} is required (LIMPET_REQUIRE_SERVERS=1) but cannot be had: {reason}", pytrace=False
        )
    missing_parts.add(f"{part}: {reason}")
    pytest.skip(f"{part} cannot be had: {reason}")


@contextmanager
def serving(kind: str) -> Iterator[KeptServer]:
    server = start_server(kind)
    try:
        yield server
    finally:
        server.stop()


# -- SQLite ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def migrated_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with today's schema, to be copied: migrating costs more than most tests."""
    folder = tmp_path_factory.mktemp("migrated")
    migrate_at(folder)
    return folder / LEDGER_FILE


def migrate_at(where: str | Path) -> None:
    engine = open_engine(where)
    migrate(engine)
    engine.dispose()


# -- Redis -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def redis_server() -> Iterator[KeptServer]:
    """One Redis for the whole session of this worker."""
    with serving("redis") as server:
        yield server


@pytest.fixture
def redis_url(redis_server: KeptServer) -> Iterator[str]:
    """The address of an empty Redis."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
    yield redis_server.url


@pytest.fixture
def own_redis() -> Iterator[KeptServer]:
    """A Redis for this test alone, which it may stop to see what happens without."""
    with serving("redis") as server:
        yield server


# -- Postgres ----------------------------------------------------------------------------------------------


@pytest.fixture
def own_postgres() -> Iterator[KeptServer]:
    """A Postgres for this test alone, durable, which it may crash to see what survives."""
    with serving("durable_postgres") as server:
        yield server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[KeptServer]:
    """One Postgres for the whole session of this worker."""
    with serving("postgres") as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: KeptServer) -> Iterator[str]:
    """The address of a fresh, empty database that is dropped after the test."""
    with new_database(postgres_server) as name:
        yield at(postgres_server, name)


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: KeptServer) -> Iterator[str]:
    """The name of a database with today's schema, to be copied: walking every script costs more than most tests."""
    with new_database(postgres_server) as name:
        migrate_at(at(postgres_server, name))
        yield name


@pytest.fixture
def migrated_postgres_url(postgres_server: KeptServer, migrated_postgres: str) -> Iterator[str]:
    """The address of a fresh database with today's schema that is dropped after the test."""
    with new_database(postgres_server, template=migrated_postgres) as name:
        yield at(postgres_server, name)


@contextmanager
def new_database(server: KeptServer, *, template: str = "template1") -> Iterator[str]:
    name = f"limpet_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server.url, autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    yield name
    with psycopg.connect(server.url, autocommit=True) as admin:
        admin.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def at(server: KeptServer, database: str) -> str:
    return server.url.rpartition("/")[0] + f"/{database}"


# -- the browser -------------------------------------------------------------------------------------------


def find_chromium() -> str | None:
    """Return the browser the tests shall use: the one named, one on PATH, or the one Playwright installed."""
    named = os.environ.get("LIMPET_CHROMIUM")
    if named:
        return named
    on_path = next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)
    return on_path or installed_by_playwright()


def installed_by_playwright() -> str | None:
    root = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    patterns = (
        "chromium*/chrome-*/*headless-shell",
        "chromium*/chrome-*/headless_shell",
        "chromium*/chrome-*/chrome",
    )
    return next(
        (str(path) for pattern in patterns for path in sorted(root.glob(pattern), reverse=True)), None
    )


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a real Chromium; tests that need it are skipped, loudly, when there is none."""
    path = find_chromium()
    if path is None:
        missing_parts.add("Chromium: run `make browser`, or set LIMPET_CHROMIUM to its program")
        pytest.skip("no Chromium: run `make browser`, or set LIMPET_CHROMIUM to its program")
    return path


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out and why: a green run that skipped the browser must not look complete."""
    skipped = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if "cannot be had" in str(report.longrepr) or "no Chromium" in str(report.longrepr)
    ]
    if skipped:
        terminalreporter.section("NOT TESTED: a part was missing", sep="!", red=True)
        for reason in sorted({str(report.longrepr[2]) for report in skipped}):
            terminalreporter.write_line(reason)
