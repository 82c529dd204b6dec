from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest
from ada_url import URL

from limpet.errors import AddressForbidden, BadAddress
from limpet.fetch.policy.allowlist import check_address
from limpet.fetch.policy.resolver import GuardedResolver, look_up

_LINES = (Path(__file__).parent / "forbidden_addresses.txt").read_text("ascii").splitlines()
FORBIDDEN = [line.encode().decode("unicode_escape") for line in _LINES if line and not line.startswith("#")]


@dataclass
class Canary:
    """A server on loopback that nobody should ever reach."""

    port: int
    visits: list[str] = field(default_factory=list)


@pytest.fixture
async def canary() -> AsyncIterator[Canary]:
    seen: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(str(writer.get_extra_info("peername")))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield Canary(port=server.sockets[0].getsockname()[1], visits=seen)


def session_with(resolver: GuardedResolver) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(resolver=resolver, ttl_dns_cache=1),
        timeout=aiohttp.ClientTimeout(total=5),
    )


async def everything_is_loopback(name: str, family: socket.AddressFamily) -> Sequence[str]:
    return ["127.0.0.1"]


def at_port(url: str, port: int) -> str:
    """Point the spelling at the canary's port, so that a hole in the fence would be seen."""
    try:
        parsed = URL(url)
    except ValueError:
        return url
    if parsed.protocol not in ("http:", "https:"):
        return url
    parsed.protocol = "http"
    parsed.port = str(port)
    return str(parsed.href)


async def test_no_spelling_reaches_the_canary(canary: Canary) -> None:
    refused = 0

    async with session_with(GuardedResolver(lookup=everything_is_loopback)) as session:
        for url in FORBIDDEN:
            for spelling in {url, at_port(url, canary.port)}:
                with pytest.raises((AddressForbidden, BadAddress)):
                    await session.get(check_address(spelling))
                refused += 1

    assert refused > len(FORBIDDEN)
    assert canary.visits == []


async def test_the_resolver_alone_stops_every_name(canary: Canary) -> None:
    names = ("example.com", "localhost", "a.localhost", "127.0.0.1.nip.io", "metadata.google.internal", "nas")

    async with session_with(GuardedResolver(lookup=everything_is_loopback)) as session:
        for name in names:
            with pytest.raises(AddressForbidden):
                await session.get(f"http://{name}:{canary.port}/")

    assert canary.visits == []


@pytest.mark.parametrize(
    "answer",
    [
        ["127.0.0.1"],
        ["93.184.216.34", "127.0.0.1"],
        ["93.184.216.34", "2606:4700::1111", "::1"],
        ["169.254.169.254"],
        ["::ffff:10.0.0.1"],
        ["64:ff9b::a9fe:a9fe"],
        ["fe80::1%2"],
        ["100.64.0.1"],
        ["0.0.0.0"],
        ["not an ip"],
    ],
)
async def test_one_forbidden_ip_refuses_the_whole_answer(answer: list[str]) -> None:
    async def lookup(name: str, family: socket.AddressFamily) -> Sequence[str]:
        return answer

    with pytest.raises(AddressForbidden, match="public address"):
        await GuardedResolver(lookup=lookup).resolve("example.com", 80)


async def test_only_checked_ips_are_handed_to_the_dialler() -> None:
    async def lookup(name: str, family: socket.AddressFamily) -> Sequence[str]:
        return ["93.184.216.34", "2606:4700::1111"]

    answers = await GuardedResolver(lookup=lookup).resolve("example.com", 443, socket.AF_UNSPEC)

    assert [(a["host"], a["port"], a["family"]) for a in answers] == [
        ("93.184.216.34", 443, socket.AF_INET),
        ("2606:4700::1111", 443, socket.AF_INET6),
    ]
    assert all(a["flags"] & socket.AI_NUMERICHOST for a in answers)


async def test_a_name_that_changes_its_mind_gains_nothing(canary: Canary) -> None:
    answers = iter([["93.184.216.34"]])
    asked: list[str] = []

    async def rebinding(name: str, family: socket.AddressFamily) -> Sequence[str]:
        asked.append(name)
        return next(answers, ["127.0.0.1"])

    resolver = GuardedResolver(lookup=rebinding)
    first = await resolver.resolve("rebind.example.com", canary.port)
    async with session_with(resolver) as session:
        for _ in range(5):
            with pytest.raises(AddressForbidden):
                await session.get(f"http://rebind.example.com:{canary.port}/")

    assert [a["host"] for a in first] == ["93.184.216.34"]
    assert len(asked) == 6
    assert canary.visits == []


async def test_permitted_hosts_reach_our_own_machine_and_no_other_does(canary: Canary) -> None:
    resolver = GuardedResolver(private_hosts=["shop.tidepool.localhost"])
    resolver.permit_private(["*.own.localhost"])

    async with session_with(resolver) as session:
        for name in ("shop.tidepool.localhost", "a.own.localhost"):
            async with session.get(f"http://{name}:{canary.port}/") as answer:
                assert answer.status == 200
        for name in ("court.tidepool.localhost", "own.localhost", "localhost"):
            with pytest.raises(AddressForbidden):
                await session.get(f"http://{name}:{canary.port}/")

    assert len(canary.visits) == 2


async def test_a_permitted_host_still_cannot_lead_to_metadata() -> None:
    async def lookup(name: str, family: socket.AddressFamily) -> Sequence[str]:
        return ["169.254.169.254"]

    with pytest.raises(AddressForbidden):
        await GuardedResolver(lookup=lookup, private_hosts=["own.example.com"]).resolve("own.example.com")


async def test_localhost_names_are_never_asked_of_dns() -> None:
    async def lookup(name: str, family: socket.AddressFamily) -> Sequence[str]:
        raise AssertionError(name)

    resolver = GuardedResolver(lookup=lookup, private_hosts=["*.localhost"])

    assert await resolver.checked_ips("a.localhost.") == ("127.0.0.1", "::1")
    assert await resolver.checked_ips("a.localhost", socket.AF_INET) == ("127.0.0.1",)
    assert await resolver.checked_ips("a.localhost", socket.AF_INET6) == ("::1",)


async def test_a_name_without_an_answer_is_a_failed_connection_not_a_refusal() -> None:
    async def lookup(name: str, family: socket.AddressFamily) -> Sequence[str]:
        return []

    async with session_with(GuardedResolver(lookup=lookup)) as session:
        with pytest.raises(aiohttp.ClientConnectorDNSError):
            await session.get("http://nowhere.example.com/")


async def test_the_system_lookup_reads_ip_literals_too() -> None:
    assert await look_up("127.0.0.1", socket.AF_UNSPEC) == ["127.0.0.1"]

    with pytest.raises(AddressForbidden):
        await GuardedResolver().checked_ips("[::1]")
