"""The page about the court tells the truth."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from tidepool.court.habits import Habits
from tidepool.faults import TABLE

PAGE = (Path(__file__).parents[3] / "docs" / "court.md").read_text(encoding="utf-8")


def test_every_fault_of_the_court_has_its_row() -> None:
    rows = dict(re.findall(r"^\| `(?:court|boxcdn)` \| `(\w+)` \| (.+) \|$", PAGE, re.MULTILINE))

    own = {
        known.name: known.sentence.rstrip(".") for known in TABLE.values() if known.at in ("court", "boxcdn")
    }

    assert rows == own


def test_every_habit_and_act_is_named(guest) -> None:
    assert all(f"`{habit.name}`" in PAGE for habit in fields(Habits))
    assert all(f"`{act}`" in PAGE for act in guest.court.acts)
