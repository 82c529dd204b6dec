"""One leads; the next one takes over when the lead runs out, and the fence tells them apart."""

from __future__ import annotations

import asyncio

from limpet.record.leadership import give_up_the_lead, take_the_lead
from limpet.record.ledger import Ledger
from limpet.record.staff import staff

ROLE = "scheduler"


async def lead(ledger: Ledger, holder: str, *, seconds: float = 60.0):
    return await ledger.write(
        lambda connection: take_the_lead(connection, ROLE, holder=holder, seconds=seconds)
    )


async def test_only_one_leads_and_may_go_on_leading(ledger: Ledger) -> None:
    first = await lead(ledger, "one")
    second = await lead(ledger, "two")
    again = await lead(ledger, "one")

    assert first is not None and first == again
    assert second is None


async def test_a_lead_that_ran_out_is_taken_over_with_a_higher_fence(ledger: Ledger) -> None:
    first = await lead(ledger, "one", seconds=0.01)
    async with asyncio.timeout(10):
        while (second := await lead(ledger, "two")) is None:
            await asyncio.sleep(0.01)

    assert first is not None and second.fence == first.fence + 1
    await ledger.write(lambda connection: give_up_the_lead(connection, first))
    assert await lead(ledger, "three") is None


async def test_who_gives_up_the_lead_is_followed_at_once(ledger: Ledger) -> None:
    first = await lead(ledger, "one")
    assert first is not None

    await ledger.write(lambda connection: give_up_the_lead(connection, first))

    assert await lead(ledger, "two") is not None


async def test_the_staff_tells_who_leads(ledger: Ledger) -> None:
    await ledger.enlist("one")
    await ledger.enlist("two")
    await lead(ledger, "two")

    found = await ledger.read(lambda connection: {each.id: each.leads for each in staff(connection)})

    assert found == {"one": (), "two": (ROLE,)}
