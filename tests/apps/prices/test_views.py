"""What people may read of prices."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from limpet.apps.prices import APP
from limpet.apps.prices.offer import Offer
from limpet.apps.prices.views import count_products, latest_offers, price_history
from limpet.clock import FrozenClock
from limpet.extract.parse.stock import Availability
from limpet.fetch.page import Page
from limpet.record.entry import NewRun, Settlement
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import Outcome, Target

KEY = "SKU:a/b?c#%"


def seen_by_operator(ledger: Ledger) -> dict[str, Any]:
    return {"visibility": "operator", "now": ledger.clock.now()}


def seen_by_consumer(ledger: Ledger) -> dict[str, Any]:
    return {"visibility": "consumer", "now": ledger.clock.now()}


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncIterator[Ledger]:
    async with await Ledger.open(
        tmp_path, clock=FrozenClock(), bookkeepers={"prices": APP.bookkeeper}
    ) as opened:
        await opened.put_source(Source(id="shop", app="prices", site="woo", hosts=("shop.test",)))
        yield opened


@pytest.fixture
def observe(ledger: Ledger) -> Callable[..., Any]:
    """Record one price of a product; an hour passes."""

    async def record(cents: int, *, key: str = KEY, title: str = "Ten Rounds", **more: Any) -> None:
        clock = ledger.clock
        assert isinstance(clock, FrozenClock)
        clock.advance(3_600)
        url = f"https://shop.test/{abs(hash(key))}"
        run = await ledger.plan_run(NewRun("prices", "shop"), [Target("shop", url, url, "shop.test")])
        (lease,) = await ledger.lease(run.id, lane="shop.test", worker="w", limit=1, seconds=60)
        stock = more.pop("availability", Availability.IN_STOCK)
        offer = Offer("shop", url, title, cents, "USD", stock, clock.now(), key, "1.0.0", **more)
        page = Page(url, url, 200, {}, f"{cents}".encode(), clock.now())
        await ledger.settle(Settlement(lease, Outcome.SUCCEEDED, clock.now(), record=offer, page=page))

    return record


async def test_latest_offer_knows_its_price_and_the_different_one_before(
    ledger: Ledger, observe: Callable[..., Any]
) -> None:
    for cents in (2_000, 1_500, 1_500):
        await observe(cents)

    (offer,) = await ledger.read(partial(latest_offers, **seen_by_operator(ledger)))

    assert (offer.latest.price_cents, offer.previous_cents, offer.change_cents) == (1_500, 2_000, -500)
    assert offer.latest.run_id == 3


async def test_price_that_never_changed_has_no_change(ledger: Ledger, observe: Callable[..., Any]) -> None:
    await observe(1_500)
    await observe(1_500)

    (offer,) = await ledger.read(partial(latest_offers, **seen_by_operator(ledger)))

    assert offer.change_cents is None


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("ten", 1),
        ("TEN ROUNDS", 1),
        ("acme", 1),
        ("a/b?c#%", 1),
        ("%", 1),
        ("_", 0),
        ("x' OR 1=1", 0),
        ("\x00", 0),
    ],
)
async def test_search_reads_its_words_as_they_stand(
    ledger: Ledger, observe: Callable[..., Any], search: str, found: int
) -> None:
    await observe(1_500, brand="Acme")

    offers = await ledger.read(partial(latest_offers, search=search, **seen_by_operator(ledger)))

    assert len(offers) == found


async def test_pages_of_offers_hold_each_product_once(ledger: Ledger, observe: Callable[..., Any]) -> None:
    for number in range(5):
        await observe(1_000 + number, key=f"SKU:{number}")

    first = await ledger.read(partial(latest_offers, limit=3, **seen_by_operator(ledger)))
    rest = await ledger.read(
        partial(latest_offers, limit=3, after=first[-1].product_id, **seen_by_operator(ledger))
    )

    assert [offer.identity_key for offer in (*first, *rest)] == [f"SKU:{number}" for number in range(5)]
    assert await ledger.read(count_products) == 5


async def test_history_is_oldest_first_and_says_when_it_is_cut(
    ledger: Ledger, observe: Callable[..., Any]
) -> None:
    for cents in (100, 200, 300):
        await observe(cents, availability=Availability.OUT_OF_STOCK)

    whole = await ledger.read(
        partial(price_history, source_id="shop", identity_key=KEY, **seen_by_operator(ledger))
    )
    cut = await ledger.read(
        partial(price_history, source_id="shop", identity_key=KEY, limit=2, **seen_by_operator(ledger))
    )

    assert whole is not None and cut is not None
    assert [point.price_cents for point in whole.points] == [100, 200, 300]
    assert not whole.is_cut and not whole.points[0].in_stock
    assert [point.price_cents for point in cut.points] == [200, 300] and cut.is_cut


async def test_unknown_product_has_no_history(ledger: Ledger) -> None:
    assert (
        await ledger.read(
            partial(price_history, source_id="shop\x00", identity_key="SKU:x", **seen_by_operator(ledger))
        )
        is None
    )
