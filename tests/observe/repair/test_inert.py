"""A page that is handed on can run nothing, and carries no token; what is read from it stays."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from limpet.fetch.page import Page
from limpet.observe.repair.inert import as_text, disarmed

MARKUP = """<html><head><base href="https://evil.example/"><meta name="csrf-token" content="s3cret1">
<meta http-equiv="refresh" content="0; url=https://evil.example/">
<script>alert("s3cret2")</script><script type="application/ld+json">{"@type": "Product", "name": "Reel"}</script>
</head><body onload="steal()"><form><input type="hidden" value="s3cret3" name="_wpnonce"></form>
<a href="javascript:steal()">x</a><iframe src="https://evil.example/"></iframe>
<a href="/file?id=1&amp;token=s3cret4&amp;x=2">file</a><h1 class="title">Reel</h1></body></html>"""


def page(body: str, media_type: str = "text/html") -> Page:
    return Page("https://a.example/", "https://a.example/", 200, {"content-type": media_type}, body.encode(),
                datetime(2026, 1, 1, tzinfo=UTC))  # fmt: skip


def test_nothing_is_left_that_a_browser_would_run_or_fetch() -> None:
    text = disarmed(page(MARKUP)).decode()

    assert not any(
        word in text for word in ("alert", "onload", "javascript:", "evil.example", "<iframe", "<base")
    )
    assert '"name": "Reel"' in text and '<h1 class="title">Reel</h1>' in text


def test_tokens_are_taken_out_of_markup_scripts_and_addresses() -> None:
    text = as_text(page(MARKUP.replace('alert("s3cret2")', 'var s = {"sessionToken": "s3cret2"}')))

    assert "s3cret" not in text
    assert "token=removed&amp;x=2" in text and "Reel" in text


def test_an_answer_in_json_keeps_everything_but_its_tokens() -> None:
    text = disarmed(page('{"price": 10.99, "csrfToken": "s3cret"}', "application/json")).decode()

    assert text == '{"price": 10.99, "csrfToken": "removed"}'


def test_words_that_only_sound_like_secrets_stay() -> None:
    text = disarmed(page('{"author": "Ada", "name": "Reel"}', "application/json")).decode()

    assert text == '{"author": "Ada", "name": "Reel"}'


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "hurting", ['"' + "token" * 50_000, 'value="" ' * 20_000, "name=" * 50_000, "&sig" * 50_000]
)
def test_a_page_built_to_hurt_is_through_in_a_moment(hurting: str) -> None:
    assert as_text(page(hurting))
