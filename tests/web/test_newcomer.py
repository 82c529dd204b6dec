"""A newcomer with nothing but the portal, in a real browser: finds what failed, sees why, retries, adds a target."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from limpet.assembly import assemble
from limpet.cli.admission import newcomers_link
from limpet.engine.service import Service
from limpet.engine.watcher import Silence
from limpet.settings import Settings
from limpet.web.portal import portal_for
from limpet.web.server import serve_portal
from tidepool.serve import Tidepool

pytestmark = pytest.mark.browser

CONFIG = """
[[sources]]
id = "shop"
app = "prices"
site = "tidepool_shop"
name = "The pretend shop"
hosts = ["shop.tidepool.localhost"]
http_only = true
allow_private_addresses = true
targets = [{targets}]
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tests"
[sources.pace]
requests_per_second = 0
min_delay_seconds = 0
"""


async def serve_everything(data_dir: Path, said: dict[str, Any], is_open: threading.Event) -> None:
    async with Tidepool(products=6) as pool:
        paths = [product.path for product in pool.site("shop").catalogue]
        listed = [pool.url("shop", path) for path in [*paths[:2], "/product/no-such-thing/"]]
        config = data_dir / "limpet.toml"
        config.write_text(CONFIG.format(targets=", ".join(f'"{each}"' for each in listed)), encoding="utf-8")
        async with assemble(Settings(data_dir=data_dir, config=config, port=0)) as house:
            door = socket.create_server(("127.0.0.1", 0))
            port, stop = door.getsockname()[1], house.desk.crew.stop
            said |= {"link": await newcomers_link(house, port), "new": pool.url("shop", paths[3])}
            loop = asyncio.get_running_loop()
            said |= {"stop": lambda: loop.call_soon_threadsafe(stop.set)}
            async with asyncio.TaskGroup() as group:
                group.create_task(serve_portal(portal_for(house), door, stop))
                service = Service(house.desk, house.apps, Silence(), house.clock, look_every_seconds=0.1)
                group.create_task(service.serve(stop))
                is_open.set()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[dict[str, Any]]:
    said: dict[str, Any] = {}
    is_open = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(serve_everything(tmp_path, said, is_open)))
    thread.start()
    assert is_open.wait(timeout=60)
    yield said
    said["stop"]()
    thread.join(timeout=40)
    assert not thread.is_alive()


@pytest.fixture
def page(chromium: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(20_000)
        yield page
        browser.close()


def test_a_newcomer_finds_a_failure_retries_it_and_adds_a_target(service: dict[str, Any], page: Page) -> None:
    page.goto(service["link"])
    expect(page.locator("h1")).to_be_visible()

    page.get_by_role("link", name="Sources", exact=True).click()
    page.get_by_role("link", name="The pretend shop").click()
    page.get_by_role("button", name="Run now").click()
    # The page is not loaded again: the run ends before the reader's eyes.
    expect(page.locator("#head h1 .word")).not_to_have_text("running", timeout=30_000)
    first = page.url.split("?")[0]

    page.get_by_role("link", name="Errors", exact=True).click()
    failed = page.locator("#errors tbody tr").first
    expect(failed).to_contain_text("no-such-thing")
    expect(failed.locator("code.reason")).to_have_text(re.compile("gone|not_found|http"))
    failed.locator("th a").click()
    expect(page.locator("main")).to_contain_text("404")

    page.goto(first)
    page.get_by_role("button", name=re.compile("in trouble again")).click()
    expect(page.locator("#head")).to_contain_text("by retry")
    expect(page.locator("#head h1 .word")).not_to_have_text("running", timeout=30_000)

    page.get_by_role("link", name="Targets", exact=True).click()
    page.locator("textarea[name=table]").fill(service["new"])
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("main")).to_contain_text("1 new")

    page.locator(".me summary").click()
    page.get_by_role("link", name="Audit log").click()
    expect(page.locator("#audit")).to_contain_text("retry run")

    page.locator(".me summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
