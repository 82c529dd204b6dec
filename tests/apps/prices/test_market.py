"""Prices are hidden until somebody says otherwise, corrected without being touched, and linked only with evidence."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from limpet.apps.prices import overlays
from limpet.apps.prices.bookkeeper import PriceBookkeeper
from limpet.apps.prices.fingerprint import fingerprint_of, valid_upc
from limpet.apps.prices.linking import link, waiting_for_review
from limpet.apps.prices.market_tables import product_links, products
from limpet.apps.prices.offer import Offer
from limpet.apps.prices.overlays import Correction, factor_from
from limpet.apps.prices.resolver import link_by_hand, resolve_new
from limpet.apps.prices.tables import prices
from limpet.apps.prices.visible import VisiblePrice, current_visible_prices
from limpet.clock import FrozenClock
from limpet.errors import NotThere, UsageError
from limpet.extract.parse.stock import Availability
from limpet.record.entry import NewRun, Settlement
from limpet.record.ledger import Ledger
from limpet.source import Source, Terms
from limpet.target import Outcome, Target

NOW = datetime(2026, 2, 10, 12, 0, tzinfo=UTC)
APPROVED = Terms(reviewed_at=NOW, approved_by="a person")
UPC = "029465063924"
CARTRIDGE = {"brand": "Ridge", "caliber": "9mm", "bullet_type": "FMJ", "round_count": 50}


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Ledger]:
    url = request.getfixturevalue("migrated_postgres_url") if request.param == "postgres" else None
    opened = await Ledger.open(
        tmp_path, database_url=url, clock=FrozenClock(NOW), bookkeepers={"prices": PriceBookkeeper()}
    )
    async with opened as ledger:
        for name in ("shop", "rival"):
            await ledger.put_source(
                Source(id=name, app="prices", site="s", hosts=("x.test",), terms=APPROVED)
            )
        yield ledger


async def observe(ledger: Ledger, *, source: str = "shop", at: datetime = NOW, **facts: Any) -> int:
    """Record one price by a run of its own and return the run's id."""
    url = f"https://{source}.test/p/{facts.get('identity_key', 'PID:1')}"
    run = await ledger.plan_run(NewRun("prices", source), [Target(source, url, url, "x.test")])
    (lease,) = await ledger.lease(run.id, lane="x.test", worker="w", limit=1, seconds=60)
    plain = {
        "source_id": source,
        "url": url,
        "title": "9mm Luger",
        "price_cents": 1999,
        "currency": "USD",
        "availability": Availability.IN_STOCK,
        "observed_at": at,
        "identity_key": "PID:1",
        "adapter_version": "1.0.0",
    }
    await ledger.settle(Settlement(lease, Outcome.SUCCEEDED, NOW, record=Offer(**(plain | facts))))
    return run.id


async def do(ledger: Ledger, act: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    return await ledger.write(lambda connection: act(connection, *arguments, **more, by="ann", now=NOW))


async def seen(ledger: Ledger, visibility: str = "operator") -> list[VisiblePrice]:
    return await ledger.read(
        lambda connection: current_visible_prices(connection, visibility=visibility, now=NOW)  # type: ignore[arg-type]
    )


def multiplier(factor: str, **change: Any) -> Correction:
    plain = {"scope": "source", "scope_id": "shop", "starts_at": NOW - timedelta(days=30), "ends_at": None}
    return Correction(
        action="MULTIPLIER", reason="wrong unit", factor_millionths=factor_from(factor), **(plain | change)
    )


def ignore(**change: Any) -> Correction:
    plain = {"scope": "source", "scope_id": "shop", "starts_at": NOW - timedelta(days=30), "ends_at": None}
    return Correction(action="IGNORE", reason="wrong", **(plain | change))


async def test_nothing_scraped_is_visible_to_a_consumer_until_it_is_enabled(ledger: Ledger) -> None:
    await observe(ledger)

    before = await seen(ledger, "consumer")
    await do(ledger, overlays.trust, "shop", visible=True, upc_trusted=False, reason="allowed")
    after = await seen(ledger, "consumer")

    assert before == []
    assert [price.price_cents for price in after] == [1999]


async def test_a_source_without_approved_terms_stays_hidden_though_it_is_eligible(ledger: Ledger) -> None:
    await observe(ledger)
    await do(ledger, overlays.trust, "shop", visible=True, upc_trusted=False, reason="allowed")

    await ledger.put_source(Source(id="shop", app="prices", site="s", hosts=("x.test",)))

    assert await seen(ledger, "consumer") == []


async def test_stopping_a_source_does_not_hide_what_it_collected(ledger: Ledger) -> None:
    await observe(ledger)
    await do(ledger, overlays.trust, "shop", visible=True, upc_trusted=False, reason="allowed")

    await ledger.put_source(
        Source(id="shop", app="prices", site="s", hosts=("x.test",), terms=APPROVED, enabled=False)
    )

    assert len(await seen(ledger, "consumer")) == 1


async def test_the_newest_price_of_seven_days_is_current_and_older_ones_are_none(ledger: Ledger) -> None:
    await observe(ledger, at=NOW - timedelta(days=2), price_cents=1500)
    await observe(ledger, at=NOW - timedelta(hours=1), price_cents=1400)
    await observe(ledger, at=NOW - timedelta(days=8), price_cents=900, identity_key="PID:2")

    found = await seen(ledger)

    assert [(price.identity_key, price.price_cents) for price in found] == [("PID:1", 1400)]


async def test_an_ignored_run_uncovers_the_price_before_it_and_can_be_heeded_again(ledger: Ledger) -> None:
    await observe(ledger, at=NOW - timedelta(days=1), price_cents=1500)
    bad = await observe(ledger, price_cents=1)

    await do(ledger, overlays.ignore_run, bad, reason="layout changed")
    hidden = await seen(ledger)
    await do(ledger, overlays.heed_run, bad, reason="it was right")

    assert [price.price_cents for price in hidden] == [1500]
    assert [price.price_cents for price in await seen(ledger)] == [1]


async def test_a_multiplier_corrects_what_is_shown_and_not_what_was_seen(ledger: Ledger) -> None:
    await observe(ledger, price_cents=199900)

    number = await do(ledger, overlays.correct, multiplier("0.01"))
    corrected = await seen(ledger)
    await do(ledger, overlays.revoke, number, reason="fixed at the source")

    assert [(price.price_cents, price.observed_cents) for price in corrected] == [(1999, 199900)]
    assert [price.price_cents for price in await seen(ledger)] == [199900]
    rows = await ledger.read(
        lambda connection: connection.execute(select(prices.c.price_cents)).scalars().all()
    )
    assert rows == [199900]


async def test_two_multipliers_multiply_and_a_third_hides_the_price(ledger: Ledger) -> None:
    await observe(ledger, price_cents=1000)

    await do(ledger, overlays.correct, multiplier("0.5"))
    await do(ledger, overlays.correct, multiplier("3"))
    twice = await seen(ledger)
    await do(ledger, overlays.correct, multiplier("2"))

    assert [price.price_cents for price in twice] == [1500]
    assert await seen(ledger) == []


@pytest.mark.parametrize(
    ("change", "is_hidden"),
    [
        ({}, True),
        ({"scope": "source_product", "scope_id": "shop PID:1"}, True),
        ({"scope": "source_product", "scope_id": "shop PID:2"}, False),
        ({"scope_id": "rival"}, False),
        ({"ends_at": NOW}, False),  # the end is not included
        ({"starts_at": NOW, "ends_at": NOW + timedelta(seconds=1)}, True),
        ({"starts_at": NOW + timedelta(seconds=1)}, False),
    ],
)
async def test_a_correction_covers_its_scope_and_its_time_and_nothing_else(
    ledger: Ledger, change: dict[str, Any], is_hidden: bool
) -> None:
    await observe(ledger)
    await observe(ledger, identity_key="PID:2", title="9mm Luger, 50 rounds")

    await do(ledger, overlays.correct, ignore(**change))

    assert ("PID:1" not in [price.identity_key for price in await seen(ledger)]) is is_hidden


@pytest.mark.parametrize(
    ("scope", "scope_id", "sentence", "fix"),
    [
        ("source", "shpo", "There is no source 'shpo'", "Did you mean 'shop'?"),
        ("source_product", "shop", "'shop' names no product of a source", "such as 'shop PID:12'"),
        ("source_product", "shpo PID:1", "There is no source 'shpo'", "Did you mean 'shop'?"),
        ("source_product", "shop PID:9", "'shop' has no product 'PID:9'", "identity_key"),
        ("product", "abc", "There is no product 'abc'", "ids"),
        ("product", "999999", "There is no product '999999'", "ids"),
        ("run", "999", "There is no run '999'", "limpet list"),
        ("run", "01", "There is no run '01'", "limpet list"),  # prices are matched by its text
        ("run", "9" * 23, "There is no run", "limpet list"),
    ],
)
async def test_a_correction_of_something_that_is_not_there_is_refused(
    ledger: Ledger, scope: Any, scope_id: str, sentence: str, fix: str
) -> None:
    await observe(ledger)

    with pytest.raises(UsageError, match=sentence) as refused:
        await do(ledger, overlays.correct, ignore(scope=scope, scope_id=scope_id))

    assert fix in refused.value.fix


def test_a_factor_that_is_too_large_is_told_how_large_it_may_be() -> None:
    with pytest.raises(UsageError) as refused:
        factor_from("1000000")

    assert "up to 10,000" in refused.value.fix


async def test_a_correction_of_a_product_covers_what_is_linked_to_it_and_nothing_else(ledger: Ledger) -> None:
    for number, grains in ((1, 115), (2, 124)):
        await observe(ledger, identity_key=f"PID:{number}", **CARTRIDGE, grain_weight=grains)
    await ledger.write(lambda connection: resolve_new(connection, now=NOW))
    linked = {price.identity_key: price.product_id for price in await seen(ledger)}

    await do(ledger, overlays.correct, ignore(scope="product", scope_id=str(linked["PID:2"])))

    assert [price.identity_key for price in await seen(ledger)] == ["PID:1"]


async def test_every_overlay_is_in_the_audit_log(ledger: Ledger) -> None:
    run = await observe(ledger)
    await do(ledger, overlays.trust, "shop", visible=True, upc_trusted=True, reason="terms read")
    number = await do(ledger, overlays.correct, ignore())
    await do(ledger, overlays.revoke, number, reason="mistake")
    await do(ledger, overlays.ignore_run, run, reason="bad run")

    entries = await ledger.audit_entries()

    assert {entry.action for entry in entries} == {
        "trust_source",
        "correct_ignore",
        "revoke_correction",
        "ignore_run",
    }
    assert {entry.actor for entry in entries} == {"ann"}


async def test_a_trusted_upc_links_two_shops_to_one_product(ledger: Ledger) -> None:
    for source in ("shop", "rival"):
        await do(
            ledger, overlays.trust, source, visible=False, upc_trusted=True, reason="their UPCs are right"
        )
        await observe(ledger, source=source, upc=UPC)

    await ledger.write(lambda connection: resolve_new(connection, now=NOW))

    links = await ledger.read(_links)
    assert {(link.method, link.status) for link in links} == {("upc", "linked")}
    assert len({link.product_id for link in links}) == 1


async def test_an_untrusted_upc_links_nothing_and_the_doubt_is_written_down(ledger: Ledger) -> None:
    await observe(ledger, upc=UPC)

    await ledger.write(lambda connection: resolve_new(connection, now=NOW))

    (link,) = await ledger.read(_links)
    assert (link.product_id, link.status) == (None, "needs_review")
    assert link.evidence["upc"] == UPC


async def test_equal_fingerprints_link_and_a_missing_part_does_not(ledger: Ledger) -> None:
    facts = {"brand": "Northreef", "caliber": "9mm Luger", "grain_weight": 115, "bullet_type": "FMJ"}
    await observe(ledger, round_count=50, **facts)
    await observe(ledger, source="rival", round_count=50, **(facts | {"brand": "NORTHREEF"}))
    await observe(ledger, source="rival", identity_key="PID:9", **facts)

    await ledger.write(lambda connection: resolve_new(connection, now=NOW))

    links = await ledger.read(_links)
    assert sorted(link.method for link in links) == ["fingerprint", "fingerprint", "none"]
    assert await ledger.read(lambda connection: len(connection.execute(select(products)).all())) == 1


async def test_what_a_person_linked_stays_when_the_page_changes(ledger: Ledger) -> None:
    await do(ledger, overlays.trust, "rival", visible=False, upc_trusted=True, reason="right")
    await observe(ledger, source="rival", upc=UPC)
    await observe(ledger)
    await ledger.write(lambda connection: resolve_new(connection, now=NOW))
    mine = next(link for link in await ledger.read(_links) if link.status == "needs_review")
    product = next(link.product_id for link in await ledger.read(_links) if link.product_id)

    await ledger.write(
        lambda connection: link_by_hand(connection, mine.source_product_id, product, by="ann", now=NOW)
    )
    await ledger.write(lambda connection: resolve_new(connection, now=NOW + timedelta(days=3)))

    links = {link.source_product_id: link for link in await ledger.read(_links)}
    assert (links[mine.source_product_id].method, links[mine.source_product_id].product_id) == (
        "manual",
        product,
    )


def _links(connection: Connection) -> list[Any]:
    return list(connection.execute(select(product_links)))


@pytest.mark.parametrize(
    ("text", "upc"),
    [
        (UPC, "0" + UPC),
        ("4006381333931", "4006381333931"),
        ("0 29465 06392 4", "0" + UPC),
        ("029465063925", None),
        ("000000000000", None),
        ("12345", None),
        ("02946506392X", None),
        (None, None),
    ],
)
def test_only_a_upc_with_the_right_check_digit_is_one(text: str | None, upc: str | None) -> None:
    assert valid_upc(text) == upc


def test_a_shell_has_its_own_fingerprint() -> None:
    facts = {"caliber": "12 Gauge", "load_type": "#8", "shell_length": '2-3/4"', "round_count": 25}

    assert fingerprint_of("Grey Seal", facts) == "shell|grey-seal|12-gauge|8|2-3-4|25"


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "1e9", "0.0000001", "ten", ""])
def test_a_factor_must_be_a_sane_number(text: str) -> None:
    with pytest.raises(UsageError):
        factor_from(text)


async def test_what_waits_for_review_is_listed_with_its_evidence_until_a_person_links_it(
    ledger: Ledger,
) -> None:
    await observe(ledger, identity_key="PID:1", **CARTRIDGE, grain_weight=115)
    await observe(ledger, source="rival", identity_key="PID:2", upc=UPC)
    await ledger.write(lambda connection: resolve_new(connection, now=NOW))
    (waiting,) = await ledger.read(lambda connection: waiting_for_review(connection, limit=9))
    product = next(price.product_id for price in await seen(ledger) if price.product_id)

    await do(ledger, link, waiting["id"], product, reason="same box")

    after = await ledger.read(lambda connection: waiting_for_review(connection, limit=9))
    (entry,) = await ledger.audit_entries(subject=f"source product {waiting['id']}")
    assert (waiting["source_id"], waiting["identity_key"], waiting["evidence"]["upc"]) == (
        "rival",
        "PID:2",
        UPC,
    )
    assert after == []
    assert (entry.action, entry.actor, entry.reason) == ("link_product", "ann", "same box")
    assert {price.product_id for price in await seen(ledger)} == {product}


@pytest.mark.parametrize(
    ("which", "product", "sentence"), [(77, 1, "no source product 77"), (1, 77, "no product 77")]
)
async def test_only_what_is_there_can_be_linked(
    ledger: Ledger, which: int, product: int, sentence: str
) -> None:
    await observe(ledger, upc=UPC)
    await ledger.write(lambda connection: resolve_new(connection, now=NOW))

    with pytest.raises(NotThere, match=sentence):
        await do(ledger, link, which, product, reason="a slip")

    assert await ledger.audit_entries() == []
