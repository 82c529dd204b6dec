"""A house nobody has furnished yet: every page teaches the next step."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from limpet.assembly import House, assemble
from limpet.cli.admission import newcomers_link
from limpet.errors import LedgerUnreadable
from limpet.record.access.accounts import add_account, find_account
from limpet.record.access.roles import Role
from limpet.record.access.sessions import open_session
from limpet.settings import Settings
from limpet.source import Source
from limpet.web.portal import portal_for
from limpet.web.server import serve_portal


@pytest.fixture
async def visitor(tmp_path: Path) -> AsyncIterator[aiohttp.ClientSession]:
    """Somebody at the door of an empty house."""
    async with assemble(Settings(data_dir=tmp_path)) as house:
        stop, door = asyncio.Event(), socket.create_server(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{door.getsockname()[1]}"
        async with asyncio.TaskGroup() as group:
            app = portal_for(house)
            group.create_task(serve_portal(app, door, stop))
            async with aiohttp.ClientSession(base, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
                link = await newcomers_link(house, door.getsockname()[1])
                async with session.get(link or "", allow_redirects=False):
                    pass  # from here on the visitor has a session
                session.app = app  # type: ignore[attr-defined]
                yield session
            stop.set()


@pytest.mark.parametrize(
    ("path", "lesson"),
    [
        ("/", "limpet init"),
        ("/runs", "limpet run prices"),
        ("/sources", "limpet doctor"),
        ("/prices", "limpet parse --site"),
        ("/politeness", "limpet fetch URL"),
    ],
)
async def test_empty_page_teaches_the_next_step(
    visitor: aiohttp.ClientSession, path: str, lesson: str
) -> None:
    async with visitor.get(path) as response:
        text = await response.text()

    assert response.status == 200
    assert lesson in text


async def viewers_session(house: House) -> str:
    def begin(connection: Connection) -> str:
        now = house.clock.now()
        add_account(connection, "onlooker", role=Role.VIEWER, password_hash=None, by="test", now=now)
        account = find_account(connection, "onlooker")
        assert account is not None
        return open_session(connection, account.id, lives=timedelta(hours=1), address="::1", now=now)

    return await house.ledger.write(begin)


@pytest.mark.parametrize(
    ("path", "to_operators", "to_viewers"),
    [
        ("/targets", "Paste some addresses below", "An operator can add addresses"),
        ("/prices/corrections", "fill in the form above", "an operator can lay a factor"),
    ],
)
async def test_an_empty_page_names_only_forms_its_reader_is_shown(
    visitor: aiohttp.ClientSession, path: str, to_operators: str, to_viewers: str
) -> None:
    secret = await viewers_session(visitor.app.state.house)  # type: ignore[attr-defined]

    async with (
        visitor.get(path) as mine,
        visitor.get(path, cookies={"limpet_session": secret}) as theirs,
    ):
        shown, read_only = await mine.text(), await theirs.text()

    assert to_operators in shown and to_viewers not in shown
    assert to_viewers in read_only and to_operators not in read_only


async def test_where_matches_are_watched_nobody_is_told_that_nothing_is(
    visitor: aiohttp.ClientSession,
) -> None:
    visitor.app.state.house.catalogue.register(Source("board", "matches", "pavilion", ()))  # type: ignore[attr-defined]

    async with visitor.get("/targets") as response:
        text = await response.text()

    assert "are found and watched by themselves" in text
    assert "Nothing is watched yet" not in text


async def test_house_without_sources_is_healthy_and_idle(visitor: aiohttp.ClientSession) -> None:
    async with visitor.get("/health") as response:
        said = await response.json()

    assert (said["grade"], said["is_idle"], said["status"]) == ("healthy", True, "healthy")


async def test_ledger_that_cannot_be_read_is_down_but_said(
    visitor: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unreadable(question: object) -> None:
        raise LedgerUnreadable("The ledger went away.", fix="Bring it back.")

    monkeypatch.setattr(visitor.app.state.house.ledger, "read", unreadable)  # type: ignore[attr-defined]
    visitor.app.state.lookout.forget()  # type: ignore[attr-defined]

    async with visitor.get("/health") as health, visitor.get("/ready") as ready, visitor.get("/") as page:
        said, shown = await health.json(), await page.text()

    assert (health.status, said["status"], said["database"]) == (503, "down", "unavailable")
    assert ready.status == 503
    assert page.status == 503 and "The ledger went away." in shown and "Bring it back." in shown


async def test_failure_of_ours_is_an_apology_without_details(
    visitor: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(question: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(visitor.app.state.house.ledger, "read", broken)  # type: ignore[attr-defined]

    with capture_logs() as logged:
        async with visitor.get("/runs") as page, visitor.get("/api/v1/runs") as api:
            shown, problem = await page.text(), await api.json()

    assert page.status == api.status == 500
    assert "secret detail" in str(logged)
    assert "secret detail" not in shown and "secret detail" not in str(problem)
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert api.content_type == "application/problem+json"
