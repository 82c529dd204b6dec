"""The config file and the ledger agree on what is watched."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from limpet.record.config_targets import FROM_CONFIG, Kept, keep_in_step
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import Target

NOW = datetime(2026, 5, 1, tzinfo=UTC)


async def watched(ledger: Ledger) -> list[str]:
    return [target.address for target in await ledger.targets("shop", status="active")]


async def test_what_the_file_no_longer_names_is_paused_and_comes_back_with_it(ledger: Ledger) -> None:
    await ledger.put_source(Source(id="shop", app="prices", site="s", hosts=("x.test",)))
    addresses = [f"https://x.test/{letter}" for letter in "abc"]
    await ledger.put_targets(
        [Target("shop", url, url, "x.test") for url in addresses[:2]], created_by=FROM_CONFIG
    )
    await ledger.put_targets([Target("shop", addresses[2], addresses[2], "x.test")], created_by="ann")
    step = partial(keep_in_step, source_id="shop", now=NOW)

    left = await ledger.write(partial(step, named={addresses[0]}))
    without = await watched(ledger)
    back = await ledger.write(partial(step, named=set(addresses[:2])))

    assert (left, back) == (Kept(1, 0), Kept(0, 1))
    assert without == [addresses[0], addresses[2]]
    assert sorted(await watched(ledger)) == addresses
