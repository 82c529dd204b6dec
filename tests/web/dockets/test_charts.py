"""Maps and gaps are remembered, and drawn anew as soon as one number stands otherwise."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, text

from limpet.apps.dockets.views.registers import asked_registers

MOMENT = "2026-01-01T00:00:00.000000+00:00"


def write(registry: Any, *statements: str) -> None:
    def write_all(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    async def do(house: Any) -> None:
        await house.ledger.write(write_all)

    registry.do(do)


def number(year: int, number: int, status: str, *, prefix: str = "Q") -> str:
    """A number told by another ledger's checkpoint: others prove this ledger, and no docket of it is on record."""
    return (
        "INSERT INTO docket_cases (source_id, case_id, prefix, year, number, status, attempts, version, known_from, "
        f"first_attempt_at, last_attempt_at) VALUES ('fct', '{prefix}-{number}-{year % 100}', '{prefix}', {year}, "
        f"{number}, '{status}', 1, 0, 'a checkpoint', '{MOMENT}', '{MOMENT}')"
    )


def test_two_numbers_that_change_places_change_the_map_and_the_gaps(registry: Any) -> None:
    write(registry, number(2019, 1, "failed"), number(2019, 2, "no_record"), number(2019, 3, "succeeded"))
    before = [registry.get(f"/api/v1/dockets/fct/Q/2019{more}").json() for more in ("", "/gaps")]

    write(
        registry,
        "UPDATE docket_cases SET status = 'no_record' WHERE case_id = 'Q-1-19'",
        "UPDATE docket_cases SET status = 'failed' WHERE case_id = 'Q-2-19'",
    )
    after = [registry.get(f"/api/v1/dockets/fct/Q/2019{more}").json() for more in ("", "/gaps")]

    assert before[0]["squares"] == after[0]["squares"]  # as many of each, so the square looks alike
    assert [hole["first"] for hole in before[1]["failed"]] == [1]
    assert [hole["first"] for hole in after[1]["failed"]] == [2]


def test_the_map_ends_where_the_register_does_however_far_a_probe_went(registry: Any) -> None:
    found = [number(2018, 150, "succeeded"), number(2018, 65_536, "no_record"), number(2018, 420, "failed")]
    bound = (
        "INSERT INTO docket_bounds (source_id, prefix, year, upper_bound, probes, terms, found_at, expires_at) "
        f"VALUES ('fct', 'Q', 2018, 200, 9, '{{}}', '{MOMENT}', '{MOMENT}')"
    )
    write(registry, *found)
    unprobed = registry.get("/api/v1/dockets/fct/Q/2018").json()

    write(registry, bound)
    probed = registry.get("/api/v1/dockets/fct/Q/2018").json()

    assert unprobed["squares"][-1]["last"] == 65_536
    assert probed["squares"][-1]["last"] == 420  # a failure beyond the end is still to be seen
    assert (probed["last"], probed["unasked"]) == (200, 199)


def test_registers_are_found_without_looking_at_their_numbers(registry: Any) -> None:
    write(
        registry, *(number(year, 7, "no_record", prefix=prefix) for prefix in "VW" for year in (2020, 2022))
    )

    async def look(house: Any) -> Any:
        return await house.ledger.read(lambda connection: list(asked_registers(connection)))

    found = registry.do(look)

    mine = [(one.prefix, one.year) for one in found if one.prefix in "VW"]
    assert mine == [("V", 2020), ("V", 2022), ("W", 2020), ("W", 2022)]
    assert len(found) == len(set(found))
