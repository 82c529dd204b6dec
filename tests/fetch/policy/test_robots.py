from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.fetch.policy.robots import MOST_BYTES, Robots, product_token

SITE = "https://site.example"


def allowed(text: str | bytes, agent: str, path: str) -> bool:
    body = text.encode() if isinstance(text, str) else text
    return Robots.parse(body).allows(agent, SITE + path)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        # nothing that forbids
        ("", "/", True),
        ("User-agent: *\n", "/a", True),
        ("User-agent: *\nDisallow:\n", "/a", True),
        ("Disallow: /\n", "/a", True),  # speaks to nobody
        ("<html><body>Not found</body></html>", "/a", True),
        # prefixes
        ("User-agent: *\nDisallow: /\n", "/", False),
        ("User-agent: *\nDisallow: /\n", "/a?b=c", False),
        ("User-agent: *\nDisallow: /fish\n", "/fish", False),
        ("User-agent: *\nDisallow: /fish\n", "/fishheads/yummy.html", False),
        ("User-agent: *\nDisallow: /fish\n", "/fish.php?id=anything", False),
        ("User-agent: *\nDisallow: /fish\n", "/Fish.asp", True),
        ("User-agent: *\nDisallow: /fish\n", "/catfish", True),
        ("User-agent: *\nDisallow: /fish/\n", "/fish", True),
        ("User-agent: *\nDisallow: /fish/\n", "/fish/salmon", False),
        ("User-agent: *\nDisallow: fish\n", "/fish", True),  # no path starts like this
        # the longest rule wins, and between equals Allow
        ("User-agent: *\nDisallow: /\nAllow: /p\n", "/page", True),
        ("User-agent: *\nAllow: /p\nDisallow: /\n", "/page", True),
        ("User-agent: *\nDisallow: /folder\nAllow: /folder\n", "/folder/page", True),
        ("User-agent: *\nAllow: /folder\nDisallow: /folder\n", "/folder/page", True),
        ("User-agent: *\nAllow: /page\nDisallow: /*.htm\n", "/page.htm", False),
        ("User-agent: *\nAllow: /$\nDisallow: /\n", "/", True),
        ("User-agent: *\nAllow: /$\nDisallow: /\n", "/page.htm", False),
        ("User-agent: *\nAllow: /x/page.\nDisallow: /*.html\n", "/x/page.html", True),
        ("User-agent: *\nDisallow: /x/page.\nAllow: /*.html\n", "/x/page.html", False),
        ("User-agent: *\nDisallow: /ab*\nAllow: /abc\n", "/abc", True),
        ("User-agent: *\nDisallow: /a/b/c\nAllow: /a/b\nDisallow: /a\n", "/a/b/d", True),
        ("User-agent: *\nDisallow: /a/b/c\nAllow: /a/b\nDisallow: /a\n", "/a/b/c", False),
        # stars
        ("User-agent: *\nDisallow: /*.php\n", "/index.php", False),
        ("User-agent: *\nDisallow: /*.php\n", "/folder/filename.php/", False),
        ("User-agent: *\nDisallow: /*.php\n", "/windows.PHP", True),
        ("User-agent: *\nDisallow: /*.php$\n", "/filename.php", False),
        ("User-agent: *\nDisallow: /*.php$\n", "/filename.php?x", True),
        ("User-agent: *\nDisallow: /*.php$\n", "/a.php/b.php", False),
        ("User-agent: *\nDisallow: /fish*.php\n", "/fishheads/catfish.php?p", False),
        ("User-agent: *\nDisallow: /fish*.php\n", "/Fish.PHP", True),
        ("User-agent: *\nDisallow: *\n", "/anything", False),
        ("User-agent: *\nDisallow: **\n", "/", False),
        ("User-agent: *\nDisallow: *a*b*c$\n", "/xaxbxc", False),
        ("User-agent: *\nDisallow: *a*b*c$\n", "/xaxbxcx", True),
        (
            "User-agent: *\nDisallow: /a*ab$\n",
            "/ab",
            True,
        ),  # the star may be empty, the letters may not be shared
        ("User-agent: *\nDisallow: /a*ab$\n", "/aab", False),
        ("User-agent: *\nDisallow: /*?s=\n", "/shop?s=ammo", False),
        ("User-agent: *\nDisallow: /*?s=\n", "/shop?t=ammo", True),
        # dollars
        ("User-agent: *\nDisallow: /a$\n", "/a", False),
        ("User-agent: *\nDisallow: /a$\n", "/a$", True),
        ("User-agent: *\nDisallow: /a$b\n", "/a$bc", False),
        ("User-agent: *\nDisallow: $\n", "/", True),
        ("User-agent: *\nDisallow: /*$\n", "/a", False),
        ("User-agent: *\nDisallow: /a$$\n", "/a$", False),
        # index pages stand for their directory, when allowed
        ("User-agent: *\nDisallow: /\nAllow: /x/index.html\n", "/x/", True),
        ("User-agent: *\nDisallow: /\nAllow: /x/index.html\n", "/x/index.html", True),
        ("User-agent: *\nDisallow: /\nAllow: /x/index.htm\n", "/x/", True),
        ("User-agent: *\nDisallow: /\nAllow: /x/index.html\n", "/x/y", False),
        ("User-agent: *\nAllow: /\nDisallow: /x/index.html\n", "/x/", True),
        # robots.txt is always open
        ("User-agent: *\nDisallow: /\n", "/robots.txt", True),
        ("User-agent: *\nDisallow: /\n", "/robots.txt?x", False),
        # comments, spaces, line ends
        ("User-agent: * # all\nDisallow: /a # not /b\n", "/a", False),
        ("#User-agent: *\nDisallow: /a\n", "/a", True),
        ("User-agent: *\nDisallow: /a#b\n", "/a", False),
        ("  User-agent :  *  \n\t Disallow\t:\t/a \t\n", "/a", False),
        ("User-agent: *\rDisallow: /a\r", "/a", False),
        ("User-agent: *\r\nDisallow: /a\r\n", "/a", False),
        ("User-agent: *\n\n\nDisallow: /a", "/a", False),
        ("User-agent: *\nDisallow: /a b\n", "/a%20b", True),  # a raw space is not an encoded one
        # what people meant
        ("USER-AGENT: *\nDISALLOW: /a\n", "/a", False),
        ("useragent: *\ndissallow: /a\n", "/a", False),
        ("user agent: *\ndisalow: /a\n", "/a", False),
        ("User-agent *\nDisallow /a\n", "/a", False),
        ("User-agent   *\nDisallow \t /a\n", "/a", False),
        ("User-agent * extra\nDisallow /a\n", "/a", True),  # three words are no line
        ("User-agent: *\nDisallow /a /b\n", "/a", True),
        ("User-agent: *\ndiasllow: /a\n", "/a", False),
        ("User-agent: *\nDisallowed: /a\n", "/a", False),
        ("User-agent: *\n: /a\n", "/a", True),
        # percent-encoding
        ("User-agent: *\nDisallow: /é\n", "/%C3%A9", False),
        ("User-agent: *\nDisallow: /%c3%a9\n", "/é", False),
        ("User-agent: *\nDisallow: /%C3%A9\n", "/%c3%a9", False),
        ("User-agent: *\nDisallow: /ツ*\n", "/ツ/x", False),
        ("User-agent: *\nDisallow: /a%2Fb\n", "/a/b", True),
        ("User-agent: *\nDisallow: /a%2fb\n", "/a%2Fb", False),
        ("User-agent: *\nDisallow: /a/b\n", "/a%2Fb", True),
        # encoded letters: the RFC reads them as letters, Google does not; both must allow
        ("User-agent: *\nDisallow: /%62%61%7A\n", "/baz", False),
        ("User-agent: *\nDisallow: /%62%61%7A\n", "/%62%61%7A", False),
        ("User-agent: *\nDisallow: /baz\n", "/b%61z", False),
        ("User-agent: *\nDisallow: /\nAllow: /%62%61%7A\n", "/baz", False),
        ("User-agent: *\nDisallow: /\nAllow: /%62%61%7A\n", "/%62%61%7A", True),
        # disguises of the path that will be requested
        ("User-agent: *\nDisallow: /private\n", "/open/../private", False),
        ("User-agent: *\nDisallow: /private\n", "/open/%2e%2E/private", False),
        ("User-agent: *\nDisallow: /private\n", "/./private", False),
        ("User-agent: *\nDisallow: /private/x\n", "\\private\\x", False),
        ("User-agent: *\nDisallow: /private\n", "/pri\tvate", False),
        ("User-agent: *\nDisallow: /a\n", "?a#/a", True),
        ("User-agent: *\nDisallow: /?a\n", "?a#b", False),
        ("User-agent: *\nDisallow: /a\n", "#/a", True),
        ("User-agent: *\nDisallow: /.well-known\n", "/.well-known/x", False),
    ],
)
def test_a_path_is_judged_as_the_file_says(text: str, path: str, expected: bool) -> None:
    assert allowed(text, "Limpet", path) is expected


@pytest.mark.parametrize(
    ("text", "agent", "expected"),
    [
        # the group that names us, else the one for everybody
        ("User-agent: *\nDisallow: /\n\nUser-agent: Limpet\nAllow: /\n", "Limpet", True),
        ("User-agent: Limpet\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "Limpet", True),
        ("User-agent: Limpet\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "Other", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Limpet\nDisallow:\n", "Limpet", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Limpet\n", "Limpet", True),
        ("User-agent: Other\nDisallow: /\n", "Limpet", True),
        # names
        ("User-agent: LIMPET\nDisallow: /\n", "limpet", False),
        ("User-agent: Limpet/1.0\nDisallow: /\n", "Limpet", False),
        ("User-agent: Limpet Reader\nDisallow: /\n", "Limpet", False),
        ("User-agent: Limpet Reader\nDisallow: /\n", "Limpet Reader", True),
        ("User-agent: Limpet\nDisallow: /\n", "Limpet/0.1 (+https://limpet.example)", False),
        ("User-agent: Limpet\nDisallow: /\n", "Mozilla/5.0 (compatible; Limpet/1.0; +https://x)", False),
        ("User-agent: Limpet\nDisallow: /\n", "Limpet-News", True),
        ("User-agent: Limpet-News\nDisallow: /\n", "Limpet", True),
        ("User-agent: Limpet*\nDisallow: /\n", "Limpet", False),
        ("User-agent: *Limpet\nDisallow: /\n", "Limpet", True),
        ("User-agent: * and all\nDisallow: /\n", "Limpet", False),
        ("User-agent: Limpet2\nDisallow: /\n", "Limpet2/1.0", False),
        ("User-agent:\nDisallow: /\n", "Limpet", True),
        ("User-agent: *\nDisallow: /\n", "", False),
        # groups
        ("User-agent: A\nUser-agent: Limpet\nDisallow: /\n", "Limpet", False),
        ("User-agent: Limpet\nUser-agent: A\nDisallow: /\n", "Limpet", False),
        ("User-agent: Limpet\nAllow: /b\nUser-agent: A\nDisallow: /\n", "Limpet", True),
        (
            "User-agent: Limpet\nAllow: /b\nUser-agent: A\nAllow: /\nUser-agent: limpet\nDisallow: /\n",
            "Limpet",
            False,
        ),
        ("User-agent: Limpet\nSitemap: https://x/s.xml\nUser-agent: *\nDisallow: /\n", "Limpet", False),
        ("User-agent: Limpet\nUnheard-of: x\nUser-agent: *\nDisallow: /\n", "Limpet", False),
        ("User-agent: Limpet\nCrawl-delay: 9\nUser-agent: *\nDisallow: /\n", "Limpet", False),
        ("User-agent: Limpet\n\n\nUser-agent: A\n\n\nDisallow: /\n", "Limpet", False),
        ("Disallow: /\nUser-agent: Limpet\nAllow: /a\n", "Limpet", True),
    ],
)
def test_an_agent_obeys_the_group_that_names_it(text: str, agent: str, expected: bool) -> None:
    assert allowed(text, agent, "/a") is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"\xef\xbb\xbfUser-agent: *\nDisallow: /\n", False),
        (b"\xef\xbbUser-agent: *\nDisallow: /\n", False),
        (b"\xefUser-agent: *\nDisallow: /\n", False),
        (b"\xef\x11\xbfUser-agent: *\nDisallow: /\n", True),
        ("User-agent: *\nDisallow: /\n".encode("utf-16"), False),
        (b"User-agent: *\nDisallow: /caf\xe9\n", True),
        (b"\x00\xff\xfe\x00" * 100, True),
        (b"User-agent: *\nDisallow: /\x00\n", True),
        (b"User-agent: *\n" + b"#" * MOST_BYTES + b"\nDisallow: /\n", True),
        (b"User-agent: *\n" + b"\n" * (MOST_BYTES - 30) + b"Disallow: /\nAllow: /a", False),
        (b"User-agent: *\r" + b"\r" * (MOST_BYTES - 27) + b"Disallow: /\rAllow: /a", False),
        (b"User-agent: *\nDisallow: /" + b"a" * 40_000 + b"\nDisallow: /a\n", False),
    ],
)
def test_any_bytes_can_be_read(body: bytes, expected: bool) -> None:
    assert allowed(body, "Limpet", "/a") is expected


def test_latin_1_bytes_match_their_encoded_form() -> None:
    assert not allowed(b"User-agent: *\nDisallow: /caf\xe9\n", "Limpet", "/caf%E9")


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 5\n", 5.0),
        ("User-agent: *\ncrawl-delay:0.5 # s\n", 0.5),
        ("User-agent: *\nCrawl-delay: 10s\n", 10.0),
        ("User-agent: *\nCrawl-delay: .5\n", 0.5),
        ("User-agent: *\nCrawl-delay: 2\nDisallow: /\nCrawl-delay: 7\n", 7.0),
        ("User-agent: *\nCrawl-delay: 5\n\nUser-agent: Limpet\nDisallow: /x\n", None),
        ("User-agent: *\nDisallow: /\nCrawl-delay: 5\n\nUser-agent: Limpet\nCrawl-delay: 3\n", 3.0),
        ("User-agent: Other\nCrawl-delay: 60\n\nUser-agent: *\nDisallow: /x\n", None),
        ("User-agent: Limpet\nCrawl-delay: 4\nUser-agent: *\nDisallow: /x\n", 4.0),
        ("User-agent: *\nCrawl-delay: soon\n", None),
        ("User-agent: *\nCrawl-delay: -5\n", None),
        ("User-agent: *\nCrawl-delay: nan\n", None),
        ("User-agent: *\nCrawl-delay:\n", None),
        ("Crawl-delay: 5\n", None),
    ],
)
def test_crawl_delay_is_the_longest_our_groups_ask_for(text: str, delay: float | None) -> None:
    assert Robots.parse(text.encode()).crawl_delay("Limpet/1.0") == delay


def test_sitemaps_and_hash_are_kept() -> None:
    body = "Sitemap: https://x/ü.xml\nUser-agent: *\nSite-map: https://x/b.xml\n".encode()

    robots = Robots.parse(body)

    assert robots.sitemaps == ("https://x/ü.xml", "https://x/b.xml")
    assert robots.sha256 == hashlib.sha256(body).hexdigest()


@pytest.mark.parametrize(
    "url", ["", "site.example/a", "//site.example/a", "/a", "http://site.example:8080/a"]
)
def test_addresses_without_scheme_or_host_are_judged_by_their_path(url: str) -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /a\n")

    assert robots.allows("Limpet", url) is (url == "")


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        ("Limpet", "limpet"),
        ("Limpet/0.1 (+https://x)", "limpet"),
        ("Mozilla/5.0 (X11; Linux) (compatible; Limpet/1.0)", "limpet"),
        ("Mozilla/5.0 (compatible; Limpet; +https://x)", "limpet"),
        ("Mozilla/5.0", "mozilla"),
        ("", ""),
    ],
)
def test_product_token_is_the_name_a_site_would_call_us_by(agent: str, token: str) -> None:
    assert product_token(agent) == token


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "body",
    [
        b"User-agent: *\n" + b"".join(b"Disallow: /" + b"*a" * 30 + b"*%d\n" % i for i in range(6_000)),
        b"User-agent: *\nDisallow: /" + b"*a" * 8_000 + b"*b$\n",
        b"".join(b"User-agent: a%d\n" % i for i in range(15_000)) + b"Disallow: /x\n" * 20_000,
        b"User-agent: *\nCrawl-delay: 1\n" * 8_000 + b"Disallow: /x\n" * 10_000,
    ],
    ids=["many stars", "one line of stars", "agents times rules", "repeated agents"],
)
def test_a_hostile_file_is_read_and_asked_without_stalling(body: bytes) -> None:
    robots = Robots.parse(body)

    for _ in range(20):
        assert robots.allows("Limpet", SITE + "/" + "a" * 2_000)
    robots.crawl_delay("Limpet")


_lines = st.sampled_from(
    ["User-agent: *", "User-agent: Limpet", "Disallow: ", "Allow: ", "x: ", "Crawl-delay: 1"]
)
_patterns = st.lists(st.sampled_from(["/", "a", "b", "*", "$", "%41", "é", "?"]), max_size=6).map("".join)


def _slowly(pattern: str, path: str) -> bool:
    """Match by definition: try every way a star can be filled."""
    if pattern == "$":
        return path == ""
    if not pattern:
        return True
    if pattern[0] == "*":
        return any(_slowly(pattern[1:], path[i:]) for i in range(len(path) + 1))
    return bool(path) and path[0] == pattern[0] and _slowly(pattern[1:], path[1:])


@settings(max_examples=300, deadline=None)
@given(
    rules=st.lists(
        st.tuples(
            st.booleans(),
            st.lists(st.sampled_from(["a", "b", "*", "$", "/"]), min_size=1, max_size=6).map("".join),
        ),
        max_size=6,
    ),
    path=st.text("ab/$", max_size=8),
)
def test_compiled_rules_agree_with_the_definition(rules: list[tuple[bool, str]], path: str) -> None:
    text = "User-agent: *\n" + "".join(f"{'Allow' if ok else 'Disallow'}: {p}\n" for ok, p in rules)
    matching = [(len(p), ok) for ok, p in rules if _slowly(p, "/" + path)]

    assert allowed(text, "Limpet", "/" + path) is (not matching or max(matching)[1])


@settings(max_examples=200, deadline=None)
@given(
    body=st.one_of(
        st.binary(max_size=200), st.lists(st.tuples(_lines, _patterns).map("".join)).map("\n".join)
    )
)
def test_no_file_makes_the_parser_stumble(body: bytes | str) -> None:
    robots = Robots.parse(body if isinstance(body, bytes) else body.encode())

    assert robots.allows("Limpet", SITE + "/robots.txt")
    assert robots.allows("Limpet", SITE + "/a") in (True, False)
