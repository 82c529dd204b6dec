"""What a court lacks is said in a few words, however much it is."""

from __future__ import annotations

from limpet.apps.judgments.gaps import JudgmentGaps
from limpet.apps.judgments.lacking import described
from limpet.observe.gaps import QuietMonth, numbering


def gaps(*sequences: tuple[str, list[int]], quiet: int = 0) -> JudgmentGaps:
    months = [QuietMonth(2025, month, 0, 9.0) for month in range(1, quiet + 1)]
    return JudgmentGaps("court", 100, 7, [], [numbering(*each) for each in sequences], months)


def test_holes_and_quiet_months_are_named() -> None:
    assert (
        described(gaps(("[2025] CICA", [1, 2, 4, 7, 8]), quiet=1))
        == "[2025] CICA lacks 3, 5-6; 2025-01 is quiet"
    )


def test_what_is_not_downloaded_yet_is_no_lack() -> None:
    assert described(gaps(("[2025] CICA", [1, 2, 3]))) == ""


def test_many_are_counted() -> None:
    sequences = [(f"[{year}] CICA", [1, 2, 4]) for year in range(2000, 2012)]

    assert described(gaps(*sequences)).endswith("[2007] CICA lacks 3; and 4 more")
