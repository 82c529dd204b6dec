"""The price monitor's pen: products updated in place, prices only appended, doubts set aside."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, select

from limpet.apps.prices.bookkeeper import PriceBookkeeper
from limpet.apps.prices.offer import Offer, Tier
from limpet.apps.prices.tables import prices, quarantined_records, source_product_identifiers, source_products
from limpet.clock import FrozenClock
from limpet.extract.parse.stock import Availability
from limpet.record.entry import Lease, NewRun, Settlement
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import Outcome, Target

NOW = datetime(2026, 2, 10, 12, 0, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Ledger]:
    url = request.getfixturevalue("migrated_postgres_url") if request.param == "postgres" else None
    opened = await Ledger.open(
        tmp_path, database_url=url, clock=FrozenClock(NOW), bookkeepers={"prices": PriceBookkeeper()}
    )
    async with opened as ledger:
        await ledger.put_source(Source(id="shop", app="prices", site="sgammo", hosts=("shop.test",)))
        yield ledger


async def leases(ledger: Ledger, count: int) -> list[Lease]:
    urls = [f"https://shop.test/p/{number}" for number in range(count)]
    run = await ledger.plan_run(
        NewRun("prices", "shop"), [Target("shop", url, url, "shop.test") for url in urls]
    )
    return await ledger.lease(run.id, lane="shop.test", worker="w1", limit=count, seconds=60)


def offer(**change: object) -> Offer:
    plain = Offer(
        source_id="shop",
        url="https://shop.test/p/0",
        title="Boots",
        price_cents=1999,
        currency="USD",
        availability=Availability.IN_STOCK,
        observed_at=NOW,
        identity_key="PID:1",
        adapter_version="1.0.0",
        retailer_sku="B-1",
        retailer_product_id="1",
        round_count=50,
        tiers=(Tier(2, 1899),),
    )
    return replace(plain, **change)  # type: ignore[arg-type]


def settled(
    lease: Lease, record: Offer, outcome: Outcome = Outcome.SUCCEEDED, reason: str | None = None
) -> Settlement:
    return Settlement(
        lease, outcome, NOW, reason=reason, record=record, site_id="sgammo", site_version="1.0.0"
    )


async def test_an_accepted_offer_becomes_a_product_its_identifiers_and_a_price(ledger: Ledger) -> None:
    (lease,) = await leases(ledger, 1)

    await ledger.settle(settled(lease, offer(upc="029465063924")))

    def look(connection: Connection) -> None:
        product = connection.execute(select(source_products)).one()
        price = connection.execute(select(prices)).one()
        named = connection.execute(
            select(source_product_identifiers.c.id_type, source_product_identifiers.c.id_value)
        )
        assert (product.identity_key, product.title, product.attributes) == (
            "PID:1",
            "Boots",
            {"round_count": 50},
        )
        assert (price.price_cents, price.currency, price.in_stock) == (1999, "USD", True)
        assert (price.ingestion_run_type, price.ingestion_run_id) == ("SCRAPE", lease.run_id)
        assert price.observed_at == NOW
        assert price.tiers == [{"min_quantity": 2, "price_cents": 1899}]
        assert {tuple(row) for row in named} == {("UPC", "029465063924"), ("SKU", "B-1"), ("PID", "1")}

    await ledger.read(look)


async def test_a_product_seen_again_is_updated_and_its_price_appended(ledger: Ledger) -> None:
    (first,) = await leases(ledger, 1)
    await ledger.settle(settled(first, offer()))
    (second,) = await leases(ledger, 1)

    later = offer(title="Better boots", price_cents=2099, observed_at=NOW + timedelta(hours=4))
    await ledger.settle(settled(second, later))

    def look(connection: Connection) -> tuple[list[str], list[int]]:
        titles = connection.execute(select(source_products.c.title)).scalars()
        cents = connection.execute(select(prices.c.price_cents).order_by(prices.c.observed_at)).scalars()
        return list(titles), list(cents)

    assert await ledger.read(look) == (["Better boots"], [1999, 2099])


async def test_saying_it_twice_changes_nothing(ledger: Ledger) -> None:
    (lease,) = await leases(ledger, 1)
    settlement = settled(lease, offer())
    await ledger.settle(settlement)

    await ledger.write(lambda connection: PriceBookkeeper().write(connection, [settlement, settlement]))

    def count(connection: Connection) -> int:
        return len(connection.execute(select(prices.c.id)).all())

    assert await ledger.read(count) == 1


async def test_a_quarantined_offer_is_set_aside_and_not_a_price(ledger: Ledger) -> None:
    one, other = await leases(ledger, 2)
    await ledger.settle(settled(one, offer(price_cents=0), Outcome.QUARANTINED, "zero_price_extracted"))
    await ledger.settle(replace(settled(other, offer(), Outcome.QUARANTINED, "ambiguous_price"), record=None))

    def look(connection: Connection) -> None:
        rows = connection.execute(select(quarantined_records).order_by(quarantined_records.c.job_id)).all()
        assert [row.reason for row in rows] == ["zero_price_extracted", "ambiguous_price"]
        assert (rows[0].record["price_cents"], rows[1].record) == (0, None)
        assert connection.execute(select(prices)).all() == []
        assert connection.execute(select(source_products)).all() == []

    await ledger.read(look)


async def test_text_no_database_can_hold_is_made_storable(ledger: Ledger) -> None:
    (lease,) = await leases(ledger, 1)

    await ledger.settle(settled(lease, offer(title="Bo\x00ots \ud800", retailer_sku="B\x00")))

    def title(connection: Connection) -> str:
        return str(connection.execute(select(source_products.c.title)).scalar_one())

    assert "\x00" not in await ledger.read(title)


async def test_the_identities_of_a_run_are_those_it_accepted(ledger: Ledger) -> None:
    one, other = await leases(ledger, 2)
    await ledger.settle(settled(one, offer()))
    await ledger.settle(settled(other, offer(identity_key="PID:2", price_cents=0), Outcome.QUARANTINED, "x"))

    def known(connection: Connection) -> list[tuple[str, int]]:
        return list(PriceBookkeeper().identities(connection, one.run_id))

    assert await ledger.read(known) == [("shop PID:1", one.job_id)]
