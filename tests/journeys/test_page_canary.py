"""An adapter tried on recorded pages: what got worse is listed, and one that is not mended is not switched on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limpet.errors import AdapterStillFails
from limpet.record.access.roles import Role
from limpet.web import deeds
from limpet.web.access.caller import Caller

ADAPTER = "drifty"
PLACES = {
    "old": "div.tidepool-content-single-product",
    "new": "div.pdp-x7f3",
    "both": "div.tidepool-content-single-product, div.pdp-x7f3",
}


def describe(shore: Any, version: str, layout: str, *, count: int = 22) -> None:
    price = '{css: "[class$=__price] bdi"}'
    shore.describe_shop(version, count, product=PLACES[layout], price=price, stock="p.stock, p.avl-2")


async def until_it_is_off(shore: Any, journey: Any) -> None:
    """Walk one good day and two of a redesigned shop; drift switches the adapter off."""
    describe(shore, "1.0.0", "old")
    async with shore.open() as house:
        await journey.plan_and_walk(house)
        shore.pool.set_fault("shop", "redesigned")
        await journey.plan_and_walk(house)
        await journey.plan_and_walk(house)
        assert not (await house.ledger.adapter_status(ADAPTER)).enabled


async def test_an_adapter_is_switched_on_once_it_reads_what_it_failed_on(anywhere, journey) -> None:
    shore = anywhere
    await until_it_is_off(shore, journey)
    enable = ("adapters", "enable", ADAPTER, "--reason", "mended")
    visits = len(shore.visits("/"))

    refused = await shore.limpet(*enable)
    before = await shore.limpet("adapters", "canary", ADAPTER, "--json")
    describe(shore, "1.1.0", "both")
    mended = await shore.limpet("adapters", "canary", ADAPTER, "--pages", "30", "--json")
    enabled = await shore.limpet(*enable)

    assert (
        refused.code == 2 and "still fails on what it failed on" in refused.err and "--force" in refused.err
    )
    was, now = json.loads(before.out), json.loads(mended.out)
    # Nothing got worse, though nothing is mended either: the list says so.
    assert (before.code, was["was_good"], was["was_bad"], was["still_bad"]) == (0, 22, 28, 28)
    assert was["still_fails"] and len(was["failing"]) == 20
    assert (mended.code, now["was_good"], now["was_bad"], now["still_bad"]) == (0, 15, 15, 0)
    assert now["version"] == "1.1.0" and not now["still_fails"] and now["worse"] == []
    assert enabled.code == 0 and "28 of 28 it failed on are readable now" in enabled.out
    assert len(shore.visits("/")) == visits
    async with shore.open() as house:
        status = await house.ledger.adapter_status(ADAPTER)
        entries = await house.ledger.audit_entries(subject=f"adapter {ADAPTER}")
    assert status.enabled and status.watched_since
    assert [entry.action for entry in entries][:2] == ["enable_adapter", "canary_adapter"]
    assert entries[0].details["forced"] is False and "readable now" in entries[0].details["canary"]


async def test_pages_that_were_readable_and_are_no_more_are_listed(shore, journey) -> None:
    describe(shore, "1.0.0", "old", count=3)
    async with shore.open() as house:
        await journey.plan_and_walk(house)
    describe(shore, "2.0.0", "new", count=3)

    listed = await shore.limpet("adapters", "canary", ADAPTER, "--json")
    said = await shore.limpet("adapters", "canary", ADAPTER)

    found = json.loads(listed.out)
    assert (listed.code, said.code) == (1, 1)
    assert not found["is_good"] and found["changes"]["no_longer_readable"] == 3
    assert {each["target"] for each in found["worse"]} == set(shore.urls(3))
    assert all(each["outcome_before"] == "succeeded" for each in found["worse"])
    assert "0 of 3 pages that were readable still are" in said.out.replace("\n", " ")


async def test_a_person_may_insist_and_it_is_kept_that_they_did(shore, journey) -> None:
    await until_it_is_off(shore, journey)
    ada = Caller(1, "Ada", Role.OPERATOR, "session")

    async with shore.open() as house:
        with pytest.raises(AdapterStillFails):
            await deeds.switch_adapter(house, ada, ADAPTER, on=True, reason="please")
    forced = await shore.limpet(
        "adapters", "enable", ADAPTER, "--force", "--reason", "the shop took its redesign back"
    )

    async with shore.open() as house:
        (entry, *_) = await house.ledger.audit_entries(subject=f"adapter {ADAPTER}")
    assert forced.code == 0 and "0 of 28 it failed on are readable now" in forced.out
    assert entry.action == "enable_adapter" and entry.details["forced"] is True
    assert entry.reason == "the shop took its redesign back"
