"""Alerts on a whole journey: drift pages somebody over real HTTP, a person answers, mending ends it."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from aiohttp import web

from limpet.clock import FrozenClock
from limpet.observe.alert_sending import Destination, Message, send
from limpet.observe.quiet_hours import QuietHours

ADAPTER = "tidepool_shop"


@dataclass
class Pager:
    """Something that receives messages, and may have its moods."""

    port: int = 0
    heard: list[dict[str, Any]] = field(default_factory=list)
    status: int = 200
    location: str = ""

    @property
    def url(self) -> str:
        return f"json://127.0.0.1:{self.port}/hook"

    async def answer(self, request: web.Request) -> web.Response:
        self.heard.append(await request.json() if request.method == "POST" else {})
        headers = {"Location": self.location} if self.location else {}
        return web.Response(status=self.status, headers=headers)


@pytest.fixture
async def pager() -> AsyncIterator[Pager]:
    pager = Pager()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", pager.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    pager.port = runner.addresses[0][1]
    yield pager
    await runner.cleanup()


def listen(shore, pager: Pager, *more: str) -> None:
    shore.environment["LIMPET_ALERT_URLS"] = " ".join((pager.url, *more))
    shore.environment["LIMPET_ALERT_PRIVATE_ADDRESSES"] = "true"


async def test_a_drifted_shop_pages_once_with_evidence_and_its_mending_ends_it(anywhere, pager) -> None:
    shore = anywhere
    listen(shore, pager)
    shore.write_config(shore.source(shore.urls(24)))
    await shore.limpet("run", "prices")
    quiet = list(pager.heard)
    shore.pool.set_fault("shop", "redesigned")

    for _ in range(2):
        await shore.limpet("run", "prices")
    listed = json.loads((await shore.limpet("alerts", "list", "--json")).out)
    disabled = next(alert for alert in listed if alert["kind"] == "adapter_disabled")
    shown = await shore.limpet("alerts", "show", str(disabled["id"]))
    acked = await shore.limpet("alerts", "ack", str(disabled["id"]), "--reason", "new layout, I mend it")
    shore.pool.clear_faults()
    await shore.limpet("adapters", "enable", ADAPTER, "--force", "--reason", "they went back")
    again = await shore.limpet("run", "prices")
    after = json.loads((await shore.limpet("alerts", "list", "--all", "--json")).out)

    assert quiet == []
    assert (disabled["severity"], disabled["subject"]) == ("P1", f"adapter {ADAPTER}")
    assert len(disabled["evidence"]["bad_jobs"]) == 3 and disabled["evidence"]["last_good_job"]
    assert disabled["evidence"]["metrics"]["failure_rate"] == 1.0
    assert "adapters enable" in shown.out and "adapter_disabled" in shown.out and "sent" in shown.out
    assert acked.code == 0 and again.code == 0, again.out + again.err
    by_kind = {alert["kind"]: alert for alert in after}
    assert by_kind["adapter_disabled"]["status"] == "resolved"
    assert by_kind["high_failure_rate"]["resolved_by"] == "canary_passed"
    told = "\n".join(f"{each['title']}\n{each['message']}" for each in pager.heard)
    assert len(re.findall(r"^P1: Adapter tidepool_shop was switched off", told, re.M)) == 1
    assert len(re.findall(r"^P2: Adapter tidepool_shop: more than half", told, re.M)) == 1
    assert "Resolved: Adapter tidepool_shop was switched off" in told


async def test_the_service_tells_without_being_asked(shore, pager, journey) -> None:
    listen(shore, pager)
    shore.write_config(shore.source(shore.urls(1)))

    serving = await shore.start("serve", "--port", "0", "--log-level", "error")
    await serving.says("portal is at")
    async with shore.open() as house:
        await house.ledger.log_event("alert_mass_deactivation", source_id="shop", payload={"lost": 12})
        await shore.until(lambda: pager.heard)

    assert "vanished" in pager.heard[0]["title"] and pager.heard[0]["type"] == "failure"


async def test_a_message_that_does_not_arrive_is_tried_again_and_then_given_up(shore, pager) -> None:
    listen(shore, pager)
    shore.write_config(shore.source(shore.urls(1)))
    pager.status = 500

    async with shore.open() as house:
        clock = FrozenClock(house.clock.now())
        keeper = replace(house.alerts, clock=clock)
        await house.ledger.log_event("alert_gaps", source_id="shop")
        await keeper.heed()
        for _ in range(8):
            await keeper.tell()
            clock.advance(60)
        events = await house.ledger.events(event_type="delivery_failed")

    assert len(pager.heard) == 5
    assert len(events) == 1 and "json-" in events[0].payload["destination"]


async def test_quiet_hours_hold_back_what_can_wait_and_nothing_else(shore, pager) -> None:
    listen(shore, pager)
    shore.write_config(shore.source(shore.urls(1)))
    night = datetime(2026, 1, 10, 23, 0, tzinfo=UTC)

    async with shore.open() as house:
        clock = FrozenClock(night)
        quiet = QuietHours(night.time(), night.replace(hour=7).time())
        keeper = replace(
            house.alerts, clock=clock, audience=replace(house.alerts.audience, quiet_hours=quiet)
        )
        await house.ledger.log_event("alert_gaps", source_id="shop")
        await house.ledger.log_event("alert_disk", payload={"subject": "disk"})
        await keeper.heed()
        at_night = await keeper.tell()
        heard_at_night = [each["title"] for each in pager.heard]
        clock.advance(9 * 3600)
        in_the_morning = await keeper.tell()

    assert (at_night, in_the_morning) == (1, 1)
    assert len(heard_at_night) == 1 and "P1" in heard_at_night[0]
    assert "records are missing" in pager.heard[1]["title"]


async def test_many_alerts_are_one_message(shore, pager) -> None:
    listen(shore, pager)
    shore.write_config(shore.source(shore.urls(1)))

    async with shore.open() as house:
        for number in range(12):
            await house.ledger.log_event("alert_gaps", payload={"subject": f"court {number}"})
        await house.alerts.heed()
        await house.alerts.tell()

    (message,) = pager.heard
    assert message["title"] == "Limpet: 12 alerts" and message["message"].count("records are missing") == 12


@pytest.mark.parametrize("status", [200, 302])
async def test_no_message_reaches_a_private_address_unasked_not_even_by_redirect(pager, status) -> None:
    pager.status, pager.location = status, f"http://169.254.169.254:{pager.port}/" if status == 302 else ""

    closed = await send(Destination(pager.url), Message("t", "b"), allow_private=False)
    unheard = list(pager.heard)
    opened = await send(Destination(pager.url), Message("t", "b"), allow_private=True)

    assert "loopback" in str(closed) and unheard == []
    assert len(pager.heard) == 1
    assert (opened is None) is (status == 200)


async def test_trying_the_destinations_says_which_one_is_wrong(shore, pager) -> None:
    listen(shore, pager, "nonsense://secret-token")
    shore.write_config(shore.source(shore.urls(1)))

    said = await shore.limpet("alerts", "test")
    shore.environment["LIMPET_ALERT_URLS"] = ""
    nobody = await shore.limpet("alerts", "test")

    assert said.code == 1 and re.search(r"json-\w{8}: arrived", said.out) and "nonsense-" in said.out
    assert "secret-token" not in said.out + said.err
    assert nobody.code == 2 and "LIMPET_ALERT_URLS" in nobody.err
