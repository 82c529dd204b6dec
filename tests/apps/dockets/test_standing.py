"""Which numbers are asked for again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from limpet.apps.dockets.finality import LOOK_AGAIN, Absence, Sighting, Sightings
from limpet.apps.dockets.standing import Known, Standing, survey
from limpet.extract.parse.case_number import CaseNumber

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("year", "seen", "absent_at", "worth"),
    [
        (2025, [], NOW, Absence.FINAL),  # the year is over: what was not given out never will be
        (2025, [], datetime(2026, 1, 3, tzinfo=UTC), Absence.OPEN),  # its last files are entered in January
        (2026, [], NOW, Absence.OPEN),
        (2026, [Sighting(NOW, 200, 1)], NOW, Absence.FINAL),  # a hole: a higher number existed already
        (2026, [Sighting(NOW - DAY, 99, 1)], NOW, Absence.OPEN),
        (2026, [Sighting(NOW + DAY, 101, 7)], NOW, Absence.FINAL),  # met by the same run on its way up
        (2026, [Sighting(NOW + DAY, 101, 8)], NOW, Absence.OVERTAKEN),  # given out since, perhaps
    ],
)
def test_an_absence_is_worth_what_was_given_out_by_then(
    year: int, seen: list[Sighting], absent_at: datetime, worth: Absence
) -> None:
    assert Sightings(year, seen).absence(100, at=absent_at, run_id=7) is worth


@pytest.mark.parametrize(
    ("known", "word"),
    [
        (Known("no_record", NOW - 30 * DAY), Standing.NO_RECORD_BEFORE),
        (Known("no_record", NOW - DAY, Absence.OPEN), Standing.NO_RECORD_BEFORE),
        (Known("no_record", NOW - LOOK_AGAIN, Absence.OPEN), Standing.TO_ASK),
        (Known("no_record", NOW - DAY, Absence.OVERTAKEN), Standing.TO_ASK),
        (Known("succeeded", NOW - 30 * DAY), Standing.SUCCEEDED_BEFORE),
        (Known("failed", NOW), Standing.COOLING_DOWN),
    ],
)
def test_a_number_is_asked_again_only_when_its_answer_no_longer_holds(known: Known, word: Standing) -> None:
    case = CaseNumber("IMM", 2026, 7)

    assert survey([case], {case: known}, now=NOW).counts == {word: 1}
