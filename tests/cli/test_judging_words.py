"""Cases on a narrow screen: what names them stays whole."""

from __future__ import annotations

import pytest

from limpet.apps.judgments.standing import CaseStanding
from limpet.cli.judging_words import case_lines
from limpet.cli.terminal import Terminal

TOKEN = "FSD0151202511062025ATPLIFESCIENCEVENTURES"


def case(token: str, title: str | None, date: str | None = "2025-11-06") -> CaseStanding:
    return CaseStanding(1, token, token, token, "x", False, 1, title, date, None, None, None, None, None)


def test_only_the_title_gives_way(capsys: pytest.CaptureFixture[str]) -> None:
    case_lines(Terminal(width=80), [case(TOKEN, "In the matter of " * 20), case("G1", "Short", None)])

    long, short = capsys.readouterr().out.splitlines()
    assert long.startswith(f"2025-11-06  {TOKEN}  In the matter of")
    assert long.endswith("\N{HORIZONTAL ELLIPSIS}")
    assert len(long) == 80
    assert short.split() == ["-", "G1", "Short"]


def test_a_token_wider_than_the_screen_is_whole_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    case_lines(Terminal(width=40), [case(TOKEN * 2, "In the matter\nof a title"), case("G1", None)])

    long, short = capsys.readouterr().out.splitlines()
    assert long == f"2025-11-06  {TOKEN * 2}  In the matt\N{HORIZONTAL ELLIPSIS}"
    assert short == "2025-11-06  G1"
