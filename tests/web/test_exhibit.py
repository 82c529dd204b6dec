"""Stored pages, made safe to look at."""

from __future__ import annotations

import pytest

from limpet.web.exhibit import MOST_SHOWN, exhibit_of

HTML = "text/html"


@pytest.mark.parametrize(
    "markup",
    [
        "<script>x()</script>",
        "<SCRIPT SRC=//evil.test></SCRIPT>",
        "<link rel=preconnect href=//evil.test>",
        "<meta http-equiv=refresh content=0>",
        "<base href=//evil.test>",
        "<iframe src=//evil.test></iframe>",
        "<img src=//evil.test>",
        "<object data=//evil.test></object>",
        "<svg><script>x()</script></svg>",
        "<style>@import '//evil.test'</style>",
        "<video src=//evil.test></video>",
        "<b onclick='x()' style='background:url(//evil.test)' data-u=//evil.test>bold</b>",
        "<a href='//evil.test' ping='//evil.test'>link</a>",
        "<body onload='x()' background='//evil.test'>",
    ],
)
def test_what_could_act_is_cut_out_of_the_rendering(markup: str) -> None:
    page = f"<html><head>{markup}</head><body><p>kept</p>{markup}</body></html>".encode()

    exhibit = exhibit_of(page, media_type=HTML, charset="utf-8")

    rendered = exhibit.rendering.partition("<body")[2]
    assert "kept" in rendered
    assert "evil.test" not in rendered and "x()" not in rendered
    assert markup in exhibit.text


def test_page_too_deep_to_parse_is_shown_as_source_only() -> None:
    exhibit = exhibit_of(b"<div>" * 50_000, media_type=HTML, charset=None)

    assert exhibit.rendering == ""
    assert "not safe" in exhibit.refusal
    assert exhibit.is_cut and len(exhibit.text) == MOST_SHOWN


def test_file_is_not_shown_as_text() -> None:
    assert exhibit_of(b"%PDF-1.7\x00\x01", media_type="application/pdf", charset=None).is_binary


def test_text_in_another_charset_is_read_by_its_label() -> None:
    exhibit = exhibit_of("<p>Größe</p>".encode("utf-16"), media_type=HTML, charset="utf-16")

    assert "Größe" in exhibit.text


@pytest.mark.parametrize("body", [b"", b"   ", b"\xff\xff\xff", b"<", b"&#0;", b"<html"])
def test_odd_bodies_are_survived(body: bytes) -> None:
    exhibit_of(body, media_type=HTML, charset="no-such-charset")


def test_json_has_no_rendering() -> None:
    exhibit = exhibit_of(b'{"a": "<b>"}', media_type="application/json", charset=None)

    assert exhibit.rendering == "" and exhibit.text == '{"a": "<b>"}'
