"""The pages of judgments in a real browser: read on a phone and in the dark, searched, opened, compared, acted on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, bench: Any) -> Iterator[Page]:
    context = browser.new_context(base_url=bench.portal.base)
    context.add_cookies([bench.cookie])
    yield context.new_page()
    context.close()


def paths(bench: Any) -> list[str]:
    cases = [bench.case(bench.failed)["id"], bench.some("removed")[0]["id"], bench.hostile]
    return [
        *("/judgments", "/judgments?state=failed", "/judgments?search=owned", "/judgments/gaps"),
        *("/judgments/versions", "/judgments/versions/2", "/judgments/diff?earlier=1&later=2"),
        *(f"/judgments/versions/{number}" for number in (bench.invalid, bench.held)),
        *(f"/judgments/{number}" for number in cases),
    ]


def test_hostile_titles_run_nowhere_and_nothing_is_complained_about(bench: Any, page: Page) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))

    for path in paths(bench):
        page.goto(path)
        assert not page.title().startswith("owned"), path
        assert page.locator("main script, main img").count() == 0, path
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_needs_no_sideways_scrolling(bench: Any, browser: Browser, scheme: Any) -> None:
    size: Any = {"width": 390, "height": 800}
    context = browser.new_context(base_url=bench.portal.base, viewport=size, color_scheme=scheme)
    context.add_cookies([bench.cookie])
    page = context.new_page()
    for path in paths(bench):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    context.close()


def test_a_person_finds_a_judgment_and_opens_its_pdf(bench: Any, page: Page) -> None:
    case = bench.case(bench.moved["added"][0])
    page.goto("/judgments")
    page.get_by_label("Search").fill(case["action_token_raw"])
    page.get_by_role("button", name="Show").click()
    assert page.locator("table.cases tbody tr").count() == 1
    page.locator("table.cases tbody th a").click()

    page.wait_for_url(f"**/judgments/{case['id']}")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Open PDF").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"%PDF-")
    assert saved.value.suggested_filename == Path(case["path"]).name


def test_the_table_is_narrowed_leafed_and_taken_away(bench: Any, page: Page) -> None:
    page.goto("/judgments")
    assert page.locator("table.cases tbody tr").count() == 60
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("link", name="First page").wait_for()

    page.get_by_role("link", name="failed", exact=True).click()
    assert "malformed_pdf" in page.locator("table.cases").inner_text()
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").click()
    assert len(Path(saved.value.path()).read_text("utf-8-sig").splitlines()) == 2


def test_a_person_goes_from_the_versions_to_what_changed_in_one_case(bench: Any, page: Page) -> None:
    page.goto("/judgments/versions")
    page.get_by_label("Earlier").fill("1")
    page.get_by_label("Later").fill("2")
    page.get_by_role("button", name="Compare").click()

    changed = page.locator(
        "section[aria-labelledby='h-changed'] tbody tr", has_text=bench.moved["changed"][1]
    )
    before, after = (changed.locator(tag).inner_text() for tag in ("del", "ins"))
    changed.locator("th a").click()
    page.wait_for_url("**/judgments/*")
    assert before != after
    assert (page.locator("del").inner_text(), page.locator("ins").inner_text()) == (before, after)


def test_what_is_new_is_fetched_by_a_button_and_seen_without_reloading(bench: Any, page: Page) -> None:
    (token,) = bench.pool.site("court").move(add=1)["added"]
    page.goto("/judgments")
    page.get_by_text("Fetch now").click()
    page.get_by_role("button", name="What is new").click()
    page.wait_for_url("**/runs/*")
    run_id = int(page.url.rpartition("/")[2])
    page.goto(f"/judgments?search={token}")
    assert "No judgment fits" in page.locator("#cases").inner_text()

    assert bench.walk(run_id).counts["succeeded"] == 1

    page.locator("#cases .c-stored").wait_for(timeout=30_000)
