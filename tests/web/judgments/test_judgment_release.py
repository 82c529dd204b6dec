"""A held index is let through by a person with a reason: exactly the one that was looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from limpet.cli.judging import sync

pytestmark = pytest.mark.browser


@pytest.fixture
def page(chromium: str, bench: Any) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context(base_url=bench.portal.base)
        context.add_cookies([bench.cookie])
        yield context.new_page()
        browser.close()


def hold_another(bench: Any, *, percent: int) -> int:
    """Return the newest version, which waits for somebody; a share of its own makes it one nobody has seen before."""
    bench.pool.set_fault("court", "csv_mostly_gone", percent=percent)
    result = bench.do(lambda house: sync(house, bench.source, accept_removals=False))
    bench.pool.clear_faults()
    assert result.is_held
    (newest,) = bench.get("/api/v1/judgments/versions?limit=1").json()["items"]
    return int(newest["id"])


def test_a_held_version_is_released_from_its_page(bench: Any, page: Page) -> None:
    held = hold_another(bench, percent=40)
    told = bench.get(f"/api/v1/judgments/versions/{held}").json()
    removed = len(bench.some("removed"))
    page.goto(f"/judgments/versions/{held}")
    page.get_by_label("Why").fill("the court has said so")
    page.get_by_role("button", name="Release it").click()

    page.get_by_text("The version is applied").wait_for()
    assert page.locator(".v-applied").first.is_visible()
    assert "the court has said so" in page.locator("main").inner_text()
    assert len(bench.some("removed")) == removed + told["removed_count"]
    assert bench.post(f"/api/v1/judgments/versions/{held}/release", {"reason": "again"}).status == 400


def test_an_older_held_version_is_over(bench: Any) -> None:
    hold_another(bench, percent=60)

    answer = bench.post(f"/api/v1/judgments/versions/{bench.held}/release", {"reason": "too late"})

    assert (answer.status, answer.json()["code"]) == (400, "run.nothing_to_do")
    assert "is over" in answer.json()["detail"]
    assert bench.post("/api/v1/judgments/versions/77/release", {"reason": "which?"}).status == 404
