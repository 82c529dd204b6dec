"""What changed on a drifted site's pages, in the portal and the API: findings, and a bundle that is only ever saved."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from limpet.record.switching import disable_adapter, enable_adapter

ADAPTER = "tidepool_shop"


@pytest.fixture
def switched_off(portal: Any) -> Iterator[Any]:
    """The portal with its shop's adapter off, as drift leaves it."""

    def switch(deed: Any) -> None:
        async def do(house: Any) -> None:
            now = house.clock.now()
            await house.ledger.write(partial(deed, adapter_id=ADAPTER, by="Ada", reason="a test", now=now))

        portal.do(do)

    switch(disable_adapter)
    yield portal
    switch(enable_adapter)


def test_the_adapters_page_and_its_sources_page_show_what_changed(switched_off: Any) -> None:
    adapter = switched_off.get(f"/adapters/{ADAPTER}").text
    source = switched_off.get("/sources/shop").text

    for page in (adapter, source):
        assert "What changed" in page and f"/adapters/{ADAPTER}/repair.zip" in page
        assert f"limpet repair {ADAPTER}" in page


def test_while_nothing_speaks_of_drift_the_page_keeps_quiet(portal: Any) -> None:
    assert "What changed" not in portal.get("/adapters/midwayusa").text


def test_the_findings_are_the_same_by_page_and_by_api(portal: Any) -> None:
    page = portal.get(f"/adapters/{ADAPTER}/repair").text
    found = portal.get(f"/api/v1/adapters/{ADAPTER}/repair").json()

    assert found["bad"]["job_id"] and found["complaint"]
    assert f"/jobs/{found['bad']['job_id']}/evidence" in page
    assert all(place["where"] for place in found["places"] if place["is_lost"])


@pytest.mark.parametrize("prefix", ["", "/api/v1"])
def test_the_bundle_is_saved_and_never_shown(portal: Any, prefix: str) -> None:
    answer = portal.get(f"{prefix}/adapters/{ADAPTER}/repair.zip")

    assert answer.status == 200 and answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in answer.headers["content-security-policy"]
    with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
        assert f"repair-{ADAPTER}/README.md" in archive.namelist()


def test_an_adapter_without_a_bad_page_has_no_bundle(portal: Any) -> None:
    answer = portal.get("/api/v1/adapters/sgammo/repair.zip")
    page = portal.get("/adapters/sgammo/repair")

    assert answer.status == 404 and "No bad page" in answer.json()["detail"]
    assert page.status == 200 and "No bad page is on record" in page.text


def test_an_unknown_adapter_is_answered_as_one(portal: Any) -> None:
    usual = portal.get("/adapters/nobody")

    assert portal.get("/adapters/nobody/repair.zip").status == usual.status >= 400
    assert portal.get("/adapters/nobody/repair").status == usual.status
