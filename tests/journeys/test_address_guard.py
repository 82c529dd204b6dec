"""No spelling of a private address, on any way an address can come in, leads to a connection."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp.abc import ResolveResult

from limpet.assembly import House, assemble, network
from limpet.assembly import house as building
from limpet.configuration import Config
from limpet.configuration.loading import ConfiguredSource
from limpet.engine.watcher import Silence
from limpet.errors import AddressForbidden, BadAddress, FetchError, GateRefused, RobotsUnavailable
from limpet.fetch import Trail
from limpet.fetch.ask import Ask
from limpet.fetch.policy.resolver import GuardedResolver
from limpet.record.entry import NewRun
from limpet.record.ledger import Selection
from limpet.settings import load_settings
from limpet.source import Pace, Source, Terms
from limpet.target import JobState, Target
from limpet.target.address import join, parse_address

LIST = Path(__file__).parents[1] / "fetch" / "policy" / "forbidden_addresses.txt"
SPELLINGS = [
    line.encode().decode("unicode_escape")
    for line in LIST.read_text("ascii").splitlines()
    if line and not line.startswith("#")
]
PUBLIC_IP = "93.184.215.14"
SHOP = "http://shop.example.com"
AUTHORITY = re.compile(r"(\s*https?:[\\/]*)([^/\\?#]*)(.*)", re.DOTALL | re.IGNORECASE)
NOT_IN_A_HEADER = re.compile(r"[\r\n\0]")


def with_port(spelling: str, port: int) -> str:
    """Return the same trick aimed at the canary: the port put behind the host, unless one is named."""
    parts = AUTHORITY.fullmatch(spelling)
    if parts is None or re.search(r":\d*$", parts[2]):
        return spelling
    return f"{parts[1]}{parts[2]}:{port}{parts[3]}"


def hosts_of(spellings: Sequence[str]) -> Iterator[str]:
    """Yield each host as it is read, so that the allow-list is not what refuses it."""
    for spelling in spellings:
        with suppress(BadAddress):
            yield parse_address(spelling).host


# -- the world outside, and what must not be reached --------------------------------------------------------


@dataclass
class World:
    """A public web server as far as Limpet can tell, and canaries on loopback."""

    port: int = 0
    canary_port: int = 0
    reached: list[str] = field(default_factory=list)  # what came to a canary
    dialled: list[tuple[str, int]] = field(default_factory=list)  # what this process connected to
    served: list[str] = field(default_factory=list)
    spellings: list[str] = field(default_factory=list)
    page: str = "<h1>hello</h1>"

    @property
    def innocent(self) -> set[tuple[str, int]]:
        return {("127.0.0.1", self.port)}

    def must_be_untouched(self) -> None:
        assert self.reached == []
        assert {dial for dial in self.dialled if dial[1] > 0} <= self.innocent

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            host = re.search(r"(?im)^host: *([^\r]*)", head)
            path = head.split(" ", 2)[1]
            path = path[path.find("/", 8) :] if path.startswith("http") else path
            self.served.append(f"{host[1] if host else ''}{path}")
            writer.write(self._answer(host[1] if host else "", path))
            await writer.drain()
        writer.close()

    def _answer(self, host: str, path: str) -> bytes:
        if path == "/robots.txt" and (number := re.match(r"r(\d+)\.", host)):
            return self._redirect(int(number[1]))
        if path == "/robots.txt":
            return page(b"User-agent: *\nDisallow:\n", "text/plain")
        if number := re.match(r"/go/(\d+)$", path):
            return self._redirect(int(number[1]))
        return page(f"<!doctype html><title>a shop</title>{self.page}".encode())

    def _redirect(self, number: int) -> bytes:
        location = self.spellings[number].encode("utf-8", "surrogatepass")
        return (
            b"HTTP/1.1 302 Found\r\nLocation: "
            + location
            + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )

    async def sing(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A canary was reached."""
        self.reached.append(str(writer.get_extra_info("sockname")))
        writer.write(page(b"tweet"))
        writer.close()


def page(body: bytes, media_type: str = "text/html; charset=utf-8") -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"Connection: close\r\n\r\n" + body


class PublicInternet(GuardedResolver):
    """The resolver under test; one public IP, once it has passed, is routed to our pretend server."""

    def __init__(self, world: World, lookup: Callable[[str, Any], Any]) -> None:
        super().__init__(lookup=lookup)
        self._world = world

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await super().resolve(host, port, family)
        return [self._routed(each) if each["host"] == PUBLIC_IP else each for each in found]

    def _routed(self, found: ResolveResult) -> ResolveResult:
        return ResolveResult(**{**found, "host": "127.0.0.1", "port": self._world.port})


listening: list[World] = []


def on_audit(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and listening:
        address = arguments[1]
        if isinstance(address, tuple) and arguments[0].type == socket.SOCK_STREAM:
            listening[-1].dialled.append(address[:2])


sys.addaudithook(on_audit)  # stays for the life of the process, and is deaf unless a world listens


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def built_world() -> AsyncIterator[World]:
    world = World()
    server = await asyncio.start_server(world.answer, "127.0.0.1", 0)
    world.port = server.sockets[0].getsockname()[1]
    canary = await asyncio.start_server(world.sing, "127.0.0.1", 0)
    world.canary_port = canary.sockets[0].getsockname()[1]
    canaries = [canary]
    for host, port in [("::1", world.canary_port)] + [
        (host, port) for host in ("127.0.0.1", "::1") for port in (80, 443, 8080, 6379)
    ]:
        with suppress(OSError):  # where we may not listen, the dial itself is still heard
            canaries.append(await asyncio.start_server(world.sing, host, port))
    world.spellings = [*SPELLINGS, *(with_port(each, world.canary_port) for each in SPELLINGS)]
    world.spellings = list(dict.fromkeys(world.spellings))
    yield world
    for each in (server, *canaries):
        each.close()


@pytest_asyncio.fixture(loop_scope="module")
async def world(built_world: World) -> AsyncIterator[World]:
    for heard in (built_world.reached, built_world.dialled, built_world.served):
        heard.clear()
    listening.append(built_world)
    yield built_world
    listening.clear()


@pytest.fixture(scope="module")
def source(built_world: World) -> Source:
    """A public source like any other, on whose list even the tricky hosts stand."""
    hosts = {"*.example.com", "example.com", *hosts_of(built_world.spellings)}
    return Source(
        id="shop",
        app="prices",
        site="tidepool_shop",
        hosts=tuple(hosts),
        terms=Terms(datetime(2026, 1, 1, tzinfo=UTC), "the tests"),
        pace=Pace(requests_per_second=None, min_delay_seconds=0),
        patience_seconds=60,  # a loaded machine may take its time; nothing here waits for it
    )


async def public(name: str, family: object) -> Sequence[str]:
    """DNS as it should be: the shop is public, and no other name exists."""
    if name.endswith("example.com"):
        return [PUBLIC_IP]
    raise socket.gaierror(socket.EAI_NONAME, "no such name")


@asynccontextmanager
async def open_house(
    folder: Path, ledger: Path, source: Source, *, resolver: PublicInternet, **settings: Any
) -> AsyncIterator[House]:
    """Open the whole house with this one source, on an internet of our own."""
    data_dir, config = folder / "data", folder / "limpet.toml"
    data_dir.mkdir()
    shutil.copy(ledger, data_dir)
    config.write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "load_config", lambda *_: Config((ConfiguredSource(source),)))
        patch.setattr(network, "_resolver", lambda *_: resolver)
        async with assemble(load_settings(data_dir=data_dir, config=config, **settings)) as house:
            yield house


@pytest_asyncio.fixture(loop_scope="module")
async def house(
    tmp_path: Path, migrated_ledger: Path, source: Source, world: World, request: Any
) -> AsyncIterator[House]:
    """The house; a parameter is what its DNS answers in turn."""
    resolver = PublicInternet(world, turncoat(*request.param) if hasattr(request, "param") else public)
    async with open_house(tmp_path, migrated_ledger, source, resolver=resolver) as house:
        yield house


in_one_loop = pytest.mark.asyncio(loop_scope="module")


async def attempt(house: House, source: Source, url: str, ask: Ask, trail: Trail) -> FetchError | None:
    try:
        await house.client.fetch(source, url, trail=trail, ask=ask)
    except FetchError as error:
        return error
    return None


# -- the ways in --------------------------------------------------------------------------------------------


def test_the_list_is_as_long_as_promised() -> None:
    assert len(set(SPELLINGS)) >= 150


@in_one_loop
async def test_the_pretend_shop_itself_is_reached(house: House, source: Source, world: World) -> None:
    got = await house.client.fetch(source, f"{SHOP}/", trail=Trail())

    assert got.status == 200
    assert world.served == ["shop.example.com/robots.txt", "shop.example.com/"]
    world.must_be_untouched()


@in_one_loop
async def test_no_target_of_a_run_reaches_the_canary(house: House, source: Source, world: World) -> None:
    targets = [Target(source.id, str(n), url, "example.com") for n, url in enumerate(world.spellings)]
    await house.ledger.put_targets(targets)
    run = await house.ledger.plan_run(NewRun(app="prices", source_id="shop"), Selection(source_ids=["shop"]))

    ended = await house.desk.walk(run, house.app("prices"), Silence())

    jobs = await house.ledger.jobs(run.id)
    assert {(job.state, job.reason) for job in jobs} == {(JobState.FAILED, "refused")}
    assert all("gate.address" in (job.details or "") for job in jobs)
    assert ended.planned == len(world.spellings)
    world.must_be_untouched()
    assert world.served == []


@in_one_loop
@pytest.mark.parametrize(
    "ask",
    [Ask(kind="index"), Ask(kind="signed", has_secret_query=True), Ask().with_form({"a": "b"})],
    ids=["index", "signed", "form"],
)
async def test_no_request_of_another_kind_reaches_the_canary(
    house: House, source: Source, world: World, ask: Ask
) -> None:
    trail = Trail()

    for spelling in world.spellings:
        signed = f"{spelling}?X-Signature=sesame" if ask.has_secret_query else spelling
        assert isinstance(await attempt(house, source, signed, ask, trail), AddressForbidden), spelling

    world.must_be_untouched()
    assert not any("sesame" in note.url for note in trail.requests)


@in_one_loop
async def test_no_redirect_reaches_the_canary(house: House, source: Source, world: World) -> None:
    for number, spelling in enumerate(world.spellings):
        if NOT_IN_A_HEADER.search(spelling):
            continue
        error = await attempt(house, source, f"{SHOP}/go/{number}", Ask(), Trail())
        assert isinstance(error, AddressForbidden) or leads_home(spelling), spelling

    world.must_be_untouched()


@in_one_loop
async def test_no_redirect_of_robots_txt_reaches_the_canary(
    house: House, source: Source, world: World
) -> None:
    for number, spelling in enumerate(world.spellings):
        if NOT_IN_A_HEADER.search(spelling):
            continue
        error = await attempt(house, source, f"http://r{number}.example.com/", Ask(), Trail())
        assert isinstance(error, RobotsUnavailable) or leads_home(spelling), spelling

    world.must_be_untouched()


def leads_home(location: str) -> bool:
    """Whether this is no absolute address at all, and so a path on the shop that said it."""
    with suppress(BadAddress):
        return parse_address(join(f"{SHOP}/", location)).host.endswith("shop.example.com")
    return False


# -- names that change their mind ---------------------------------------------------------------------------


def turncoat(*answers: Sequence[str]) -> Callable[[str, object], Any]:
    """Return a DNS that gives these answers in turn, and the last one for ever."""
    left = list(answers)

    async def lookup(name: str, family: object) -> Sequence[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return lookup


PRIVATE_ANSWERS = [
    "127.0.0.1",
    "::1",
    "::ffff:127.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "169.254.169.254",
    "64:ff9b::7f00:1",
]


@in_one_loop
@pytest.mark.parametrize(
    "house",
    [([answer],) for answer in PRIVATE_ANSWERS]
    + [([PUBLIC_IP, answer],) for answer in PRIVATE_ANSWERS]
    + [([PUBLIC_IP], [answer]) for answer in PRIVATE_ANSWERS],
    indirect=True,
    ids=str,
)
async def test_a_name_that_turns_to_a_private_address_is_not_followed(
    house: House, source: Source, world: World
) -> None:
    for kind in ("page", "index", "signed", "page"):
        url = f"http://rebind.example.com:{world.canary_port}/{kind}"
        error = await attempt(house, source, url, Ask(kind=kind), Trail())
        assert error is None or isinstance(error, GateRefused)
        await house.client.close()  # nothing is remembered of the first answer: the name is asked for again

    world.must_be_untouched()
    assert len([visit for visit in world.served if not visit.endswith("robots.txt")]) <= 1


# -- the browser --------------------------------------------------------------------------------------------


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browsing(
    tmp_path_factory: pytest.TempPathFactory,
    migrated_ledger: Path,
    source: Source,
    built_world: World,
    chromium: str,
) -> AsyncIterator[House]:
    """One house with one browser for all that follows."""
    folder, resolver = tmp_path_factory.mktemp("browsing"), PublicInternet(built_world, public)
    async with open_house(folder, migrated_ledger, source, resolver=resolver, chromium=chromium) as house:
        yield house


def a_few(world: World, count: int = 40) -> list[tuple[int, str]]:
    """Return spellings from all over the list, those that can name a port aimed at the canary."""
    aimed = [(n, url) for n, url in enumerate(world.spellings) if f":{world.canary_port}" in url]
    return aimed[:: len(aimed) // count][:count]


async def browse(house: House, source: Source, url: str, trail: Trail, **request: Any) -> Any:
    visitor = replace(source, fetcher="browser")
    way = house.desk.way(visitor, house.sites.get(source.site), trail)
    return await way.get(url, **request)


@pytest.mark.browser
@in_one_loop
async def test_no_navigation_of_the_browser_reaches_the_canary(
    browsing: House, source: Source, world: World
) -> None:
    chosen = a_few(world)

    for _, spelling in chosen:
        with pytest.raises((FetchError, BadAddress)):
            await browse(browsing, source, spelling, Trail())

    assert len(chosen) == 40
    world.must_be_untouched()


@pytest.mark.browser
@in_one_loop
async def test_no_redirect_of_the_browser_reaches_the_canary(
    browsing: House, source: Source, world: World
) -> None:
    for number, spelling in a_few(world):
        if NOT_IN_A_HEADER.search(spelling):
            continue
        with suppress(FetchError):
            await browse(browsing, source, f"{SHOP}/go/{number}", Trail())

    world.must_be_untouched()


LURES = """<body><script>
const all = %s, few = %s, waiting = [];
for (const url of all) {
  try { waiting.push(fetch(url, {mode: 'no-cors'}).catch(() => 0)); } catch (refused) {}
}
for (const url of few) {
  try { navigator.sendBeacon(url, 'x'); } catch (refused) {}
  waiting.push(new Promise(done => {
    const asked = new XMLHttpRequest();
    asked.onloadend = done;
    try { asked.open('GET', url); asked.send(); } catch (refused) { done(); }
  }));
  for (const kind of ['script', 'iframe', 'img']) {
    waiting.push(new Promise(done => {
      const element = document.createElement(kind);
      element.onload = element.onerror = done;
      element.src = url;
      document.body.append(element);
      setTimeout(done, 2000);
    }));
  }
}
Promise.all(waiting).then(() => document.body.insertAdjacentHTML('beforeend', '<p id=done></p>'));
</script></body>"""


@pytest.mark.browser
@in_one_loop
async def test_nothing_a_page_loads_reaches_the_canary(
    browsing: House, source: Source, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [url for _, url in a_few(world)]
    monkeypatch.setattr(world, "page", LURES % (json.dumps(world.spellings), json.dumps(few)))
    trail = Trail()

    rendered = await browse(browsing, source, f"{SHOP}/", trail, wait_for="#done")

    refused = {decision.url for decision in trail.decisions if not decision.allowed}
    assert rendered.status == 200
    assert len(refused) >= 100  # the others Chromium read as one of these, or could not read at all
    world.must_be_untouched()
