"""Recorded dockets held against today's reading: what was read then reads the same now, and a change is named."""

from __future__ import annotations

import json
from functools import partial

from limpet.apps.dockets.tables import docket_case_versions


async def test_recorded_dockets_read_the_same_until_what_is_on_record_differs(court_anywhere) -> None:
    court = court_anywhere
    async with court.open() as house:
        await court.walk(house, year=2025, start=1115, end=1121)
        await court.walk(house, year=2025, start=1115, end=1121)
        asked = sum(court.asked().values())
    unchanged = await court.limpet("reextract", "dockets", "--json")
    async with court.open() as house:
        await house.ledger.write(partial(rename_the_first))
    changed = await court.limpet("reextract", "dockets", "--json")

    before, after = json.loads(unchanged.out), json.loads(changed.out)
    assert before["pages"] > 0 and before["changes"]["same"] == before["pages"]
    assert {each["before"] for each in before["outcomes"]} <= {"succeeded", "no_record: no_record"}
    assert set(after["fields"]) == {"style_of_cause"} and after["changes"]["changed"] >= 1
    assert after["examples"][0]["before"] == "SOMEBODY ELSE"
    assert sum(court.asked().values()) == asked


def rename_the_first(connection) -> None:
    first = docket_case_versions.c.id == 1
    connection.execute(docket_case_versions.update().where(first).values(style_of_cause="SOMEBODY ELSE"))
