"""Acting from the portal, over real HTTP: every change has its reason, its entry in the audit log, and its effect."""

from __future__ import annotations

import re
import time
from functools import partial
from typing import Any

import pytest

from limpet.apps.prices.review import list_quarantined
from limpet.apps.prices.visible import current_visible_prices
from limpet.assembly import app_checks
from limpet.record.editing_targets import TargetFilter, list_targets

ADAPTER = "tidepool_shop"


def audited(portal: Any, action: str) -> list[Any]:
    async def read(house: Any) -> Any:
        return [entry for entry in await house.ledger.audit_entries() if entry.action == action]

    return portal.do(read)


def is_sound(portal: Any) -> bool:
    async def prove(house: Any) -> Any:
        return (await house.ledger.verify(app_checks=app_checks())).problems

    return portal.do(prove) == []


def open_records(portal: Any, reason: str) -> list[Any]:
    async def read(house: Any) -> Any:
        return [each for each in await house.ledger.read(list_quarantined) if each.reason == reason]

    return portal.do(read)


def targets_of(portal: Any, text: str) -> list[Any]:
    async def read(house: Any) -> Any:
        wanted = TargetFilter(source_id="shop", text=text)
        return await house.ledger.read(partial(list_targets, wanted=wanted, limit=100))

    return portal.do(read)


def overview_with(portal: Any, text: str) -> str:
    """Return the overview once it says so; it is looked at anew once a second."""
    deadline = time.monotonic() + 10
    while text not in (page := portal.get("/").text) and time.monotonic() < deadline:
        time.sleep(0.05)
    return str(page)


def visible(portal: Any, visibility: str = "consumer") -> dict[str, int]:
    async def read(house: Any) -> Any:
        look = partial(current_visible_prices, visibility=visibility, now=house.clock.now(), source_id="shop")
        return {price.identity_key: price.price_cents for price in await house.ledger.read(look)}

    return portal.do(read)


# -- targets ------------------------------------------------------------------------------------------------


def test_targets_are_pasted_paused_resumed_blocked_and_deleted(portal: Any) -> None:
    base = targets_of(portal, "/product/")[0].url.rpartition("/product/")[0]
    one, two = f"{base}/product/pasted/one/", f"{base}/product/pasted/two/?utm_source=x"
    table = "\n".join((one, two, "not an address", one))

    added = portal.send("/targets/import", source="shop", table=table)
    ids = [target.id for target in targets_of(portal, "/pasted/")]
    states = []
    for word in ("pause", "resume", "block", "unblock"):
        assert portal.send("/targets/change", action=word, id=ids, reason="season").status == 303
        states += [{(each.status, each.blocked) for each in targets_of(portal, "/pasted/")}]
    deleted = portal.send("/targets/change", action="delete", id=ids, reason="a mistake")

    assert added.status == 200 and "2 new, 1 known already, 1 wrong" in added.text
    assert states == [{("paused", False)}, {("active", False)}, {("active", True)}, {("active", False)}]
    assert deleted.status == 303 and targets_of(portal, "/pasted/") == []
    assert len(audited(portal, "delete_targets")) == 1


def test_targets_with_a_history_are_not_deleted(portal: Any) -> None:
    walked = targets_of(portal, "/product/")[0]

    answer = portal.send("/targets/change", action="delete", id=[walked.id], reason="tidy")

    assert answer.status == 400 and "never deleted" in answer.text
    assert targets_of(portal, "/product/")[0].id == walked.id


@pytest.mark.parametrize(
    "fields", [{"action": "pause", "reason": "x"}, {"action": "explode", "id": [1], "reason": "x"}]
)
def test_a_form_that_makes_no_sense_changes_nothing(portal: Any, fields: dict[str, Any]) -> None:
    assert portal.send("/targets/change", **fields).status == 400


def test_targets_are_searched(portal: Any) -> None:
    everything, none = portal.get("/targets?source=shop"), portal.get("/targets?search=nowhere-to-be-found")

    assert "Target " in everything.text and "No target fits" in none.text


# -- adapters -----------------------------------------------------------------------------------------------


def test_adapters_are_switched_off_and_on_with_a_reason(portal: Any) -> None:
    without = portal.send(f"/adapters/{ADAPTER}/disable", reason=" ")
    off = portal.send(f"/adapters/{ADAPTER}/disable", reason="they asked us to")
    page_while_off, sources = portal.get(f"/adapters/{ADAPTER}").text, portal.get("/sources/shop").text
    on = portal.send(f"/adapters/{ADAPTER}/enable", reason="they agreed")
    page = portal.get(on.headers["location"]).text

    assert without.status == 400 and "Say why" in without.text
    assert off.status == on.status == 303
    assert "they asked us to" in page_while_off and "they asked us to" in sources
    assert "switched on again" in page and "watched" in page and "they agreed" in page
    assert [entry.reason for entry in audited(portal, "disable_adapter")] == ["they asked us to"]


def test_an_adapter_nobody_wrote_is_not_there(portal: Any) -> None:
    assert portal.get("/adapters/nonsense").status in (400, 404)
    assert portal.send("/adapters/nonsense/disable", reason="x").status in (400, 404)


# -- alerts -------------------------------------------------------------------------------------------------


def test_an_alert_is_shown_counted_taken_and_resolved(portal: Any) -> None:
    async def raise_one(house: Any) -> Any:
        payload = {
            "subject": "the <b>harbour</b>",
            "title": "High tide <script>",
            "severity": "P1",
            "details": "4 m",
        }
        await house.ledger.log_event("alert_tide", payload=payload)

    portal.do(raise_one)
    overview, listed = overview_with(portal, "High tide"), portal.get("/alerts").text
    number = re.search(r'href="/alerts/(\d+)">[^<]*<bdi>High tide', listed)
    assert number is not None
    shown = portal.get(f"/alerts/{number[1]}").text
    taken = portal.send(f"/alerts/{number[1]}/acknowledge", reason="looking")
    twice = portal.send(f"/alerts/{number[1]}/acknowledge", reason="me too")
    resolved = portal.send(f"/alerts/{number[1]}/resolve", reason="it fell")

    assert (
        "Asking for you" in overview
        and "High tide &lt;script&gt;" in overview
        and "<script>High" not in overview
    )
    assert "I look after it" in shown and "4 m" in shown
    assert taken.status == 303 and twice.status == 400 and resolved.status == 303
    assert "It is resolved." in portal.get(resolved.headers["location"]).text
    assert portal.get("/alerts/999999").status == 404


# -- quarantine ---------------------------------------------------------------------------------------------


def test_a_zero_price_is_shown_beside_its_page_and_corrected(portal: Any) -> None:
    record = open_records(portal, "zero_price_extracted")[0]

    page = portal.get(f"/quarantine/{record.id}").text
    as_read = portal.send(f"/quarantine/{record.id}/accept", reason="believe it")
    nonsense = portal.send(
        f"/quarantine/{record.id}/correct", price="cheap", availability="in_stock", reason="x"
    )
    corrected = portal.send(
        f"/quarantine/{record.id}/correct",
        price="1,019.95",
        availability="in_stock",
        reason="the cart says so",
    )
    again = portal.send(f"/quarantine/{record.id}/reject", reason="changed my mind")

    assert "zero_price_extracted" in page and "<iframe" in page and "Accept as read" not in page
    assert as_read.status == 400 and "zero_price_extracted" in as_read.text
    assert nonsense.status == 400 and corrected.status == 303 and again.status == 400
    assert visible(portal, "operator")[record.identity_key] == 101_995
    assert audited(portal, "quarantine_corrected")[0].details["price_cents"] == 101_995
    assert is_sound(portal)


def test_what_was_not_read_can_be_written_by_a_person_or_rejected(portal: Any) -> None:
    written, rejected = open_records(portal, "ambiguous_variants")[:2]

    untitled = portal.send(
        f"/quarantine/{written.id}/correct", price="9.50", currency="usd", availability="in_stock", reason="x"
    )
    done = portal.send(
        f"/quarantine/{written.id}/correct",
        **{
            "price": "9.50",
            "currency": "usd",
            "availability": "in_stock",
            "title": "A box",
            "reason": "smallest pack",
        },
    )
    left = portal.send(f"/quarantine/{rejected.id}/reject", reason="a family is no product")

    assert untitled.status == 400 and "title is empty" in untitled.text
    assert done.status == 303 and left.status == 303
    assert 950 in visible(portal, "operator").values()
    assert "a family is no product" in portal.get(f"/quarantine/{rejected.id}").text
    assert rejected.id not in [each.id for each in open_records(portal, "ambiguous_variants")]
    assert is_sound(portal)


# -- visibility and corrections -----------------------------------------------------------------------------


def test_consumers_see_a_source_only_while_it_is_made_visible(portal: Any) -> None:
    before = visible(portal)
    shown = portal.send("/prices/corrections/trust", source="shop", visible="yes", reason="terms allow it")
    during, listed = visible(portal), portal.get("/api/v1/prices?source=shop").json()["items"]
    portal.send("/prices/corrections/trust", source="shop", reason="no longer")

    assert before == {} and shown.status == 303
    assert during and {offer["source_id"] for offer in listed} == {"shop"}
    assert visible(portal) == {}


def test_a_correction_is_previewed_laid_over_the_prices_and_revoked(portal: Any) -> None:
    before = visible(portal, "operator")
    key, cents = next(iter(before.items()))
    fields = {"action": "MULTIPLIER", "factor": "0.5", "scope": "source_product", "scope_id": f"shop {key}"}

    preview = portal.send("/prices/corrections/preview", **fields, reason="each pair is two")
    untouched = visible(portal, "operator")
    applied = portal.send("/prices/corrections/apply", **fields, reason="each pair is two")
    corrected = visible(portal, "operator")
    listed = portal.get("/prices/corrections").text
    number = re.search(r'action="/prices/corrections/(\d+)/revoke"', listed)
    assert number is not None
    product = portal.get(f"/prices/shop/{key}").text
    portal.send(f"/prices/corrections/{number[1]}/revoke", reason="they are single")

    assert preview.status == 200 and "1 current price would change" in preview.text and untouched == before
    assert applied.status == 303 and corrected[key] == (cents + 1) // 2
    assert {each: value for each, value in corrected.items() if each != key} == {
        each: value for each, value in before.items() if each != key
    }
    assert "each pair is two" in listed and "struck" in product
    assert visible(portal, "operator") == before


def test_the_prices_of_a_run_are_hidden_and_heeded_again(portal: Any) -> None:
    before = visible(portal, "operator")

    async def newest(house: Any) -> Any:
        runs = await house.ledger.runs()  # others may have planned some that nobody walks
        return next(run.id for run in runs if run.source_id == "shop" and run.counts["succeeded"])

    run = portal.do(newest)
    hidden = portal.send(f"/prices/corrections/runs/{run}/ignore", reason="layout was changing")
    during = visible(portal, "operator")
    portal.send(f"/prices/corrections/runs/{run}/heed", reason="it was not")

    assert hidden.status == 303 and during != before
    assert visible(portal, "operator") == before


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "MULTIPLIER", "scope": "source", "scope_id": "shop"},
        {"action": "IGNORE", "scope": "planet", "scope_id": "earth"},
        {"action": "IGNORE", "scope": "run", "scope_id": "999999"},
        {"action": "IGNORE", "scope": "source", "scope_id": "shop", "starts": "soon"},
    ],
)
def test_a_correction_that_cannot_be_is_refused(portal: Any, fields: dict[str, str]) -> None:
    assert portal.send("/prices/corrections/preview", **fields, reason="x").status == 400


@pytest.mark.parametrize("kind", ["price_drop", "back_in_stock"])
def test_what_is_news_to_a_buyer_is_listed(portal: Any, kind: str) -> None:
    answer = portal.get(f"/prices/changes?kind={kind}&days=7")

    assert answer.status == 200 and (
        "/evidence" in answer.text or "No price fell" in answer.text or "Nothing came" in answer.text
    )
