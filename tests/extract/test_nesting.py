"""The guard before the DOM: hostile pages are refused quickly, honest ones never."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from limpet.extract import nesting
from limpet.extract.nesting import MAX_BYTES, MAX_DEPTH, objection_to

SAVED_PAGES = Path(__file__).parents[2].parent / "shared" / "pages"
PADDING = b"<p>" + b" " * 70_000  # past the size below which no walk is needed


def attributes(count: int) -> bytes:
    return b" ".join(b"a%d" % number for number in range(count))


@pytest.mark.parametrize(
    ("markup", "word"),
    [
        (b"<div>" * 100_000, "nested"),
        (b"<div>" * 1_000, "nested"),
        (b"<div></x>" * 5_000, "nested"),
        (b"<div><table><tr><td></div></table>" * 1_500, "nested"),
        (b"<span><div></span>" * 3_000, "nested"),
        (b"<form><div></form>" * 3_000, "nested"),
        (b"<b><div></b>" * 3_000, "nested"),
        (b"<svg>" + b"<div/>" * 3_000, "nested"),
        (b"<svg><p>" + b"<path/>" * 3_000, "nested"),
        (b"<svg><style>" + b"<div>" * 3_000, "nested"),
        (b"<math><mi>" + b"<foo/>" * 3_000, "nested"),
        (b"".join(b"<p><b id=%d>x" % number for number in range(5_000)), "formatting"),
        (b"<div " + attributes(100_000) + b">", "attributes"),
        (b'<div ="' + attributes(100_000) + b'">', "attributes"),
        (b'<div a=b="' + attributes(100_000) + b'">', "attributes"),
        (b"<p>" * 200_000, "tags"),
        (b"x" * (MAX_BYTES + 1), "bytes"),
    ],
)
def test_a_page_that_would_hurt_is_refused_with_a_reason(markup: bytes, word: str) -> None:
    assert word in (objection_to(markup + PADDING if len(markup) < MAX_BYTES else markup) or "")


@pytest.mark.parametrize(
    "markup",
    [
        b"",
        b"no markup at all",
        b"<ul>" + b"<li>one" * 5_000,
        b"<p>one" * 5_000,
        b"<a href=1>one" * 3_000,
        b"<p><b>one" * 3_000,
        b"<table><tr><td>one<td>two</table>" * 1_000,
        b"<div><svg><title>t</title><path d='M0'/><g><path/></g></svg></div>" * 1_000,
        b"<div>" * (MAX_DEPTH - 10) + b"</div>" * (MAX_DEPTH - 10),
        b"<script>if (a<b) { document.write('<div>'.repeat(9)) }</script>" * 2_000,
        b"<!-- <div> -->" * 3_000,
        b"<select>" + b"<option>one" * 3_000 + b"</select>",
        b"<img><br><input>" * 3_000,
        b'<div data-variations="' + b"{&quot;a&quot;: 1}," * 20_000 + b'"></div>',
    ],
)
def test_a_page_people_could_have_written_passes(markup: bytes) -> None:
    assert objection_to(markup + PADDING) is None


@pytest.mark.parametrize(
    "markup", [b"<a" * 60_000, b"<title " * 20_000, b"<!--" * 30_000, b"<" * 100_000, b'<a x="' * 30_000]
)
def test_unfinished_tags_do_not_make_the_guard_itself_slow(markup: bytes) -> None:
    objection_to(markup + PADDING)


@pytest.mark.skipif(not SAVED_PAGES.exists(), reason="the saved pages are not part of the project")
def test_saved_pages_pass() -> None:
    objections = {path.name: objection_to(path.read_bytes()) for path in SAVED_PAGES.glob("*.html")}

    assert set(objections.values()) == {None}


TAGS = [
    "div", "span", "p", "li", "ul", "table", "tr", "td", "th", "caption", "tbody", "b", "a", "i", "font",
    "nobr", "svg", "path", "math", "mi", "title", "desc", "foreignobject", "annotation-xml", "style", "image",
    "form", "button", "object", "marquee", "h1", "section", "select", "option", "input", "br", "template",
    "dd", "dl",
]  # fmt: skip
ENDINGS = st.sampled_from(["", "", "/", " id=1"])
TAG = st.builds("{}{}{}>".format, st.sampled_from(["<", "<", "</"]), st.sampled_from(TAGS), ENDINGS)


@settings(max_examples=60)
@given(st.lists(TAG, min_size=1, max_size=6))
def test_no_repeated_pattern_nests_deep_behind_the_guards_back(pattern: list[str]) -> None:
    markup = ("<body>" + "".join(pattern) * 1_000).encode() + PADDING

    if objection_to(markup) is None:
        # Table parts and reopened formatting may multiply what was counted, but not without bound.
        assert depth_of(LexborHTMLParser(markup).root) < 8 * MAX_DEPTH


def depth_of(root: LexborNode | None) -> int:
    deepest, waiting = 0, [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        child = node.child if node is not None else None
        while child is not None:
            if child.is_element_node:
                waiting.append((child, depth + 1))
            child = child.next
    return deepest


def test_a_small_page_is_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nesting, "_Walk", None)

    assert objection_to(b"<div><p>one</p></div>" * 250) is None
