"""Which headers cross the guard."""

from __future__ import annotations

import pytest

from limpet.fetch.browser.answer import Answer
from limpet.fetch.browser.egress_headers import headers_to_forward, headers_to_return, is_decoration
from limpet.fetch.browser.egress_http import without_default_port


def test_what_is_between_chromium_and_its_proxy_is_not_forwarded() -> None:
    raw = [
        (b"Host", b"shop.test"),
        (b"Proxy-Connection", b"keep-alive"),
        (b"Proxy-Authorization", b"Basic x"),
        (b"Accept-Encoding", b"gzip"),
        (b"X-Own", b"kept"),
        (b"Cookie", b"a=1"),
        (b"Cookie", b"b=2"),
    ]

    assert headers_to_forward(raw) == {"x-own": "kept", "cookie": "a=1; b=2"}


def test_framing_goes_and_every_cookie_stays() -> None:
    answer = Answer(
        200,
        "OK",
        (
            ("Content-Type", "text/javascript"),
            ("Content-Encoding", "br"),
            ("Content-Length", "3"),
            ("Set-Cookie", "a=1"),
            ("Set-Cookie", "b=2"),
            ("Bad Name", "x"),
            ("X-Lines", "one\r\ntwo"),
        ),
        b"",
    )

    assert headers_to_return(answer) == [
        (b"Content-Type", b"text/javascript"),
        (b"Set-Cookie", b"a=1"),
        (b"Set-Cookie", b"b=2"),
        (b"X-Lines", b"one  two"),
    ]


@pytest.mark.parametrize(
    ("media_type", "kept"),
    [("text/javascript", b"max-age=9"), ("text/html", b"no-store"), ("application/json", b"no-store")],
)
def test_only_the_parts_of_a_page_may_be_kept(media_type: str, kept: bytes) -> None:
    answer = Answer(200, "OK", (("Content-Type", media_type), ("Cache-Control", "max-age=9")), b"")

    cache_control = [value for name, value in headers_to_return(answer) if name.lower() == b"cache-control"]

    assert cache_control == [kept]


@pytest.mark.parametrize(
    ("path", "headers", "verdict"),
    [
        ("/x", {"sec-fetch-dest": "image"}, True),
        ("/x.png", {"sec-fetch-dest": "empty"}, False),
        ("/x", {"accept": "image/avif,image/webp"}, True),
        ("/x", {"accept": "text/css,*/*;q=0.1"}, True),
        ("/x.woff2", {"accept": "*/*"}, True),
        ("/x.js", {"accept": "*/*"}, False),
        ("/", {"accept": "text/html"}, False),
    ],
)
def test_decoration_is_known_with_and_without_a_destination(
    path: str, headers: dict[str, str], verdict: bool
) -> None:
    assert is_decoration(f"http://shop.test{path}", headers) is verdict


@pytest.mark.parametrize(
    ("told", "named"),
    [
        ("https://shop.test:443/a?b", "https://shop.test/a?b"),
        ("http://shop.test:80/", "http://shop.test/"),
        ("http://shop.test:443/", "http://shop.test:443/"),
        ("https://[::1]:443/", "https://[::1]/"),
        ("https://[::1]/", "https://[::1]/"),
    ],
)
def test_an_address_is_named_without_the_port_its_scheme_implies(told: str, named: str) -> None:
    assert without_default_port(told) == named
