"""Errands: things done inside a page that stays open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from limpet.errors import BrowserElementNotFound, FetchTimeout, PageBlocked
from limpet.fetch.browser import BrowserFetcher, BrowserPool, Desk
from limpet.fetch.trail import Trail
from limpet.source import Source

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

HOME = "https://shop.test/desk"
PAGE = """<input id=q><button id=go>go</button><p id=out></p><script>
let asked = 0;
go.onclick = async () => {
  const answer = await fetch('/answer?q=' + q.value);
  out.textContent = await answer.text() + ' number ' + ++asked;
};</script>"""


@dataclass(frozen=True)
class Lookup:
    """Types a word, presses the button, and waits for the answer to be shown."""

    word: str
    renew_after: int = 100
    button: str = "#go"
    address: str = HOME
    settled_in: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.word

    @property
    def capture(self) -> Sequence[str]:
        return (f"*q={self.word}",)

    async def settle_in(self, desk: Desk) -> None:
        self.settled_in.append(desk.page.url)

    async def run(self, desk: Desk) -> None:
        await desk.page.fill("#q", self.word)
        await desk.page.click(self.button, timeout=500)
        answer = await desk.answer_to(f"*q={self.word}")
        if answer.status == 403:
            raise PageBlocked("refused", status=403)
        await desk.page.wait_for_function("word => out.textContent.includes('number')", arg=self.word)


@pytest.fixture
def desk_page(pretend_web) -> None:
    pretend_web.html("/desk", PAGE)
    pretend_web.pages["/answer"] = 200, {"Content-Type": "text/plain"}, b"told"


async def test_the_page_stays_open_from_one_errand_to_the_next(
    fetcher: BrowserFetcher, pretend_web, desk_page: None, source: Source, trail: Trail
) -> None:
    pages = [await fetcher.run_errand(source, Lookup(word), trail=trail) for word in ("a", "b", "c")]

    assert [f"told number {turn}".encode() in page.body for turn, page in enumerate(pages, 1)] == [True] * 3
    assert pretend_web.urls.count(HOME) == 1
    assert {page.fetcher for page in pages} == {"browser"}


async def test_the_page_is_opened_anew_every_so_often(
    fetcher: BrowserFetcher, pretend_web, desk_page: None, source: Source, trail: Trail
) -> None:
    settled_in: list[str] = []

    for turn in range(5):
        await fetcher.run_errand(source, Lookup(f"w{turn}", 2, settled_in=settled_in), trail=trail)

    assert pretend_web.urls.count(HOME) in (2, 3)  # whether it stood open before this test or not
    assert len(settled_in) == pretend_web.urls.count(HOME)


async def test_a_page_that_lost_its_elements_is_opened_anew(
    pool: BrowserPool, fetcher: BrowserFetcher, pretend_web, desk_page: None, source: Source, trail: Trail
) -> None:
    await fetcher.run_errand(source, Lookup("a"), trail=trail)
    async with pool.page(source, trail, stays_open=True) as lease:
        await lease.page.evaluate("go.remove()")

    page = await fetcher.run_errand(source, Lookup("b"), trail=trail)

    assert b"told number 1" in page.body


async def test_an_ordinary_visit_never_gets_the_page_that_stands_open(
    pool: BrowserPool, fetcher: BrowserFetcher, desk_page: None, source: Source, trail: Trail
) -> None:
    await fetcher.run_errand(source, Lookup("a"), trail=trail)

    async with pool.page(source, trail) as lease:
        address = lease.page.url

    assert address == "about:blank"


async def test_a_failed_errand_brings_the_page_and_how_it_looked(
    fetcher: BrowserFetcher, desk_page: None, hasty: Source, trail: Trail
) -> None:
    with pytest.raises(BrowserElementNotFound) as failed:
        await fetcher.run_errand(hasty, Lookup("a", button="#absent", renew_after=1), trail=trail)

    assert b'id="out"' in failed.value.page.body
    assert failed.value.screenshot.startswith(b"\x89PNG")


async def test_silence_in_an_old_page_is_tried_again_in_a_new_one(
    fetcher: BrowserFetcher, pretend_web, desk_page: None, hasty: Source, trail: Trail
) -> None:
    await fetcher.run_errand(hasty, Lookup("a"), trail=trail)
    pretend_web.hold("/answer")

    with pytest.raises(FetchTimeout) as failed:
        await fetcher.run_errand(hasty, Lookup("b"), trail=trail)

    assert failed.value.retryable


async def test_a_refusal_to_the_pages_own_script_is_a_refusal(
    fetcher: BrowserFetcher, pretend_web, desk_page: None, source: Source, trail: Trail
) -> None:
    pretend_web.pages["/answer"] = 403, {"Content-Type": "text/plain"}, b"no"

    with pytest.raises(PageBlocked):
        await fetcher.run_errand(source, Lookup("a"), trail=trail)
