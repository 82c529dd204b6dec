"""Seed 003, section 15: each acceptance criterion of phases 1 to 3 as one test, over real HTTP."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from msgspec import structs
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import select

from limpet.apps.prices.market_tables import product_links, products
from limpet.apps.prices.sites import sgammo, tidepool_shop
from limpet.apps.prices.tables import prices, source_products
from limpet.apps.prices.visible import current_visible_prices
from limpet.extract import Extraction, Unreadable
from limpet.fetch.page import Page
from limpet.observe.alert_rules import KINDS
from limpet.record.access.accounts import add_account
from limpet.record.access.roles import Role
from limpet.record.access.secrets import forgery_token
from limpet.record.access.sessions import open_session
from limpet.record.entry import NewRun
from limpet.source import Pace
from limpet.target import Target
from limpet.target.address import canonicalize
from limpet.target.queue import Accepted, QueueLimits, RefusalReason, Refused
from limpet.web.portal import portal_for
from limpet.web.server import serve_portal
from tidepool import Tidepool

ROOT = Path(__file__).parents[2]
SHOP = "tidepool_shop"


@dataclass
class Desk:
    """What a person at the portal can do: look at a page, send one of its forms."""

    port: int
    session: str

    def look(self, path: str) -> str:
        return self._ask("GET", path)[1]

    def send(self, path: str, **fields: Any) -> tuple[int, str]:
        return self._ask("POST", path, urlencode({"csrf": forgery_token(self.session), **fields}, doseq=True))

    def _ask(self, method: str, path: str, body: str = "") -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {
            "Cookie": f"limpet_session={self.session}",
            "Origin": f"http://127.0.0.1:{self.port}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        try:
            connection.request(method, path, body=body or None, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()


def log_in(connection: Any, *, now: datetime) -> str:
    """Return the session of an operator who has just come in."""
    who = add_account(connection, "ops", role=Role.OPERATOR, password_hash=None, by="test", now=now)
    return open_session(connection, who.id, lives=timedelta(hours=1), address="127.0.0.1", now=now)


@asynccontextmanager
async def portal(house) -> AsyncIterator[Desk]:
    app, stop, door = portal_for(house), asyncio.Event(), socket.create_server(("127.0.0.1", 0))
    session = await house.ledger.write(partial(log_in, now=house.clock.now()))
    serving = asyncio.create_task(serve_portal(app, door, stop))
    try:
        yield Desk(door.getsockname()[1], session)
    finally:
        stop.set()
        await serving


async def look(desk: Desk, path: str) -> str:
    return await asyncio.to_thread(desk.look, path)


async def send(desk: Desk, path: str, **fields: Any) -> tuple[int, str]:
    return await asyncio.to_thread(partial(desk.send, path, **fields))


async def rows(house, question) -> list[Any]:
    return list(await house.ledger.read(lambda connection: connection.execute(question).all()))


# == Phase 1 =================================================================================================


async def test_phase_1_fetcher_respects_robots_txt_and_blocked_urls_are_robots_blocked(
    shore, journey
) -> None:
    shore.pool.set_fault("shop", "robots_deny_all")
    shore.write_config(shore.source(shore.urls(3)))

    async with shore.open() as house:
        run = await journey.plan_and_walk(house)
        jobs = await house.ledger.jobs(run.id)
        attempts = [await house.ledger.attempts(job.id) for job in jobs]

    assert shore.visits() == []
    assert {(job.state.value, job.reason) for job in jobs} == {("dropped", "blocked_by_robots_txt")}
    assert {attempt.outcome for each in attempts for attempt in each} == {"robots_blocked"}


@pytest.mark.redis
async def test_phase_1_rate_limiter_enforces_its_rate_globally_through_redis(shore, redis_url) -> None:
    assert (
        Pace().requests_per_second == 0.5 and Pace().min_delay_seconds == 2.0 and Pace().max_concurrent == 1
    )
    shore.environment["LIMPET_REDIS_URL"] = redis_url
    pace = "requests_per_second = 10\nmin_delay_seconds = 0.1\njitter = 0"
    first = shore.source(shore.urls(12), name="one", pace=pace)
    second = shore.source(shore.urls(12, start=12), name="two", pace=pace)
    shore.write_config(first, second)

    # Two processes, two sources, one registrable domain: one budget.
    commands = [await shore.start("run", "prices", "--source", name) for name in ("one", "two")]
    said = [await command.ends() for command in commands]

    arrivals = [
        visit.arrived_monotonic for visit in shore.pool.log if visit.host.endswith("tidepool.localhost")
    ]
    assert [each.code for each in said] == [0, 0] and len(arrivals) >= 24
    assert min(later - earlier for earlier, later in pairwise(sorted(arrivals))) > 0.08
    assert max(visit.concurrent for visit in shore.pool.log) == 1


@pytest.mark.parametrize("field", ["title", "currency", "url", "identity_key", "adapter_version"])
async def test_phase_1_validator_rejects_offers_missing_required_fields(
    shore, journey, monkeypatch, field
) -> None:
    shore.write_config(shore.source(shore.urls(2)))
    model = type(tidepool_shop.SITE.page_model)
    read = model.read

    def forget(self, page, target):
        reading = read(self, page, target)
        return structs.replace(reading, record=structs.replace(reading.record, **{field: ""}))

    monkeypatch.setattr(model, "read", forget)
    async with shore.open() as house:
        run = await journey.plan_and_walk(house)
        jobs = await house.ledger.jobs(run.id)
        written = await rows(house, select(prices))

    assert {(job.state.value, job.reason) for job in jobs} == {("dropped", "missing_required_field")}
    assert all(field in job.details for job in jobs) and written == []


async def test_phase_1_drift_detector_auto_disables_adapter_after_2_consecutive_failed_batches(
    shore, journey
) -> None:
    shore.write_config(shore.source(shore.urls(20)))
    shore.pool.set_fault("shop", "redesigned")

    async with shore.open() as house:
        await journey.plan_and_walk(house)
        after_one = await house.ledger.adapter_status(SHOP)
        await journey.plan_and_walk(house)
        after_two = await house.ledger.adapter_status(SHOP)

    assert after_one.enabled and after_one.consecutive_failed_batches == 1
    assert not after_two.enabled and after_two.disabled_reason == "DRIFT_DETECTED"


async def test_phase_1_oos_no_price_drops_are_tracked_but_excluded_from_drift(shore, journey) -> None:
    async with Tidepool(products=40 * 24) as pool:
        hidden = [each.path for each in pool.site("shop").catalogue if each.kind == "sold_out_unpriced"][:24]
        shore.write_config(shore.source([pool.url("shop", path) for path in hidden]))
        async with shore.open() as house:
            for _ in range(3):
                run = await journey.plan_and_walk(house)
            status = await house.ledger.adapter_status(SHOP)
            words = Counter(await journey.words_of(house, run))
            async with portal(house) as desk:
                metrics = await look(desk, "/metrics")

    assert words == {("dropped", "oos_no_price"): 24}
    assert status.enabled and status.consecutive_failed_batches == 0
    assert f'scrape_oos_no_price_total{{adapter_id="{SHOP}",source_id="shop"}} 72.0' in metrics


async def test_phase_1_scrape_runs_are_excluded_from_all_consumer_queries(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(5)))

    async with shore.open() as house:
        await journey.plan_and_walk(house)
        now = house.clock.now()
        consumer, operator = [
            await house.ledger.read(partial(current_visible_prices, visibility=whose, now=now))
            for whose in ("consumer", "operator")
        ]
        async with portal(house) as desk:
            listed = json.loads(await look(desk, "/api/v1/prices"))
            key = operator[0].identity_key
            history = json.loads(await look(desk, f"/api/v1/prices/shop/{key}"))
            said = await shore.limpet("prices", "current", "--consumer", "--json")

    assert len(operator) == 5
    assert (
        consumer == [] and listed["items"] == [] and history["status"] == 404 and json.loads(said.out) == []
    )


async def test_phase_1_metrics_are_emitted_for_all_key_operations(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(22)))
    shore.pool.set_fault("shop", "price_zero", path=shore.paths(1)[0])
    shore.pool.set_fault("shop", "not_found_404", path=shore.paths(2)[1])

    async with shore.open() as house:
        await journey.plan_and_walk(house)
        shore.pool.set_fault("shop", "redesigned")
        for _ in range(2):
            await journey.plan_and_walk(house)
        refused = await house.desk.offer(NewRun("prices", "shop"))
        async with portal(house) as desk:
            text = await look(desk, "/metrics")
    families = {each.name: each for each in text_string_to_metric_families(text)}

    happened = {name for name, family in families.items() if any(sample.value for sample in family.samples)}
    assert isinstance(refused, Refused)
    assert happened >= {
        *("scrape_urls_attempted", "scrape_urls_succeeded", "scrape_urls_failed", "scrape_offers_extracted"),
        *(
            "scrape_offers_valid",
            "scrape_offers_quarantined",
            "scrape_adapter_disabled",
            "scrape_queue_rejected",
        ),
        *("scrape_targets_active", "scrape_fetch_duration_ms", "scrape_extract_duration_ms"),
        "scrape_rate_limit_wait_ms",
    }
    assert {
        "scrape_offers_dropped",
        "scrape_oos_no_price",
        "scrape_queue_pending",
        "scrape_targets_broken",
    } <= set(families)


async def test_phase_1_queue_rejects_new_urls_when_at_capacity(shore) -> None:
    shore.write_config(shore.source(shore.urls(12)))

    async with shore.open() as house:
        desk = replace(house.desk, limits=QueueLimits(max_pending_per_adapter=15))
        first = await desk.offer(NewRun("prices", "shop"))
        second = await desk.offer(NewRun("prices", "shop"))
        jobs = await house.ledger.runs()

    assert isinstance(first, Accepted) and first.count == 12
    assert (
        isinstance(second, Refused) and second.reason is RefusalReason.QUEUE_FULL and second.retry_after > 0
    )
    assert len(jobs) == 1  # nothing of the refused one was written


# == Phase 2 =================================================================================================


@pytest.fixture
async def varied(tmp_path, shore) -> AsyncIterator[Any]:
    """A shore whose shop has every kind of product."""
    async with Tidepool(products=40) as pool:
        yield replace(shore, pool=pool)


def as_sgammo(shore, count: int) -> str:
    """The WooCommerce shop, read by the model SGAmmo is read by."""
    return shore.source(shore.urls(count))


async def test_phase_2_sgammo_adapter_extracts_price_title_availability_and_stock(varied, journey) -> None:
    shore = varied
    shore.write_config(as_sgammo(shore, 40))

    async with shore.open() as house:
        await journey.plan_and_walk(house)
        question = select(
            source_products.c.title, prices.c.price_cents, prices.c.availability, prices.c.in_stock
        )
        joined = source_products.c.identity_key == prices.c.identity_key
        found = await rows(house, question.join_from(source_products, prices, joined))

    truths = {
        truth["name"].replace(" - ", " – "): truth
        for path in shore.paths(40)
        if (truth := shore.pool.site("shop").truth(path, tick=0)) is not None
    }
    assert len(found) >= 30
    for title, cents, availability, in_stock in found:
        truth = truths[title]
        assert cents == truth["price_cents"]
        assert in_stock is (truth["availability"] == "InStock") is (availability == "in_stock")


def sgammo_reading(case: Path, *, length: int | None = None) -> Extraction[Any] | Unreadable:
    """Read a fixture, perhaps cut off."""
    meta = json.loads((case / "meta.json").read_text())
    headers, at = {"content-type": meta["content_type"]}, datetime.fromisoformat(meta["fetched_at"])
    body = (case / "page.html").read_bytes()[:length]
    page = Page(meta["url"], meta["url"], meta["status"], headers, body, at)
    target = Target("sgammo", canonicalize(meta["url"]), meta["url"], "sgammo.com")
    return sgammo.SITE.page_model.read(page, target)


def test_phase_2_sgammo_adapter_returns_an_explicit_result_on_all_paths() -> None:
    cases = sorted((Path(sgammo.__file__).parent / "fixtures").iterdir())

    # Each page as it is, cut off anywhere, and nothing at all: there is always an answer.
    readings = [sgammo_reading(case, length=length) for case in cases for length in (None, 9_000, 1_500, 0)]

    assert len(cases) >= 6
    assert {type(reading) for reading in readings} == {Extraction, Unreadable}
    assert all(reading.reason for reading in readings if isinstance(reading, Unreadable))


async def test_phase_2_more_than_90_percent_of_sgammo_urls_produce_valid_offers(shore, journey) -> None:
    shore.write_config(as_sgammo(shore, 60))

    async with shore.open() as house:
        run = await journey.plan_and_walk(house)

    assert run.counts["succeeded"] / run.planned > 0.9


async def test_phase_2_prices_are_written_with_correct_provenance(shore, journey) -> None:
    shore.write_config(as_sgammo(shore, 5))

    async with shore.open() as house:
        run = await journey.plan_and_walk(house)
        written = await rows(house, select(prices))

    assert len(written) == 5
    assert {(row.ingestion_run_type, row.ingestion_run_id) for row in written} == {("SCRAPE", run.id)}
    assert all(run.started_at <= row.observed_at <= run.ended_at for row in written)
    assert all(row.adapter_version and row.job_id for row in written)


async def test_phase_2_resolver_links_scraped_products_to_canonical_products(shore, journey) -> None:
    products_there = list(shore.pool.site("midway").catalogue)[:4]
    urls = [shore.pool.url("midway", product.path, zone="reef.localhost") for product in products_there]
    source = shore.source(urls, name="midway", zone="reef.localhost")
    shore.write_config(source.replace(SHOP, "midwayusa").replace("shop.reef", "midway.reef"))

    async with shore.open() as house:
        await journey.plan_and_walk(house)
        untrusted = {row.method for row in await rows(house, select(product_links))}
    await shore.limpet("prices", "trust", "midway", "--upc-trusted", "--reason", "checked by hand")
    async with shore.open() as house:
        await house.ledger.write(lambda connection: connection.execute(product_links.delete()))
        await journey.plan_and_walk(house)
        linked = products.c.id == product_links.c.product_id
        links = await rows(house, select(product_links, products.c.upc).outerjoin(products, linked))

    assert "upc" not in untrusted  # sources start untrusted
    assert len(links) == 4 and all(
        row.method == "upc" and row.status == "linked" and row.upc for row in links
    )
    assert all(row.evidence["upc"] == row.upc for row in links)


def test_phase_2_fixtures_read_as_expected_without_network(monkeypatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    folder = Path(sgammo.__file__).parent / "fixtures"

    for case in sorted(folder.iterdir()):
        expected = json.loads((case / "expected.json").read_text())
        reading = sgammo_reading(case)
        if isinstance(reading, Unreadable):
            assert reading.reason == expected["reason"], case.name
        else:
            assert reading.record.price_cents == expected["record"]["price_cents"], case.name


# == Phase 3 =================================================================================================


async def test_phase_3_ops_can_add_remove_and_pause_targets_via_the_portal(shore, journey) -> None:
    one, two = shore.urls(2)
    shore.write_config(shore.source([]))

    async with shore.open() as house, portal(house) as desk:
        added, answer = await send(desk, "/targets/import", source="shop", table=f"{one}\n{two}\n")
        first = re.findall(r"target (\d+)", answer)[0]
        paused, _ = await send(desk, "/targets/change", action="pause", id=first, reason="season")
        run = await journey.plan_and_walk(house)
        resumed, _ = await send(desk, "/targets/change", action="resume", id=first, reason="again")
        again = await journey.plan_and_walk(house)
        _, more = await send(desk, "/targets/import", source="shop", table=f"{one}extra\n")
        new = re.findall(r"target (\d+)", more)[0]
        removed, _ = await send(desk, "/targets/change", action="delete", id=new, reason="a typo")
        page = await look(desk, "/targets")

    assert (added, paused, resumed, removed) == (200, 303, 303, 303)
    assert run.planned == 1 and again.planned == 2
    assert "extra" not in page


async def test_phase_3_ops_can_enable_and_disable_adapters_via_the_portal(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(3)))

    async with shore.open() as house, portal(house) as desk:
        off, _ = await send(desk, f"/adapters/{SHOP}/disable", reason="their terms changed")
        refused = await house.desk.offer(NewRun("prices", "shop"))
        on, _ = await send(desk, f"/adapters/{SHOP}/enable", reason="they agreed")
        run = await journey.plan_and_walk(house)
        audit = await house.ledger.audit_entries(subject=f"adapter {SHOP}")

    assert (off, on) == (303, 303)
    assert isinstance(refused, Refused) and refused.reason is RefusalReason.ADAPTER_DISABLED
    assert run.counts["succeeded"] == 3
    assert [entry.reason for entry in audit] == ["they agreed", "their terms changed"]


async def test_phase_3_drift_alerts_fire_correctly(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(20)))

    async with shore.open() as house:
        await journey.plan_and_walk(house)
        await house.alerts.heed()
        quiet = await house.ledger.alerts()
        shore.pool.set_fault("shop", "redesigned")
        await journey.plan_and_walk(house)
        await house.alerts.heed()
        first = {(alert.severity, alert.kind) for alert in await house.ledger.alerts()}
        await journey.plan_and_walk(house)
        async with portal(house) as desk:
            page = await look(desk, "/alerts")
        second = {(alert.severity, alert.kind) for alert in await house.ledger.alerts()}

    assert quiet == []
    assert ("P2", "high_failure_rate") in first and ("P1", "adapter_disabled") not in first
    assert ("P1", "adapter_disabled") in second
    assert "was switched off by drift" in page


async def test_phase_3_auto_disable_triggers_and_recovers_and_the_portal_tells_the_story(
    shore, journey
) -> None:
    shore.write_config(shore.source(shore.urls(24)))

    async with shore.open() as house, portal(house) as desk:
        await journey.plan_and_walk(house)
        # The layout changes half way through a run: that batch is bad, and so is the next.
        switch = journey.Onlooker(lambda n: shore.pool.set_fault("shop", "redesigned") if n == 8 else None)
        half = await journey.plan_and_walk(house, switch)
        last = await journey.plan_and_walk(house)
        off = await house.ledger.adapter_status(SHOP)
        story = await look(desk, f"/adapters/{SHOP}")
        run_page = await look(desk, f"/runs/{last.id}")
        told = await shore.limpet("show", str(last.id))
        shore.pool.clear_faults()
        await send(desk, f"/adapters/{SHOP}/enable", reason="the old layout is back", force="yes")
        mended = await journey.plan_and_walk(house)
        on = await house.ledger.adapter_status(SHOP)
        after = await look(desk, f"/adapters/{SHOP}")
        canary = await look(desk, f"/runs/{mended.id}")
        await house.alerts.heed()
        left = await house.ledger.alerts()
        await journey.prove(house)

    assert half.counts["succeeded"] == 8 and half.counts["failed"] == 16
    assert not off.enabled and "24 of 24" in story and "24 of 24" in run_page and "24 of 24" in told.out
    assert mended.counts["succeeded"] == 24 and on.enabled and on.watched_since is None
    assert "the old layout is back" in after and "canary_passed" in canary
    assert [alert.kind for alert in left] == []


def test_phase_3_runbooks_are_documented_for_every_kind_of_alert() -> None:
    runbooks = (ROOT / "docs" / "operations.md").read_text()

    assert [kind for kind in KINDS if f"`{kind}`" not in runbooks] == []
    assert "An adapter was switched off" in runbooks and "adapters enable" in runbooks


# == What it must show =======================================================================================


def test_four_shops_are_read_as_they_mean_it_at_their_pace() -> None:
    """The short version of `python -m bench.four_shops`, which walks a thousand targets."""
    command = [sys.executable, "-m", "bench.four_shops", "--products", "40", "--rate", "25", "--json"]

    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=150, check=False)

    assert ended.returncode == 0, ended.stdout[-1500:] + ended.stderr[-1500:]
    figures = json.loads(ended.stdout)
    assert figures["targets"] == 160 and figures["valid_share"] >= 0.99 and figures["wrong"] == []
    assert figures["without_reason"] == 0 and figures["balances"]
    assert figures["too_early"] == 0 and figures["most_at_once"] == 1
