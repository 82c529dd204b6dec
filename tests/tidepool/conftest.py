"""A pretend web per test, a well-behaved visitor (aiohttp) and one that shows the bare bytes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import aiohttp
import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from selectolax.lexbor import LexborHTMLParser

from tidepool import Tidepool
from tidepool.trade import Kind, Storefront

PATIENCE_SECONDS = 20.0


class EverythingIsHere(AbstractResolver):
    """Resolves every name to this machine, so that a site is visited under its own name."""

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        return [ResolveResult(hostname=host, host="127.0.0.1", port=port, family=2, proto=0, flags=0)]

    async def close(self) -> None:
        return None


@dataclass(frozen=True)
class Heard:
    """What came over the wire, and how it ended: closed, reset, silent (still open) or cut (enough)."""

    data: bytes
    ending: str

    @property
    def head(self) -> bytes:
        return self.data.partition(b"\r\n\r\n")[0]

    @property
    def body(self) -> bytes:
        return self.data.partition(b"\r\n\r\n")[2]

    @property
    def status(self) -> int:
        return int(self.data.split(b" ", 2)[1])


Listen = Callable[..., Awaitable[Heard]]


@pytest.fixture
async def pool() -> AsyncIterator[Tidepool]:
    async with Tidepool(seed=7) as pool:
        yield pool


@pytest.fixture
async def visitor() -> AsyncIterator[aiohttp.ClientSession]:
    connector = aiohttp.TCPConnector(resolver=EverythingIsHere(), limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        yield session


@pytest.fixture
def page_at(
    pool: Tidepool, visitor: aiohttp.ClientSession
) -> Callable[[str, str], Awaitable[LexborHTMLParser]]:
    """Visit a page that must be there, and return its tree."""

    async def page_at(site: str, path: str) -> LexborHTMLParser:
        async with visitor.get(pool.url(site, path)) as response:
            assert response.status == 200, path
            return LexborHTMLParser(await response.text())

    return page_at


@pytest.fixture
def product_path(pool: Tidepool) -> str:
    """The page of some product that is simply in stock."""
    return path_of(pool, Kind.IN_STOCK)


@pytest.fixture
def path_of_kind(pool: Tidepool) -> Callable[..., str]:
    return lambda kind, site="shop": path_of(pool, Kind(kind), site=site)


def path_of(pool: Tidepool, kind: Kind, *, site: str = "shop") -> str:
    shop = pool.site(site)
    assert isinstance(shop, Storefront)
    wanted = {"OutOfStock"} if kind in (Kind.SOLD_OUT, Kind.SOLD_OUT_UNPRICED) else {"InStock"}
    steady = (Kind.IN_STOCK, Kind.TIERED, Kind.ON_SALE)
    return next(
        product.path
        for product in shop.catalogue
        if product.kind is kind and (kind not in steady or shop.offer(product, tick=0).availability in wanted)
    )


@pytest.fixture
def listen(pool: Tidepool) -> Listen:
    """Ask for a path and return the bare bytes, up to a limit or a silence."""

    async def listen(
        path: str,
        *,
        host: str = "shop.tidepool.localhost",
        most: int = 300_000,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> Heard:
        reader, writer = await asyncio.open_connection("127.0.0.1", pool.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{pool.port}\r\nConnection: close\r\n\r\n".encode())
        data = bytearray()
        try:
            while len(data) < most:
                piece = await asyncio.wait_for(reader.read(65536), patience_seconds)
                if not piece:
                    return Heard(bytes(data), "closed")
                data += piece
        except TimeoutError:
            return Heard(bytes(data), "silent")
        except ConnectionError:
            return Heard(bytes(data), "reset")
        finally:
            writer.close()
        return Heard(bytes(data), "cut")

    return listen
