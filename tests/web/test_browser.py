"""The portal in a real browser: nothing hostile runs, news arrive without a reload, phones need not scroll sideways."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from limpet.record.entry import NewRun

pytestmark = pytest.mark.browser

PATHS = ["/", "/runs", "/sources", "/sources/shop", "/sources/boutique", "/sources/hostile", "/prices"]
PATHS += ["/politeness", "/api", "/nowhere", "/alerts", "/adapters", "/adapters/tidepool_shop", "/targets"]
PATHS += ["/quarantine", "/quarantine/1", "/prices/changes", "/prices/corrections"]


@pytest.fixture
def page(browser: Browser, portal: Any) -> Iterator[Page]:
    """A page that may only ever talk to the portal; `page.complaints` hears everything else."""
    context = browser.new_context(base_url=portal.base)
    context.add_cookies([portal.cookie])
    page = context.new_page()
    page.complaints = []  # type: ignore[attr-defined]

    def hear(message: Any) -> None:
        if message.type == "error" and "404 (Not Found)" not in message.text:
            page.complaints.append(message.text)  # type: ignore[attr-defined]

    def see(request: Any) -> None:
        if not request.url.startswith((portal.base, "about:", "data:")):
            page.complaints.append(request.url)  # type: ignore[attr-defined]

    page.on("console", hear)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))  # type: ignore[attr-defined]
    page.on("request", see)
    yield page
    context.close()


def all_paths(portal: Any) -> list[str]:
    product = re.search(r'href="(/prices/hostile/[^"]+)"', portal.get("/prices?source=hostile").text)
    assert product is not None
    runs = [f"/runs/{portal.run.id}", f"/runs/{portal.hostile_run.id}"]
    return [*PATHS, *runs, product[1], f"/jobs/{portal.hostile_job}/evidence"]


def test_hostile_text_runs_nowhere_and_loads_nothing(portal: Any, page: Page) -> None:
    for path in all_paths(portal):
        page.goto(path)
        page.wait_for_load_state("load")

        assert "owned" not in page.title().replace("document.title='owned'", ""), path
        assert page.complaints == [], path  # type: ignore[attr-defined]


def test_stored_page_is_rendered_without_power(portal: Any, page: Page) -> None:
    page.goto(f"/jobs/{portal.hostile_job}/evidence")
    frame = page.frame_locator("iframe.rendering")

    assert frame.locator("p").inner_text() == "A harmless sentence."
    assert frame.locator(".price").inner_text() == "$1.00"
    assert frame.locator("script, iframe, img, form, [src]").count() == 0
    assert page.complaints == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_needs_no_sideways_scrolling(portal: Any, browser: Browser, scheme: Any) -> None:
    context = browser.new_context(
        base_url=portal.base, viewport={"width": 390, "height": 800}, color_scheme=scheme
    )
    context.add_cookies([portal.cookie])
    page = context.new_page()
    for path in all_paths(portal):
        page.goto(path)

        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, path
    context.close()


def test_new_run_appears_without_a_reload(portal: Any, page: Page) -> None:
    page.goto("/runs")
    page.locator("[data-live-state][data-word=live]").wait_for()
    page.evaluate("window.notReloaded = true")

    run = portal.do(lambda house: house.desk.plan(NewRun("prices", "shop"), limit=1))

    page.locator(f"a[href='/runs/{run.id}']").wait_for(timeout=15_000)
    assert page.evaluate("window.notReloaded") is True


def test_focus_and_opened_details_survive_an_update(portal: Any, page: Page) -> None:
    page.goto(f"/runs/{portal.run.id}")
    page.locator("[data-live-state][data-word=live]").wait_for()
    summary = page.locator("#jobs details summary").nth(2)
    summary.click()
    page.evaluate("document.querySelector('#jobs table').dataset.old = 'yes'")

    portal.do(lambda house: house.desk.plan(NewRun("prices", "shop"), limit=1))
    page.locator("#jobs table:not([data-old])").wait_for(timeout=15_000)

    assert page.locator("#jobs details[open]").count() == 1
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_keyboard_reaches_content_first(page: Page) -> None:
    page.goto("/")

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.id") == "content"


def test_keys_search_lead_elsewhere_and_tell_themselves(page: Page) -> None:
    page.goto("/targets")
    page.keyboard.press("/")
    page.keyboard.type("gr")  # what is typed into a field leads nowhere
    typed = page.evaluate("document.activeElement.name + '=' + document.activeElement.value")
    page.locator("h1").click()
    page.keyboard.press("?")
    page.locator("dialog[open]").get_by_text("this list").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url("**/runs")

    assert typed == "search=gr"
    assert page.complaints == []  # type: ignore[attr-defined]
