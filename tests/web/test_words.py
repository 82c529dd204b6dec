"""How the portal says things."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from limpet.web import words

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        *((0, "now"), (4, "4 s ago"), (119, "119 s ago"), (120, "2 min ago"), (7_300, "2 h ago")),
        *((86_400 * 3, "3 days ago"), (-30, "in 30 s"), (0.4, "now")),
    ],
)
def test_distance_of_a_moment(seconds: float, said: str) -> None:
    assert words.ago(NOW - timedelta(seconds=seconds), NOW) == said


def test_moment_that_never_was() -> None:
    assert words.ago(None, NOW) == "never"


@pytest.mark.parametrize(
    ("octets", "said"),
    [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (83_600_000_000, "83.6 GB"), (5e15, "5,000.0 TB")],
)
def test_sizes(octets: float, said: str) -> None:
    assert words.size(octets) == said


@pytest.mark.parametrize(
    ("cents", "currency", "said"),
    [
        (1999, "USD", "$19.99"),
        (-5, "EUR", "−€0.05"),
        (123456, "CHF", "1,234.56 CHF"),
        (1980, "JPY", "1,980 JPY"),
    ],
)
def test_money(cents: int, currency: str, said: str) -> None:
    assert words.money(cents, currency) == said


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "data:text/html,x",
        "//evil.test",
        "/path",
        "",
        "http://",
        None,
        *("vbscript:x", "java\nscript:alert(1)", "http://[::1", "file:///etc/passwd"),
    ],
)
def test_address_a_browser_must_not_follow_is_no_link(url: str | None) -> None:
    assert words.web_link(url) is None


def test_address_of_the_web_is_a_link() -> None:
    assert words.web_link("https://shop.test/p?a=1#x") == "https://shop.test/p?a=1#x"


def test_rare_state_is_still_seen_and_the_bar_is_full() -> None:
    pieces = words.segments({"succeeded": 99_999, "failed": 1, "pending": 0})

    assert [piece.state.value for piece in pieces] == ["succeeded", "failed"]
    assert pieces[1].width > 1
    assert sum(piece.width for piece in pieces) == pytest.approx(100, abs=0.1)


def test_commands_stand_out_and_markup_does_not() -> None:
    assert words.with_code("run `make <x>` & go") == "run <code>make &lt;x&gt;</code> &amp; go"
