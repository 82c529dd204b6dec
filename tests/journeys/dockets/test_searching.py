"""Cases are found by part of their style of cause, whatever the case of its letters, in either database."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import update

from limpet.apps.dockets.tables import docket_case_versions
from limpet.apps.dockets.views.cases import CaseFilter, list_cases

STYLE = "\u00c9lo\u00efse R\u0102DULESCU v. [M.C.I.] *100%* ^_?"


@pytest.fixture
async def find(court_anywhere):
    """How many cases a text finds, of one whose style of cause is hard to search."""
    async with court_anywhere.open() as house:
        await court_anywhere.walk(house, year=2025, start=1, end=2)
        renamed = update(docket_case_versions).where(docket_case_versions.c.docket_case_id == 1)
        await house.ledger.write(lambda connection: connection.execute(renamed.values(style_of_cause=STYLE)))

        async def look(text: str) -> int:
            return len(await house.ledger.read(partial(list_cases, wanted=CaseFilter(search=text))))

        yield look


async def test_letters_of_any_alphabet_are_found_in_any_case(find) -> None:
    there = [
        "r\u0103dulescu",
        "R\u0102DULESCU",
        "\u00c9LO\u00cfSE r\u0103",
        "[m.c.i.]",
        "*100%*",
        "^_?",
        "] *",
    ]
    absent = ["r?dulescu", "r*u", "r_dulescu", "100%*x", "[^a]", "radulescu"]

    assert [await find(text) for text in there] == [1] * len(there)
    assert [await find(text) for text in absent] == [0] * len(absent)
