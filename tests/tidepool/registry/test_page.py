"""The registry's page has every trap of its model, in real script."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from playwright.async_api import Page, async_playwright
from selectolax.lexbor import LexborHTMLParser

from tidepool import Tidepool
from tidepool.registry.texts import ENGLISH_PATH, FRENCH_PATH

NO_DATA = "No data available in table"


async def test_decoys_come_before_what_they_imitate(
    page_at: Callable[[str, str], Awaitable[LexborHTMLParser]],
) -> None:
    page = await page_at("registry", ENGLISH_PATH)

    inputs = [node.attributes.get("id") for node in page.css("input")]
    dialogs = [node.attributes.get("id") for node in page.css("div.modal")]
    assert inputs[:2] == ["searchd", "searchm"]
    assert dialogs == ["EfilingModal", "ModalForm"]
    assert page.css_first("#tab02").attributes["style"] == "display:none"
    assert page.css_first("#datatable").css_first("thead") is None


async def test_the_french_page_speaks_french(
    page_at: Callable[[str, str], Awaitable[LexborHTMLParser]],
) -> None:
    page = await page_at("registry", FRENCH_PATH)

    assert page.css_first("html").attributes["lang"] == "fr"
    assert "Aucune donn" in page.css_first("#texts").text()
    assert page.css_first("a#lnkLanguageToggle").attributes["href"] == ENGLISH_PATH


async def test_home_leads_to_the_page_and_the_decoy_search_finds_nothing(pool: Tidepool, visitor) -> None:
    async with visitor.get(pool.url("registry")) as home:
        assert home.url.path == ENGLISH_PATH
        assert "ASP.NET_SessionId" in home.headers["Set-Cookie"]
    async with visitor.get(pool.url("registry", "/en/search?q=IMM-1-25")) as found:
        assert "No results" in await found.text()


@pytest.fixture
async def opened(chromium: str) -> AsyncIterator[tuple[Tidepool, Page]]:
    """The page in a browser, its notice read and the right tab open; its script thinks for half a second."""
    async with Tidepool(late_milliseconds=500) as pool, async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium, args=["--host-resolver-rules=MAP *.localhost 127.0.0.1", "--no-sandbox"]
        )
        page = await browser.new_page()
        await page.goto(pool.url("registry"))
        await page.click("#EfilingModal .close")
        await page.click('a.TabButton[href="#tab02"]')
        yield pool, page
        await browser.close()


@pytest.mark.browser
async def test_old_rows_flashes_and_old_dialogs_lie_in_wait(opened: tuple[Tidepool, Page]) -> None:
    _, page = opened

    async def search(number: str) -> None:
        await page.fill("#selectCourtNumber", number)
        async with page.expect_response("**/proceedingQueriesCourtNumberList*"):
            await page.click("#tab02Submit")

    await search("IMM-1-25")
    await page.wait_for_function(f"document.querySelector('#datatable td').textContent === '{NO_DATA}'")
    await page.wait_for_selector("#datatable td:text-is('IMM-1-25')")
    await page.click("#datatable #re")
    await page.wait_for_selector("#ModalForm.show #modalTitle:has-text('IMM-1-25')")
    first_seen = await page.inner_text("#ModalForm .table-responsive tbody")
    await page.wait_for_selector("#ModalForm .table-responsive td.addlinfo")
    await page.click("#ModalForm .modal-footer [data-dismiss]")
    await search("IMM-2-25")
    await page.wait_for_selector("#datatable td:text-is('IMM-2-25')")

    assert NO_DATA in first_seen
    assert await page.locator("#ModalForm.show").count() == 0
    assert "IMM-1-25" in (await page.text_content("#modalTitle") or "")
    labels = await page.locator("#datatable tbody tr:first-child button").evaluate_all(
        "all => all.map(b => b.id)"
    )
    assert labels == ["more", "re"]
    assert len(await page.locator("#ModalForm table").all()) == 2


@pytest.mark.browser
async def test_a_dropped_session_leaves_the_page_as_it_was(opened: tuple[Tidepool, Page]) -> None:
    pool, page = opened
    pool.set_fault("registry", "session_dropped", path="/CourtFilesAndDecisions/*")

    await page.fill("#selectCourtNumber", "IMM-1-25")
    async with page.expect_response(f"**{ENGLISH_PATH}"):
        await page.click("#tab02Submit")

    assert await page.locator("#loadingscreen.on").count() == 1
    assert await page.locator("#datatable thead").count() == 0
