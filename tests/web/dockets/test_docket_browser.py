"""The docket pages in a real browser: read without colour, script or mouse, and acted on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, registry: Any) -> Iterator[Page]:
    context = browser.new_context(base_url=registry.portal.base)
    context.add_cookies([registry.cookie])
    yield context.new_page()
    context.close()


def paths(registry: Any) -> list[str]:
    cases = [f"/dockets/fct/cases/{case}" for case in ("IMM-1-25", "IMM-1117-25", registry.hostile)]
    parts = ["", "/numbers?first=1100", "/gaps", "/gaps?kind=absent"]
    return [
        "/dockets",
        "/dockets/cases",
        "/dockets/fct/IMM/2024",
        *cases,
        *(registry.base + part for part in parts),
    ]


def test_hostile_dockets_run_nowhere_and_nothing_is_complained_about(registry: Any, page: Page) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))

    for path in paths(registry):
        page.goto(path)
        assert "owned" not in page.title(), path
    assert complaints == []
    assert page.locator("main a[href^='javascript']").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_needs_no_sideways_scrolling(registry: Any, browser: Browser, scheme: Any) -> None:
    size: Any = {"width": 390, "height": 800}
    context = browser.new_context(base_url=registry.portal.base, viewport=size, color_scheme=scheme)
    context.add_cookies([registry.cookie])
    page = context.new_page()
    for path in paths(registry):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    context.close()


def test_the_map_is_walked_by_keyboard_down_to_one_case(registry: Any, page: Page) -> None:
    page.goto(registry.base)
    square = page.get_by_role("link", name="1100 to 1140")
    assert "1 failed" in square.inner_text()
    square.focus()

    page.keyboard.press("Enter")
    page.wait_for_url("**/numbers?first=1100")
    number = page.get_by_role("link", name="failed, 1117")
    assert "✕" in number.inner_text()  # a sign of its own, not a colour alone
    number.focus()
    page.keyboard.press("Enter")

    page.wait_for_url(f"**/cases/{registry.failed}")
    assert "HTTP 500" in page.locator("main").inner_text()


def test_the_map_needs_no_script(registry: Any, browser: Browser) -> None:
    context = browser.new_context(base_url=registry.portal.base, java_script_enabled=False)
    context.add_cookies([registry.cookie])
    page = context.new_page()
    page.goto(registry.base)

    assert page.locator("a.square").count() == 12
    page.locator("a.square").last.click()
    assert page.locator(".numbers li").count() == 500
    context.close()


def test_a_person_finds_a_case_and_reads_what_an_entry_said_before(registry: Any, page: Page) -> None:
    edited = next(
        line["case_id"]
        for line in registry.get("/api/v1/dockets/cases?changed=true&limit=500").json()["items"]
        for entry in registry.get(f"/api/v1/dockets/fct/cases/{line['case_id']}").json()["entries"]
        if len(entry["versions"]) > 1 and not entry["versions"][-1]["is_removed"]
    )
    page.goto("/dockets")
    page.get_by_label("Find a case").fill(edited.lower())
    page.get_by_role("button", name="Find", exact=True).click()

    page.wait_for_url(f"**/cases/{edited}")
    past = page.locator(".past", has=page.locator("ins")).first
    past.locator("summary").click()
    assert past.locator("del").first.is_visible() and past.locator("ins").is_visible()
    assert past.locator("del").first.inner_text() != past.locator("ins").inner_text()


def test_a_gap_is_asked_for_and_a_case_asked_again_from_their_pages(registry: Any, page: Page) -> None:
    page.goto("/dockets")
    form = page.locator("form[action='/dockets/run']")
    form.get_by_label("Register").fill("T")
    form.get_by_label("Year").fill("22")
    form.get_by_label("First number").fill("2")
    form.get_by_label("How many").fill("1")
    form.get_by_label("Why").fill("a first look")
    form.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url("**/runs/*")
    assert registry.walk(int(page.url.rpartition("/")[2])).planned == 1

    page.goto("/dockets/fct/T/2022/gaps")
    page.get_by_role("button", name="Ask for it").click()
    page.wait_for_url("**/runs/*")
    assert registry.walk(int(page.url.rpartition("/")[2])).counts["succeeded"] == 1

    page.goto("/dockets/fct/cases/T-1-22")
    page.get_by_label("parties").check()
    page.get_by_label("Why").fill("who are they?")
    page.get_by_role("button", name="Ask the court again").click()
    page.wait_for_url("**/runs/*")
    assert registry.walk(int(page.url.rpartition("/")[2])).counts["succeeded"] == 1
    page.goto("/dockets/fct/cases/T-1-22")
    assert page.locator("h2:text-is('Parties') + table tbody tr").count() > 0
