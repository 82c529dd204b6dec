"""Action tokens: one spelling, made in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import limpet.apps.judgments
from limpet.apps.judgments.tokens import normalize_action_token, tokens_in


@pytest.mark.parametrize(
    ("token", "normal"),
    [
        ("FSD0151202511062025ATPLIFESCIENCE", "FSD0151202511062025ATPLIFESCIENCE"),
        ("  fsd0151-2025 ", "FSD01512025"),
        ("FSD&amp;0151", "FSD0151"),
        ("FSD&amp;amp;0151", "FSD0151"),
        ("FSD%200151+2025", "FSD01512025"),
        ("FSD\u00a00151", "FSD0151"),
        ("FSD&nbsp;0151", "FSD0151"),
        ("---", ""),
        ("", ""),
    ],
)
def test_a_token_has_one_spelling(token: str, normal: str) -> None:
    assert normalize_action_token(token) == normal


@pytest.mark.parametrize(
    ("cell", "tokens"),
    [
        ("ONE", ["ONE"]),
        ("ONE|TWO,THREE;FOUR/FIVE\\SIX SEVEN", ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN"]),
        ("ONE\u00a0TWO&nbsp;THREE", ["ONE", "TWO", "THREE"]),
        ("SMITH&amp;CO | OTHER", ["SMITH&CO", "OTHER"]),
        ("ONE, ONE", ["ONE"]),
        (" - | , ", []),
        ("", []),
    ],
)
def test_a_cell_may_hold_several_tokens(cell: str, tokens: list[str]) -> None:
    assert tokens_in(cell) == tokens


@given(st.text(max_size=60))
def test_normalising_twice_changes_nothing(token: str) -> None:
    once = normalize_action_token(token)

    assert re.fullmatch(r"[A-Z0-9]*", once)
    assert normalize_action_token(once) == once


def test_tokens_are_normalised_in_one_place() -> None:
    app = Path(limpet.apps.judgments.__file__).parent

    elsewhere = [
        path.name
        for path in app.rglob("*.py")
        if path.name != "tokens.py" and re.search(r"A-Z0-9\]\+", path.read_text())
    ]

    assert elsewhere == []
