"""A whole portal over real HTTP: a journey against tidepool was made, and a hostile shop was recorded too."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, sync_playwright

from limpet.apps.prices.offer import Offer
from limpet.assembly import House, assemble
from limpet.engine.watcher import Silence
from limpet.extract.parse.stock import Availability
from limpet.fetch import FetchOutcome
from limpet.fetch.page import Page
from limpet.fetch.trail import RequestNote
from limpet.record.access.accounts import add_account
from limpet.record.access.roles import Role, Scope
from limpet.record.access.secrets import forgery_token
from limpet.record.access.sessions import open_session
from limpet.record.access.tokens import create_token
from limpet.record.entry import AttemptNote, Lease, NewRun, Run, Settlement
from limpet.settings import Settings
from limpet.target import Outcome, Target
from limpet.web.portal import portal_for
from limpet.web.server import serve_portal
from tidepool.serve import Tidepool

T = TypeVar("T")
PRODUCTS = 40
CASES = 60
ATTACK = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
HOSTILE_URL = "javascript:document.title='owned'"
HOSTILE_PAGE = f"""<!doctype html><html><head><title>{ATTACK}</title>
<meta http-equiv="refresh" content="0;url=https://evil.test/"><base href="https://evil.test/">
<link rel="stylesheet" href="https://evil.test/x.css"><style>body{{background:url(https://evil.test/b)}}</style></head>
<body onload="top.document.title='owned'">{ATTACK}<p>A harmless sentence.</p>
<form action="https://evil.test/"><b class="price">$1.00</b></form>
<iframe src="https://evil.test/"></iframe><svg onload="top.document.title='owned'"></svg>
</body></html>""".encode()


@dataclass
class Answer:
    """What the portal said."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Portal:
    """A running portal, in a thread with a loop of its own."""

    port: int = 0
    house: House | None = None
    run: Run | None = None
    hostile_run: Run | None = None
    hostile_job: int = 0
    token: str = ""  # of an admin, for what is asked without a browser
    session: str = ""  # of the same admin, for a browser
    app: Any = None
    pool: Tidepool | None = None  # the world outside
    loop: asyncio.AbstractEventLoop | None = None
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cookie(self) -> dict[str, str]:
        """The session as Playwright wants it: `context.add_cookies([portal.cookie])`."""
        return {"name": "limpet_session", "value": self.session, "url": self.base}

    @property
    def csrf(self) -> str:
        return forgery_token(self.session)

    def get(self, path: str, *, method: str = "GET", host: str | None = None, **headers: str) -> Answer:
        """Ask as the admin."""
        return self.ask(method, path, host=host, headers={"Authorization": f"Bearer {self.token}"} | headers)

    def post(self, path: str, body: Any = None, *, method: str = "POST", **headers: str) -> Answer:
        """Ask the API for a change, as the admin."""
        said = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        return self.ask(method, path, headers=said | headers, body=json.dumps(body or {}).encode())

    def send(self, path: str, **fields: Any) -> Answer:
        """Send a form as a page of the admin's browser would."""
        headers = {
            "Cookie": f"limpet_session={self.session}",
            "Origin": self.base,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        body = urlencode({"csrf": self.csrf} | fields, doseq=True).encode()
        return self.ask("POST", path, headers=headers, body=body)

    def ask(
        self,
        method: str,
        path: str,
        *,
        host: str | None = None,
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
    ) -> Answer:
        """Ask as whoever the headers say."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            named = {"Host": host} if host is not None else {}
            connection.request(method, path, body=body, headers=named | (headers or {}))
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def routes(self) -> list[tuple[str, str]]:
        """Return every method and path the running app answers, however its routers are nested."""

        def walk(routes: Any) -> Iterator[tuple[str, str]]:
            for route in routes:
                inner = getattr(route, "original_router", None)
                if inner is not None:
                    yield from walk(inner.routes)
                    continue
                for method in sorted(getattr(route, "methods", None) or ()):
                    if method != "HEAD":
                        yield method, route.path

        return list(walk(self.app.router.routes))

    def admit_again(self) -> None:
        """Let the tests in anew, if something they did shut them out."""
        if self.get("/api/v1/account").status != 200:
            self.do(lambda house: admit(self, house, name=f"tester-{time.monotonic_ns()}"))

    def do(self, work: Callable[[House], Coroutine[Any, Any, T]]) -> T:
        """Do something in the house while the portal is open."""
        assert self.loop is not None and self.house is not None
        future: Future[T] = asyncio.run_coroutine_threadsafe(work(self.house), self.loop)
        return future.result(timeout=30)


def config_text(pool: Tidepool) -> str:
    paths = [product.path for product in pool.site("shop").catalogue][:PRODUCTS]
    listed = "".join(f'  "{pool.url("shop", path)}",\n' for path in paths)
    return f"""
[[sources]]
id = "shop"
app = "prices"
site = "tidepool_shop"
name = "The pretend shop"
hosts = ["shop.tidepool.localhost"]
http_only = true
allow_private_addresses = true
targets = [
{listed}]
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tests"
[sources.pace]
requests_per_second = 0
min_delay_seconds = 0
max_concurrent = 8

[[sources]]
id = "boutique"
app = "prices"
site = "tidepool_shop"
hosts = ["shop.boutique.localhost"]
fetcher = "browser"
enabled = false
disabled_reason = "no browser on this machine; run `make browser`"
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tests"

[[sources]]
id = "salon"
app = "prices"
site = "tidepool_shop"
hosts = ["shop.salon.localhost"]
fetcher = "browser"
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tests"

[[sources]]
id = "hostile"
app = "prices"
site = "tidepool_shop"
name = "{ATTACK.replace('"', "'")}"
hosts = ["hostile.test"]
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "</script><b>nobody</b>"

[[sources]]
id = "fct"
app = "dockets"
site = "federal_court"
name = "The pretend registry"
hosts = ["registry.tidepool.localhost"]
base_url = "{pool.url("registry", "")}"
http_only = true
allow_private_addresses = true
[sources.options]
reader = "json"
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tests"
[sources.pace]
requests_per_second = 0
min_delay_seconds = 0
jitter = 0

[[sources]]
id = "unreported_judgments"
app = "judgments"
site = "judicial_ky"
name = "The pretend court"
hosts = ["court.tidepool.localhost", "box.tidepool.localhost", "boxcdn.tidepool.localhost"]
base_url = "{pool.url("court", "")}"
http_only = true
allow_private_addresses = true
[sources.options]
box_hosts = ["box.tidepool.localhost", "boxcdn.tidepool.localhost"]
box_api = "{pool.url("box", "")}"
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tests"
[sources.pace]
requests_per_second = 0
min_delay_seconds = 0
jitter = 0
max_concurrent = 8
"""


async def walk(house: House) -> Run:
    run = await house.desk.plan(NewRun("prices", "shop"))
    return await house.desk.walk(run, house.apps["prices"], Silence())


def hostile_settlement(lease: Lease, now: Any) -> Settlement:
    offer = Offer(
        source_id="hostile",
        url=HOSTILE_URL,
        title=f"\u202e{ATTACK}",
        price_cents=100,
        currency="<b>",
        availability=Availability.IN_STOCK,
        observed_at=now,
        identity_key=f"URL:a/b?c#d%2F{ATTACK}",
        adapter_version="<i>1</i>",
        brand='"><script>',
        retailer_sku="'\"<x>",
    )
    url = lease.target.url
    headers = {"content-type": "text/html; charset=utf-8"}
    return Settlement(
        lease,
        Outcome.SUCCEEDED,
        now,
        reason=ATTACK,
        details=f"{ATTACK}\n{HOSTILE_URL}",
        record=offer,
        page=Page(url, url, 200, headers, HOSTILE_PAGE, now),
        site_id="<b>site</b>",
        site_version="1",
        attempts=[AttemptNote(1, now, 3.0, "ok", error_code="x", error_message=ATTACK, status=200)],
        requests=[RequestNote("hostile", "hostile.test", url, "page", now, 3.0, FetchOutcome.OK, status=200)],
    )


async def record_hostile_shop(house: House) -> tuple[Run, int]:
    target = Target("hostile", HOSTILE_URL, HOSTILE_URL, "hostile.test")
    run = await house.ledger.plan_run(NewRun("prices", "hostile"), [target])
    leases = await house.ledger.lease(run.id, lane="hostile.test", worker="test", limit=1, seconds=600)
    await house.ledger.settle(hostile_settlement(leases[0], house.clock.now()))
    return await house.ledger.run(run.id), leases[0].job_id


async def admit(portal: Portal, house: House, name: str = "tester") -> None:
    """Let the tests in: an admin with a token and a session."""
    now = house.clock.now()

    def write(connection: Any) -> tuple[str, str]:
        who = add_account(connection, name, role=Role.ADMIN, password_hash=None, by="test", now=now)
        _, token = create_token(
            connection, "tests", account=who.name, scope=Scope.ADMIN, days=None, by="test", now=now
        )
        lives = timedelta(hours=1)
        return token, open_session(connection, who.id, lives=lives, address="127.0.0.1", now=now)

    portal.token, portal.session = await house.ledger.write(write)


async def serve(portal: Portal, data_dir: Path, is_open: threading.Event) -> None:
    async with Tidepool(products=PRODUCTS, cases=CASES) as pool:
        config = data_dir / "limpet.toml"
        config.write_text(config_text(pool), encoding="utf-8")
        settings = Settings(data_dir=data_dir, config=config, port=0, chromium=data_dir / "no-browser-here")
        async with assemble(settings) as house:
            portal.run = await walk(house)
            pool.advance(3)
            await walk(house)
            portal.hostile_run, portal.hostile_job = await record_hostile_shop(house)
            await admit(portal, house)
            door = socket.create_server(("127.0.0.1", 0))
            portal.port, portal.house, portal.pool = door.getsockname()[1], house, pool
            portal.loop = asyncio.get_running_loop()
            portal.app = portal_for(house)
            is_open.set()
            await serve_portal(portal.app, door, portal.stop)


@contextmanager
def opened(data_dir: Path) -> Iterator[Portal]:
    """Yield a running portal; close it afterwards."""
    portal, is_open = Portal(), threading.Event()
    failures: list[BaseException] = []

    def live() -> None:
        try:
            asyncio.run(serve(portal, data_dir, is_open))
        except BaseException as failure:
            failures.append(failure)
            is_open.set()

    thread = threading.Thread(target=live)
    thread.start()
    assert is_open.wait(timeout=90), "the portal did not open"
    if failures:
        raise failures[0]
    yield portal
    assert portal.loop is not None
    portal.loop.call_soon_threadsafe(portal.stop.set)
    thread.join(timeout=30)
    assert not thread.is_alive(), "the portal did not close"
    if failures:
        raise failures[0]


@pytest.fixture(scope="session")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    """One portal for all tests of this worker; tests may add to its ledger, never take away."""
    with opened(tmp_path_factory.mktemp("portal")) as portal:
        yield portal


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    """A portal of the module's own, in which anything may be broken."""
    with opened(tmp_path_factory.mktemp("playground")) as portal:
        yield portal


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A real Chromium, driven by Playwright."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()
