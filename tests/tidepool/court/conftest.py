"""A small court, and a visitor who keeps its cookie."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import aiohttp
import pytest

from tidepool import Tidepool
from tidepool.court import Court
from tidepool.court.court import AJAX, INDEX, LISTING, REGISTERS

NONCE = re.compile(r'"ajax_nonce": ?"([0-9a-f]{10})"')
FOLDER = re.compile(r'"fid": ?"(\d+)"')


@dataclass
class Visitor:
    """Reads the page, asks at the desk, and goes where it is sent."""

    pool: Tidepool
    http: aiohttp.ClientSession
    nonce: str = ""
    folder: str = ""
    cookie: str = ""

    @property
    def court(self) -> Court:
        site = self.pool.site("court")
        assert isinstance(site, Court)
        return site

    def url(self, path: str) -> str:
        return self.pool.url("court", path)

    async def page(self, path: str = LISTING) -> str:
        headers = {"Cookie": self.cookie} if self.cookie else {}
        async with self.http.get(self.url(path), headers=headers) as response:
            text = await response.text()
            self.cookie = response.headers.get("Set-Cookie", self.cookie).partition(";")[0]
        self.nonce = found[1] if (found := NONCE.search(text)) else ""
        self.folder = found[1] if (found := FOLDER.search(text)) else ""
        return text

    async def ask(self, token: str, *, action: str = "dl_bfile", **instead: str) -> tuple[int, str]:
        form = {"action": action, "fid": self.folder, "fname": token, "security": self.nonce} | instead
        async with self.http.post(self.url(AJAX), data=form, headers={"Cookie": self.cookie}) as response:
            return response.status, await response.text()

    async def address(self, token: str) -> str:
        status, text = await self.ask(token)
        assert status == 200, text
        return str(json.loads(text)["data"]["fid"])

    async def get(self, url: str) -> tuple[int, bytes]:
        async with self.http.get(url) as response:
            return response.status, await response.read()

    async def index(self, **headers: str) -> tuple[int, bytes, Mapping[str, str]]:
        async with self.http.get(self.url(INDEX), headers=headers) as response:
            return response.status, await response.read(), response.headers

    async def registers(self, query: str = "") -> str:
        return await self.page(REGISTERS + query)


@pytest.fixture
async def pool() -> AsyncIterator[Tidepool]:
    async with Tidepool(seed=7, cases=300) as pool:
        yield pool


@pytest.fixture
async def visitor(visitor: aiohttp.ClientSession) -> AsyncIterator[aiohttp.ClientSession]:
    """One who shows only the cookies he is told to."""
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(
        connector=visitor.connector, connector_owner=False, cookie_jar=jar
    ) as session:
        yield session


@pytest.fixture
async def guest(pool: Tidepool, visitor: aiohttp.ClientSession) -> Visitor:
    """A visitor who has opened the listing."""
    guest = Visitor(pool, visitor)
    await guest.page()
    return guest
