"""What sitemaps and listings lead to, and what hostile ones do not."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime

import pytest

from limpet.apps.prices.discovery.discoverer import shape_of, wanted
from limpet.apps.prices.discovery.listing import read_json_listing, read_listing
from limpet.apps.prices.discovery.sitemap import read_sitemap
from limpet.errors import UsageError
from limpet.fetch.page import Page

BASE = "https://shop.example.com"


def page(body: bytes | str, *, url: str = f"{BASE}/list", media: str = "text/html; charset=utf-8") -> Page:
    raw = body.encode() if isinstance(body, str) else body
    return Page(url, url, 200, {"content-type": media}, raw, datetime(2026, 1, 1, tzinfo=UTC))


URLSET = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://shop.example.com/p/1?a=1&amp;b=2 </loc><image:loc>https://cdn/x.jpg</image:loc></url>
<url><loc><![CDATA[https://shop.example.com/p/2]]></loc></url><url><loc>https://shop.example.com/p/2</loc></url></urlset>"""


def test_a_sitemap_is_read_plain_and_packed() -> None:
    for body in (URLSET.encode(), gzip.compress(URLSET.encode())):
        found = read_sitemap(page(body))

        assert found.places == (f"{BASE}/p/1?a=1&b=2", f"{BASE}/p/2") and not found.is_index


def test_an_index_is_known_for_one() -> None:
    text = f"<sitemapindex><sitemap><loc>{BASE}/s-1.xml</loc></sitemap></sitemapindex>"

    assert read_sitemap(page(text)).is_index


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Not found</body></html>",
        b"",
        gzip.compress(b"<urlset>" + b" " * (65 * 1024 * 1024)),
        b"\x1f\x8bbroken",
    ],
)
def test_what_is_no_sitemap_or_too_large_is_refused_with_a_sentence(body: bytes) -> None:
    with pytest.raises(UsageError):
        read_sitemap(page(body))


def test_entities_of_a_hostile_sitemap_are_never_expanded() -> None:
    text = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>'

    assert read_sitemap(page(text)).places == ("&a;",)


def test_a_listing_gives_its_links_without_menus_and_its_next_page() -> None:
    html = """<header><a href="/p/menu">x</a></header><nav><a href="/p/nav">x</a></nav>
    <main><a href="/p/1">One</a><a href="p/2#reviews">Two</a><a href="mailto:a@b.c">m</a><a href="#top">t</a></main>
    <a rel="next" href="/list?page=2">more</a><footer><a href="/p/foot">x</a></footer>"""

    found = read_listing(page(html))

    assert [link for link in found.links if "/p/" in link] == [f"{BASE}/p/1", f"{BASE}/p/2"]
    assert found.next_page == f"{BASE}/list?page=2"


def test_what_a_listing_states_as_its_list_counts_before_its_links() -> None:
    html = """<script type="application/ld+json">{"@type":"ItemList","itemListElement":[
    {"@type":"ListItem","url":"/p/7"},{"@type":"ListItem","item":{"@type":"Product","url":"/p/8"}}]}</script>
    <a href="/p/1">One</a>"""

    assert read_listing(page(html)).links == (f"{BASE}/p/7", f"{BASE}/p/8")


@pytest.mark.parametrize(
    ("current", "link", "expected"),
    [
        ("/list", "/list?page=2", "/list?page=2"),
        ("/list?page=2", "/list?page=1", None),
        ("/list/", "/list/page/2/", "/list/page/2/"),
        ("/list/page/2/", "/list/page/3/", "/list/page/3/"),
        ("/list", "/other?page=2", None),
        ("/list", "https://evil.example/list?page=2", None),
    ],
)
def test_only_the_next_page_of_the_same_list_is_followed(
    current: str, link: str, expected: str | None
) -> None:
    found = read_listing(page(f'<a href="{link}">next</a>', url=BASE + current))

    assert found.next_page == (BASE + expected if expected else None)


def test_a_json_listing_is_read_by_its_path_and_goes_on_by_offset() -> None:
    body = '{"items": [{"slug": "a-1"}, {"slug": "b-2"}, {"slug": null}]}'

    found = read_json_listing(
        page(body, url=f"{BASE}/api?offset=4&limit=2"), "items.slug", "/api/items?url={}"
    )

    assert found.links == (f"{BASE}/api/items?url=a-1", f"{BASE}/api/items?url=b-2")
    assert found.next_page == f"{BASE}/api?offset=6&limit=2"


def test_addresses_shaped_like_those_we_know_are_wanted() -> None:
    meant = wanted(None, [f"{BASE}/product/ammo/some-thing/", f"{BASE}/product/ammo/other"])

    assert meant.takes(f"{BASE}/product/rifle/third-thing/")
    assert not meant.takes(f"{BASE}/catalog/ammo/third") and not meant.takes(f"{BASE}/product/rifle")
    assert shape_of(f"{BASE}/one") == ("", "1")


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="no pattern"):
        wanted("(", [])
