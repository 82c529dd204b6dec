"""A rendered page, or the error that says why there is none."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from limpet.errors import (
    BadAddress,
    BodyTooLarge,
    BrowserElementNotFound,
    ConnectionFailed,
    FetchTimeout,
    PageBlocked,
    PageGone,
    RateLimited,
    RobotsDisallowed,
    ServerFault,
    TooManyRedirects,
)
from limpet.fetch.browser import BrowserFetcher
from limpet.fetch.trail import Trail
from limpet.source import Pace, Source

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

HOME = "https://shop.test/"


async def test_page_holds_what_scripts_made_of_it(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html("/", "<p id=price></p><script>price.textContent = '19,99 €'</script>")

    page = await fetcher.get(source, HOME, trail=trail)

    assert '<p id="price">19,99 €</p>' in page.body.decode("utf-8")
    assert page.body.startswith(b"<!DOCTYPE html>")
    assert (page.status, page.fetcher, page.final_url) == (200, "browser", HOME)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["server"]
    assert "cache-control" not in page.headers


async def test_page_names_its_redirects_and_where_it_ended(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.redirect("/old", "/moved")
    pretend_web.redirect("/moved", "/new")
    pretend_web.html("/new", "here")

    page = await fetcher.get(source, f"{HOME}old#part", trail=trail)

    assert page.redirects == (f"{HOME}moved", f"{HOME}new")
    assert page.final_url == f"{HOME}new"


async def test_page_follows_a_script_that_goes_elsewhere(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html("/", "<script>location = '/real'</script>")
    pretend_web.html("/real", "<p id=real>x</p>")

    page = await fetcher.get(source, HOME, trail=trail, wait_for="#real")

    assert page.final_url == f"{HOME}real"
    assert b'id="real"' in page.body


@pytest.mark.parametrize(
    ("status", "headers", "error"),
    [
        (404, {}, PageGone),
        (410, {}, PageGone),
        (403, {}, PageBlocked),
        (401, {"WWW-Authenticate": "Basic realm=x"}, PageBlocked),
        (429, {"Retry-After": "7"}, RateLimited),
        (500, {}, ServerFault),
        (503, {}, ServerFault),
    ],
)
async def test_statuses_mean_what_they_mean_over_plain_http(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail, status: int, headers, error
) -> None:
    pretend_web.pages["/"] = (status, {"Content-Type": "text/html", **headers}, b"<p>sorry</p>")

    with pytest.raises(error) as raised:
        await fetcher.get(source, HOME, trail=trail)

    assert raised.value.status == status
    assert raised.value.page.body == b"<p>sorry</p>"
    assert raised.value.retry_after == (7 if status == 429 else None)


async def test_a_refused_navigation_raises_what_the_gate_said(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    refusal = RobotsDisallowed("robots.txt says no")
    pretend_web.redirect("/", "/private")
    pretend_web.faults[f"{HOME}private"] = refusal

    with pytest.raises(RobotsDisallowed) as raised:
        await fetcher.get(source, HOME, trail=trail)

    assert raised.value is refusal


@pytest.mark.parametrize("error", [ConnectionFailed("no route"), FetchTimeout("slow"), BodyTooLarge("big")])
async def test_a_failed_navigation_raises_the_failure_itself(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail, error: Exception
) -> None:
    pretend_web.faults[HOME] = error

    with pytest.raises(type(error)) as raised:
        await fetcher.get(source, HOME, trail=trail)

    assert raised.value is error


async def test_a_fault_of_our_own_is_not_mistaken_for_the_sites(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.faults[HOME] = ZeroDivisionError("ours")

    with pytest.raises(ZeroDivisionError):
        await fetcher.get(source, HOME, trail=trail)


async def test_redirects_without_end_are_given_up_after_the_sources_limit(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    for step in range(12):
        pretend_web.redirect(f"/{step}", f"/{step + 1}")

    with pytest.raises(TooManyRedirects):
        await fetcher.get(source, f"{HOME}0", trail=trail)

    assert len(pretend_web.asked) == source.max_redirects + 1


async def test_a_page_that_never_answers_is_given_up_when_patience_is_spent(
    fetcher: BrowserFetcher, pretend_web, hasty: Source, trail: Trail
) -> None:
    pretend_web.hold("/")

    with pytest.raises(FetchTimeout):
        await fetcher.get(hasty, HOME, trail=trail)


async def test_a_page_whose_script_never_ends_is_given_up_and_the_next_works(
    fetcher: BrowserFetcher, pretend_web, hasty: Source, source: Source
) -> None:
    pretend_web.html("/", "<script>while (true) {}</script>")
    pretend_web.html("/fine", "fine")

    with pytest.raises(FetchTimeout):
        await fetcher.get(hasty, HOME, trail=Trail())
    page = await fetcher.get(source, f"{HOME}fine", trail=Trail())

    assert b"fine" in page.body


async def test_patience_does_not_count_the_rests_we_insist_on(
    fetcher: BrowserFetcher, pretend_web, hasty: Source, trail: Trail
) -> None:
    spaced = replace(hasty, patience_seconds=0.8, pace=Pace(requests_per_second=None, min_delay_seconds=0.5))
    pretend_web.html("/", "<script src=/a.js></script>")
    pretend_web.script("/a.js", "document.title = 'loaded'")
    gate = pretend_web.hold("/a.js")
    asyncio.get_running_loop().call_later(1.2, gate.set)

    page = await fetcher.get(spaced, HOME, trail=trail)

    assert b"<title>loaded</title>" in page.body


async def test_a_missing_element_is_named(
    fetcher: BrowserFetcher, pretend_web, hasty: Source, trail: Trail
) -> None:
    pretend_web.html("/", "no price here")

    with pytest.raises(BrowserElementNotFound, match=r"\.price"):
        await fetcher.get(hasty, HOME, trail=trail, wait_for=".price")


async def test_an_element_that_comes_late_is_waited_for(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html(
        "/", "<script>fetch('/price').then(a => a.text()).then(t => document.body.innerHTML = t)</script>"
    )
    pretend_web.html("/price", "<b class=price>5</b>")

    page = await fetcher.get(source, HOME, trail=trail, wait_for=".price")

    assert b'<b class="price">5</b>' in page.body


async def test_a_page_that_grows_without_limit_is_too_large(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html("/", "<body><script>document.body.textContent = 'x'.repeat(3e5)</script>")

    with pytest.raises(BodyTooLarge):
        await fetcher.get(replace(source, max_bytes=100_000), HOME, trail=trail)


async def test_a_page_cannot_lie_about_its_html(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    lie = "Object.defineProperty(Element.prototype, 'outerHTML', {get: () => 'lie'})"
    pretend_web.html("/", f"<p>truth</p><script>{lie}</script>")

    page = await fetcher.get(source, HOME, trail=trail)

    assert b"<p>truth</p>" in page.body


@pytest.mark.parametrize(
    ("kind", "body"),
    [("application/json", b'{"price": 1}'), ("application/pdf", b"%PDF-1.4"), ("text/csv", b"a,b")],
)
async def test_what_is_not_html_comes_as_the_origin_sent_it(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail, kind: str, body: bytes
) -> None:
    pretend_web.pages["/"] = (200, {"Content-Type": kind}, body)

    page = await fetcher.get(source, HOME, trail=trail)

    assert (page.media_type, page.body) == (kind, body)


async def test_captured_answers_are_those_the_page_was_given(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html(
        "/", "<script>fetch('/api/score?v=3', {headers: {'X-Key': 'k'}}); fetch('/other')</script>"
    )
    pretend_web.pages["/api/score"] = (200, {"Content-Type": "application/json"}, b'{"over": "9.6"}')

    rendered = await fetcher.render(
        source, HOME, trail=trail, capture=["https://shop.test/api/*"], wait_for_capture=True
    )

    (captured,) = rendered.captured
    assert (captured.url, captured.status) == (f"{HOME}api/score?v=3", 200)
    assert captured.body == b'{"over": "9.6"}'
    assert captured.request_headers["x-key"] == "k"


async def test_images_fonts_and_styles_are_not_asked_for(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html(
        "/",
        """<link rel=stylesheet href=/a.css><link rel=stylesheet href=/style><img src=/i.png><img src=/image>
        <style>
        @font-face { font-family: f; src: url(/f.woff2) }
        body { font-family: f; background: url(/bg) }
        </style>
        <p>text</p>""",
    )

    for scheme in ("http", "https"):
        await fetcher.get(source, f"{scheme}://shop.test/", trail=trail)

    assert pretend_web.urls == ["http://shop.test/", "https://shop.test/"]


async def test_only_web_addresses_are_opened(fetcher: BrowserFetcher, source: Source, trail: Trail) -> None:
    with pytest.raises(BadAddress):
        await fetcher.get(source, "file:///etc/passwd", trail=trail)


async def test_screenshot_is_taken_when_asked_for(
    fetcher: BrowserFetcher, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html("/", "look")

    rendered = await fetcher.render(source, HOME, trail=trail, screenshot=True)

    assert rendered.screenshot is not None
    assert rendered.screenshot.startswith(b"\x89PNG")
