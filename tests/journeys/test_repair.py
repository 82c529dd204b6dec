"""A shop changes its layout: drift switches the adapter off, and the bundle says what to mend, proven."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from limpet.apps.prices.sites import tidepool_shop
from limpet.extract import Extraction, Site, Unreadable
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of

SITE = tidepool_shop.SITE


def replay(site: Site, case: Path) -> Extraction[Any] | Unreadable:
    """Read a fixture as the shared test does."""
    meta = json.loads((case / "meta.json").read_text())
    page = Page(
        url=meta["url"],
        final_url=meta["url"],
        status=meta["status"],
        headers={"content-type": meta["content_type"]},
        body=(case / "page.html").read_bytes(),
        fetched_at=datetime.fromisoformat(meta["fetched_at"]),
    )
    address = canonicalize(meta["url"])
    return site.page_model.read(page, Target(site.id, address, meta["url"], lane_of(address)))


async def drifted(shore, journey, **fault: str) -> None:
    """Walk once well and twice badly: the second bad batch switches the adapter off."""
    shore.write_config(shore.source(shore.urls(22)))
    async with shore.open() as house:
        await journey.plan_and_walk(house)
        shore.pool.set_fault("shop", "redesigned", **fault)
        for _ in range(2):
            await journey.plan_and_walk(house)
        assert not (await house.ledger.adapter_status(SITE.id)).enabled


async def test_the_bundle_names_what_failed_and_a_selector_that_reads_the_new_page(anywhere, journey) -> None:
    shore = anywhere
    await drifted(shore, journey)

    said = await shore.limpet("repair", SITE.id)

    folder = shore.folder / f"repair-{SITE.id}"
    found = json.loads((folder / "findings.json").read_text())
    assert said.code == 0 and "Wrote repair-tidepool_shop" in said.out, said.err
    assert (found["failing_field"], found["failing_selector"]) == (
        "product",
        "div.tidepool-content-single-product",
    )
    assert found["is_same_target"] and found["reasons"] == {"page_structure_changed": 22}
    lost = {each["name"]: each for each in found["places"] if each["is_lost"]}
    assert {"product", "title", "price", "amount", "stock", "sku"} <= set(lost)
    assert lost["stock"]["held"].endswith("in stock")
    vanished = {each["kind"]: each["vanished"] for each in found["differences"]}
    assert ".tidepool-content-single-product" in vanished["names around what was read"]
    assert "Product.offers.price" in vanished["JSON-LD"]
    assert found["proof"]["is_as_expected"]

    (case,) = (folder / "fixtures").iterdir()
    expected = json.loads((case / "expected.json").read_text())["record"]
    before = replay(SITE, case)
    moved = {name: lost[name]["candidates"][0]["where"] for name in found["proof"]["moved"]}
    after = replay(replace(SITE, page_model=SITE.page_model.moved(moved)), case)

    assert isinstance(before, Unreadable) and before.reason.value == "page_structure_changed"
    assert isinstance(after, Extraction), after
    assert {name: getattr(after.record, name) for name in expected} == expected
    assert {"price_cents", "currency", "title", "availability", "retailer_sku"} == set(expected)


async def test_drift_names_the_command_whose_bundle_holds_nothing_that_runs(shore, journey) -> None:
    await drifted(shore, journey)
    place = shore.folder / "bundle.zip"
    async with shore.open() as house:
        events = [each for each in await house.ledger.events() if each.event_type == "adapter_disabled"]
        await house.alerts.heed()
        alert = next(each for each in await house.ledger.alerts() if each.kind == "adapter_disabled")

    said = await shore.limpet("repair", SITE.id, "--source", "shop", "--out", str(place))
    again = await shore.limpet("repair", SITE.id, "--out", str(place))

    assert events[0].payload["repair"] == "limpet repair tidepool_shop"
    assert "limpet repair tidepool_shop" in alert.fix
    assert said.code == 0 and again.code == 2 and "is there already" in again.err
    with zipfile.ZipFile(place) as archive:
        names = set(archive.namelist())
        fixture = next(archive.read(name).decode() for name in names if name.endswith("/page.html"))
        readme = archive.read("bundle/README.md").decode()
    assert {"bundle/findings.json", "bundle/structure.md", "bundle/last_good/page.txt"} <= names
    assert "bundle/first_bad/page.txt" in names
    assert "<script>" not in fixture and " onclick=" not in fixture
    assert "limpet adapters enable tidepool_shop" in readme and "test_fixtures.py" in readme


async def test_without_a_bad_page_it_says_so_and_writes_nothing(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(3)))
    async with shore.open() as house:
        await journey.plan_and_walk(house)

    said = await shore.limpet("repair", SITE.id)

    assert said.code == 1 and said.out.startswith("No bad page is on record")
    assert not (shore.folder / f"repair-{SITE.id}").exists()


async def test_without_a_good_page_it_says_so_and_still_finds_candidates(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(3)))
    shore.pool.set_fault("shop", "redesigned")
    async with shore.open() as house:
        await journey.plan_and_walk(house)

    said = await shore.limpet("repair", SITE.id, "--json")

    found = json.loads(said.out)
    assert any("No good page is on record" in each for each in found["remarks"])
    assert found["good"] is None and found["expected"]["record"]["price_cents"] > 0
    title = next(each for each in found["places"] if each["name"] == "title")
    assert title["is_lost"] and title["before"] is None


async def test_a_page_that_blocks_us_is_not_taken_for_drift(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(2)))
    async with shore.open() as house:
        await journey.plan_and_walk(house)
        shore.pool.set_fault("shop", "captcha_200")
        await journey.plan_and_walk(house)

    said = await shore.limpet("repair", SITE.id, "--json")

    found = json.loads(said.out)
    assert found["expected"] is None
    assert any("blocks us" in each for each in found["remarks"])
