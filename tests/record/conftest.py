"""A ledger on SQLite and one on a real Postgres: whatever is promised is promised on both."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from limpet.clock import FrozenClock
from limpet.fetch.outcome import FetchOutcome
from limpet.fetch.page import Page
from limpet.fetch.trail import RequestNote
from limpet.record.entry import AttemptNote, Lease, NewRun, Run, Settlement
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import Outcome, Target

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(params=BOTH)
def empty_database_url(request: pytest.FixtureRequest) -> str | None:
    """None for the embedded database, or the address of an empty Postgres."""
    return request.getfixturevalue("postgres_url") if request.param == "postgres" else None


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    """None for the embedded database in `tmp_path`, or the address of a Postgres; both have today's schema."""
    if request.param == "postgres":
        return request.getfixturevalue("migrated_postgres_url")
    shutil.copy(request.getfixturevalue("migrated_ledger"), tmp_path)
    return None


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


class MemoryBookkeeper:
    """An app without tables: remembers what it was told, and chokes on the record "poison"."""

    app = "prices"

    def __init__(self) -> None:
        self.settled: list[Settlement] = []

    def write(self, connection: Connection, settled: Sequence[Settlement]) -> None:
        if any(settlement.record == "poison" for settlement in settled):
            raise ValueError("this record cannot be written")
        self.settled.extend(settled)

    def identities(
        self, connection: Connection, run_id: int, *, lane: str | None = None
    ) -> list[tuple[str, int]]:
        return [(str(settlement.record), settlement.lease.job_id) for settlement in self.settled]


@pytest.fixture
def bookkeeper() -> MemoryBookkeeper:
    return MemoryBookkeeper()


@pytest.fixture
def open_ledger(
    database_url: str | None, tmp_path: Path, clock: FrozenClock, bookkeeper: MemoryBookkeeper
) -> Callable[[], Any]:
    """Opens the same ledger once more, as another process would."""

    async def open_once_more() -> Ledger:
        return await Ledger.open(
            tmp_path, database_url=database_url, clock=clock, bookkeepers={bookkeeper.app: bookkeeper}
        )

    return open_once_more


@pytest.fixture
async def ledger(open_ledger: Callable[[], Any]) -> AsyncIterator[Ledger]:
    """An open ledger that knows one source, `shop`."""
    async with await open_ledger() as opened:
        await opened.put_source(Source(id="shop", app="prices", site="woo", hosts=("shop.test",)))
        yield opened


@pytest.fixture
def targets() -> Callable[..., list[Target]]:
    def make(count: int, *, lane: str = "shop.test", priority: int = 0) -> list[Target]:
        urls = [f"https://{lane}/p/{number}" for number in range(count)]
        return [Target("shop", url, url + "?utm_source=x", lane, priority=priority) for url in urls]

    return make


@pytest.fixture
def new_run() -> NewRun:
    return NewRun("prices", "shop")


@pytest.fixture
async def run(ledger: Ledger, targets: Callable[..., list[Target]], new_run: NewRun) -> Run:
    """A run over five targets of one lane."""
    return await ledger.plan_run(new_run, targets(5))


@pytest.fixture
def lease_all(ledger: Ledger) -> Callable[..., Any]:
    async def lease(run: Run, *, worker: str = "w1", limit: int = 100, seconds: float = 60) -> list[Lease]:
        return await ledger.lease(run.id, lane="shop.test", worker=worker, limit=limit, seconds=seconds)

    return lease


@pytest.fixture
def page_of(clock: FrozenClock) -> Callable[..., Page]:
    def make(lease: Lease, body: bytes | None = None, *, status: int = 200, etag: str | None = None) -> Page:
        headers = {"content-type": "text/html; charset=UTF-8"} | ({"etag": etag} if etag else {})
        url = lease.target.url
        content = f"<html>{lease.job_id}</html>".encode() if body is None else body
        return Page(url, url, status, headers, content, clock.now())

    return make


@pytest.fixture
def settlement_of(clock: FrozenClock, page_of: Callable[..., Page]) -> Callable[..., Settlement]:
    """A settlement as the engine hands it in: one attempt, one request, the page."""

    def make(lease: Lease, outcome: Outcome = Outcome.SUCCEEDED, **parts: Any) -> Settlement:
        now = clock.now()
        url = lease.target.url
        note = RequestNote("shop", "shop.test", url, "page", now, 12.5, FetchOutcome.OK, status=200)
        given = {
            "page": page_of(lease),
            "site_id": "woo",
            "site_version": "1.0.0",
            "attempts": [AttemptNote(lease.attempt + 1, now, 12.5, "ok", status=200)],
            "requests": [note],
        }
        return Settlement(lease, outcome, now, **given | parts)

    return make
