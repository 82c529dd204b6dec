"""The rules object in order, each with its reason."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from limpet.apps.prices.offer import Offer
from limpet.apps.prices.rules import RULES
from limpet.extract import Extraction
from limpet.extract.parse.stock import Availability
from limpet.fetch.page import Page
from limpet.source import Source
from limpet.target import Target
from limpet.validate import Accepted, Circumstances, Verdict, judge

NOW = datetime(2026, 2, 10, tzinfo=UTC)
ADDRESS = "https://shop.test/p/1"
OFFER = Offer(
    source_id="shop",
    url=ADDRESS,
    title="Boots",
    price_cents=1999,
    currency="USD",
    availability=Availability.IN_STOCK,
    observed_at=NOW,
    identity_key="PID:1",
    adapter_version="1.0.0",
)


def verdict_on(offer: Offer, *, first_in_run: bool = True) -> Verdict:
    page = Page(ADDRESS, ADDRESS, 200, {}, b"", NOW)
    circumstances = Circumstances(
        source=Source(id="shop", app="prices", site="woo", hosts=("shop.test",)),
        target=Target("shop", ADDRESS, ADDRESS, "shop.test"),
        now=NOW,
        first_in_run=lambda _: first_in_run,
    )
    return judge(Extraction(page, offer), RULES, circumstances)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"availability": Availability.OUT_OF_STOCK},
        {"availability": Availability.BACKORDER},
        {"price_cents": 1},
        {"price_cents": 99_999_999},
    ],
)
def test_a_believable_offer_is_accepted(change: dict[str, Any]) -> None:
    offer = replace(OFFER, **change)

    assert verdict_on(offer) == Accepted(offer)


@pytest.mark.parametrize(
    ("change", "kind", "reason"),
    [
        ({"title": "  "}, "Dropped", "missing_required_field"),
        ({"currency": ""}, "Dropped", "missing_required_field"),
        ({"availability": Availability.UNKNOWN}, "Dropped", "unknown_availability"),
        ({"price_cents": 0}, "Quarantined", "zero_price_extracted"),
        ({"price_cents": -1}, "Dropped", "invalid_price"),
        ({"price_cents": 100_000_000}, "Dropped", "invalid_price"),
        ({"url": "not an address"}, "Dropped", "invalid_url"),
        # Order: the first objection is the one that counts.
        ({"title": "", "price_cents": 0}, "Dropped", "missing_required_field"),
        ({"availability": Availability.UNKNOWN, "price_cents": 0}, "Dropped", "unknown_availability"),
    ],
)
def test_an_offer_is_refused_with_its_reason(change: dict[str, Any], kind: str, reason: str) -> None:
    verdict = verdict_on(replace(OFFER, **change))

    assert not isinstance(verdict, Accepted)
    assert (type(verdict).__name__, str(verdict.reason)) == (kind, reason)


def test_the_second_page_of_a_product_in_one_run_is_dropped() -> None:
    verdict = verdict_on(OFFER, first_in_run=False)

    assert not isinstance(verdict, Accepted)
    assert str(verdict.reason) == "duplicate_within_run"


def test_cost_per_round_is_derived_and_rounded_to_whole_cents() -> None:
    assert replace(OFFER, price_cents=28950, round_count=250).cost_per_round_cents == 116
    assert OFFER.cost_per_round_cents is None


def test_a_backorder_is_not_stock() -> None:
    assert not replace(OFFER, availability=Availability.BACKORDER).is_in_stock
