"""A house nobody has furnished yet: every page teaches the next step."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from structlog.testing import capture_logs

from limpet.assembly import assemble
from limpet.cli.admission import newcomers_link
from limpet.errors import LedgerUnreadable
from limpet.settings import Settings
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
