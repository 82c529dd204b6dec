from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from limpet.validate.reconciliation import Statement, difference, reconcile

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def statement(source: str, precedence: float, *, after: float = 0.0, **more: Any) -> Statement:
    return Statement(
        source, more.pop("fields"), NOON + timedelta(seconds=after), precedence=precedence, **more
    )


def runs(value: Any) -> dict[str, float]:
    return {"runs": value["runs"]}


def test_the_preferred_source_wins_though_the_other_is_newer() -> None:
    crex = statement("crex", 100, after=5, fields={"score": {"runs": 187}})
    espn = statement("espn", 80, after=10, fields={"score": {"runs": 186}})

    found = reconcile([espn, crex])

    assert found.fields == {"score": {"runs": 187}}
    assert found.provenance["score"].to_dict() == {
        "source": "crex",
        "confidence": 1.0,
        "timestamp": (NOON + timedelta(seconds=5)).timestamp(),
    }


@pytest.mark.parametrize(
    ("crex", "expected"),
    [
        ({"fields": {}}, "espn"),
        ({"fields": {"toss": None}}, "espn"),
        ({"fields": {"toss": "IND"}, "confidence": {"toss": 0.49}}, "espn"),
        ({"fields": {"toss": "IND"}, "confidence": {"toss": 0.5}}, "crex"),
        ({"fields": {"toss": "IND"}, "reliability": 0.49}, "espn"),
        ({"fields": {"toss": "IND"}, "reliability": 0.79}, "espn"),
        ({"fields": {"toss": "IND"}, "reliability": 0.81}, "crex"),
        ({"fields": {"toss": "IND"}, "is_current": False}, "espn"),
    ],
)
def test_a_field_falls_back_when_it_is_missing_doubtful_unreliable_or_outdated(
    crex: dict[str, Any], expected: str
) -> None:
    found = reconcile([statement("crex", 100, **crex), statement("espn", 80, fields={"toss": "AUS"})])

    assert found.provenance["toss"].source == expected


def test_a_field_nobody_is_sure_of_is_left_out() -> None:
    found = reconcile([statement("crex", 100, fields={"venue": "MCG"}, confidence={"venue": 0.4})])

    assert found.fields == {}


def test_of_equals_the_fresher_one_is_believed() -> None:
    older = statement("one", 80, after=0, fields={"score": 1})
    newer = statement("two", 80, after=1, fields={"score": 2})

    assert reconcile([newer, older]).fields == {"score": 2}


def test_an_outdated_source_still_fills_what_nobody_else_says() -> None:
    crex = statement("crex", 100, fields={"score": 1, "venue": "MCG"}, is_current=False)
    espn = statement("espn", 80, fields={"score": 2})

    assert reconcile([crex, espn]).fields == {"score": 2, "venue": "MCG"}


@pytest.mark.parametrize(("theirs", "noted"), [(100, 0), (95, 0), (94, 1), (106, 1), (0, 1)])
def test_sources_that_differ_by_more_than_a_twentieth_are_noted(theirs: int, noted: int) -> None:
    crex = statement("crex", 100, fields={"score": {"runs": 100}})
    espn = statement("espn", 80, fields={"score": {"runs": theirs}})

    conflicts = reconcile([crex, espn], measures={"score": runs}).conflicts

    assert len(conflicts) == noted
    assert all(
        (c.field, c.chosen_source, c.other_source) == ("score.runs", "crex", "espn") for c in conflicts
    )


def test_what_is_outdated_is_no_conflict() -> None:
    crex = statement("crex", 100, fields={"score": {"runs": 100}})
    espn = statement("espn", 80, fields={"score": {"runs": 10}}, is_current=False)

    assert reconcile([crex, espn], measures={"score": runs}).conflicts == ()


def test_nothing_and_nothing_do_not_differ() -> None:
    assert difference(0, 0) == 0.0
