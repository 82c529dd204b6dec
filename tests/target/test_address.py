from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.errors import BadAddress
from limpet.target.address import (
    _read_by_the_standard,
    canonicalize,
    join,
    lane_of,
    parse_address,
    registrable_domain,
    shown,
)


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("http://example.com", "https://example.com/"),
        ("HTTPS://EXAMPLE.COM/", "https://example.com/"),
        ("  https://example.com/a \n", "https://example.com/a"),
        ("https://example.com./a", "https://example.com/a"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:80/a", "https://example.com/a"),
        ("http://example.com:8080/a", "http://example.com:8080/a"),
        ("https://example.com:8443/a/", "https://example.com:8443/a"),
        ("https://example.com/a/", "https://example.com/a"),
        ("https://example.com/a//", "https://example.com/a"),
        ("https://example.com//", "https://example.com/"),
        ("https://example.com/a/./b/../c", "https://example.com/a/c"),
        ("https://example.com/a/%2e%2e/b", "https://example.com/b"),
        ("https://example.com/a#top", "https://example.com/a"),
        ("https://example.com/a?", "https://example.com/a"),
        ("https://example.com/a/?b=1", "https://example.com/a?b=1"),
        ("https://example.com/?b=2&a=1", "https://example.com/?a=1&b=2"),
        ("https://example.com/?a=2&b=0&a=1", "https://example.com/?a=2&a=1&b=0"),
        ("https://example.com/?a=&b=1&c", "https://example.com/?b=1"),
        ("https://example.com/?&&b=1&", "https://example.com/?b=1"),
        ("https://example.com/?=x&b=1", "https://example.com/?b=1"),
        ("https://example.com/?utm_source=x&utm_anything=y&id=7", "https://example.com/?id=7"),
        ("https://example.com/?UTM_Source=x&id=7", "https://example.com/?id=7"),
        ("https://example.com/?fbclid=1&gclid=2&ref=3&source=4&campaign=5", "https://example.com/"),
        ("https://example.com/?utm%5Fsource=x", "https://example.com/"),
        ("https://example.com/?preference=1&sources=2", "https://example.com/?preference=1&sources=2"),
        ("https://example.com/?q=a%20b", "https://example.com/?q=a+b"),
        ("https://example.com/?q=a+b", "https://example.com/?q=a+b"),
        ("https://example.com/?q=a%2Bb", "https://example.com/?q=a%2Bb"),
        ("https://example.com/?q=a%26b", "https://example.com/?q=a%26b"),
        ("https://example.com/?q=a=b", "https://example.com/?q=a%3Db"),
        ("https://example.com/?f[x]=1", "https://example.com/?f%5Bx%5D=1"),
        ("https://example.com/?to=%2Fa%2Fb", "https://example.com/?to=/a/b"),
        ("https://example.com/?q=%e9", "https://example.com/?q=%E9"),
        ("https://example.com/?q=%zz", "https://example.com/?q=%25zz"),
        ("https://example.com/%7euser/%c3%a9", "https://example.com/~user/%C3%A9"),
        ("https://example.com/é", "https://example.com/%C3%A9"),
        ("https://example.com/a%2fb", "https://example.com/a%2Fb"),
        ("https://example.com/100%", "https://example.com/100%25"),
        ("https://example.com/%%34%31", "https://example.com/%2541"),
        ("https://example.com/a|b", "https://example.com/a%7Cb"),
        ("https://example.com\\a\\b", "https://example.com/a/b"),
        ("https://bücher.example/ß", "https://xn--bcher-kva.example/%C3%9F"),
        ("https://exa\nmple.com/a\tb", "https://example.com/ab"),
        ("http://0x7f.1/", "https://127.0.0.1/"),
        ("https://[2001:DB8:0:0::1]/", "https://[2001:db8::1]/"),
    ],
)
def test_each_page_has_one_spelling(spelling: str, canonical: str) -> None:
    assert canonicalize(spelling) == canonical
    assert canonicalize(canonical) == canonical


def test_http_only_sources_keep_http() -> None:
    assert canonicalize("http://example.com/a/", http_only=True) == "http://example.com/a"


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "   ",
        "example.com/a",
        "//example.com/a",
        "/a",
        "https://",
        "https:///",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://a b/",
        "https://a..b/",
        "https://.a/",
        "https://a../",
        "https://example.com:99999/",
        "https://[::1/",
        "https://[fe80::1%25eth0]/",
        "https://256.1.1.1/",
        "https://" + "a" * 64 + ".com/",
        "https://" + ".".join(["a" * 60] * 5) + "/",
        "https://example.com/" + "a" * 9_000,
        "https://example.com/\ud800",
        "mailto:someone@example.com",
    ],
)
def test_nonsense_is_refused_in_one_sentence(nonsense: str) -> None:
    with pytest.raises(BadAddress) as refusal:
        canonicalize(nonsense)

    assert str(refusal.value).endswith(".")
    assert "\n" not in str(refusal.value)
    assert "secret" not in str(refusal.value)


def test_messages_show_neither_credentials_nor_query() -> None:
    assert shown("https://me:pw@example.com/a?token=1#x") == "'https://example.com/a'"
    assert shown("me:pw@example.com") == "'example.com'"


_anything = st.text(max_size=40)
_pieces = st.lists(
    st.sampled_from(
        [
            "%",
            "%2",
            "%2e",
            "%2F",
            "%41",
            "%25",
            "/",
            "//",
            ".",
            "..",
            "?",
            "&",
            "=",
            "+",
            " ",
            "#",
            "a",
            "Z",
            "utm_x=1",
            "ref=2",
            "b=1",
            "é",
            "|",
            "[",
            "^",
            ";",
            ":",
            "@",
            "'",
            '"',
            "~",
            "\\",
            "%c3%a9",
            "%ff",
        ]
    ),
    max_size=14,
).map("".join)


@settings(max_examples=600, deadline=None)
@given(rest=st.one_of(_anything, _pieces), http_only=st.booleans(), scheme=st.sampled_from(["http", "https"]))
def test_canonical_is_a_fixed_point(rest: str, http_only: bool, scheme: str) -> None:
    once = canonicalize(f"{scheme}://example.com/{rest}", http_only=http_only)

    assert canonicalize(once, http_only=http_only) == once
    assert parse_address(once).href == once


_hosts = st.sampled_from(
    [
        "Example.com",
        "e.com:443",
        "e.com:80",
        "127.0.0.1:81",
        "0x7f.1",
        "bücher.de",
        "a..b",
        "[::1]",
        "me@e.com",
        "e.",
    ]
)
_segments = st.sampled_from(
    [
        "a",
        "b.jpg",
        "..",
        ".",
        "%2e%2e",
        "a b",
        "ä",
        "~x",
        "x;y=1",
        "(1)",
        "",
        "@",
        "a:b",
        "a|b",
        "a\\b",
        "..a",
        "%41",
        "a\n",
    ]
)

_queries = st.sampled_from(["", "?", "?a=b&c=d/e", "?a='", "?x y", "?ä", "?a=b#f", "#f", "?a?b"])


@settings(max_examples=300, deadline=None)
@given(
    scheme=st.sampled_from(["http", "https"]),
    host=_hosts,
    path=st.lists(_segments, max_size=4).map("/".join),
    query=_queries,
)
def test_a_plain_address_is_read_as_the_standard_reads_it(
    scheme: str, host: str, path: str, query: str
) -> None:
    link = f"{scheme}://{host}/{path}{query}"
    try:
        meant = _read_by_the_standard(link)
    except BadAddress as wrong:
        with pytest.raises(BadAddress, match=re.escape(str(wrong))):
            parse_address(link)
    else:
        assert parse_address(link) == meant
        assert join("https://elsewhere.test/page", link) == meant.href


@settings(max_examples=300, deadline=None)
@given(text=st.one_of(_anything, _pieces))
def test_any_text_at_all_is_canonical_or_refused(text: str) -> None:
    try:
        once = canonicalize(text)
    except BadAddress:
        return

    assert canonicalize(once) == once


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("example.com", "example.com"),
        ("www.example.com", "example.com"),
        ("WWW.Example.COM", "example.com"),
        ("www.example.com.", "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("someone.github.io", "someone.github.io"),
        ("city.kawasaki.jp", "city.kawasaki.jp"),
        ("www.ck", "www.ck"),
        ("食狮.com.cn", "食狮.com.cn"),
        ("www.食狮。com。cn", "食狮.com.cn"),
        ("www.xn--85x722f.com.cn", "xn--85x722f.com.cn"),
        ("com", None),
        ("co.uk", None),
        ("github.io", None),
        ("localhost", None),
        ("", None),
        (".", None),
        (".example.com", None),
        ("a..com", None),
        ("127.0.0.1", None),
        ("2130706433", None),
        ("[::1]", None),
        ("::1", None),
        ("0x7f.0x1", None),
        ("a.foo.ck", "a.foo.ck"),
        ("foo.ck", None),
        ("b.s3.amazonaws.com", "b.s3.amazonaws.com"),
        ("xn--55qx5d.cn", None),
        ("example.com..", None),
        ("example.com:80", None),
        ("user@example.com", None),
        ("ex ample.com", None),
        ("https://example.com/", None),
    ],
)
def test_registrable_domain_is_what_its_owner_registered(host: str, domain: str | None) -> None:
    assert registrable_domain(host) == domain


@pytest.mark.parametrize(
    ("url", "lane"),
    [
        ("https://cdn.example.co.uk/x", "example.co.uk"),
        ("https://www.example.com:8443/", "example.com"),
        ("https://github.io/", "github.io"),
        ("http://127.0.0.1:8000/", "127.0.0.1"),
        ("http://[::1]:8000/", "[::1]"),
        ("http://localhost:8000/", "localhost"),
        ("http://shop.tidepool.localhost:8000/", "shop.tidepool.localhost"),
        ("http://court.tidepool.localhost:8000/", "court.tidepool.localhost"),
        ("https://bücher.de/", "xn--bcher-kva.de"),
    ],
)
def test_lane_is_the_domain_whose_budget_is_charged(url: str, lane: str) -> None:
    assert lane_of(url) == lane
