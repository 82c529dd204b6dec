"""Quarantine by the command line: listed, corrected, rejected; the ledger still balances."""

from __future__ import annotations

import json


async def test_records_are_listed_corrected_and_rejected_once(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(3)))
    for path in shore.paths(2):
        shore.pool.set_fault("shop", "price_zero", path=path)

    async with shore.open() as house:
        await journey.plan_and_walk(house)
    listed = json.loads((await shore.limpet("quarantine", "list", "--json")).out)
    first, second = (str(record["id"]) for record in listed)
    as_read = await shore.limpet("quarantine", "accept", first, "--reason", "believe it")
    corrected = await shore.limpet(
        "quarantine", "correct", first, "--price-cents", "1999", "--reason", "in the cart"
    )
    rejected = await shore.limpet("quarantine", "reject", second, "--reason", "no offer")
    again = await shore.limpet("quarantine", "reject", second, "--reason", "no offer")
    left = await shore.limpet("quarantine", "list")
    prices = json.loads((await shore.limpet("prices", "current", "--json")).out)
    async with shore.open() as house:
        await journey.prove(house)

    assert [record["reason"] for record in listed] == ["zero_price_extracted"] * 2
    assert as_read.code == 2 and "zero_price_extracted" in as_read.err
    assert corrected.code == 0 and "1999 cents USD" in corrected.out, corrected.err
    assert rejected.code == 0 and again.code == 2 and "rejected already" in again.err
    assert "Nothing waits" in left.out
    assert 1999 in [price["price_cents"] for price in prices] and len(prices) == 2
