"""Every page, over real HTTP, after a real journey."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from limpet.record.entry import NewRun
from limpet.source import Switch, SwitchKind

ESCAPED = "&lt;script&gt;document.title="


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/runs", "/runs?state=completed", "/sources", "/sources/shop", "/sources/boutique"),
        *(
            "/politeness",
            "/politeness?days=30",
            "/prices",
            "/prices?search=ammo&source=shop",
            "/api",
            "/api/docs",
        ),
    ],
)
def test_page_is_there_and_speaks_html(portal: Any, path: str) -> None:
    answer = portal.get(path)

    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1" in answer.text or "verdict" in answer.text


def test_overview_gives_the_grade_its_reasons_and_the_way_out(portal: Any) -> None:
    text = portal.get("/").text

    assert re.search(r"<h1>(Degraded|Failing|Recovering|Healthy)</h1>", text)
    assert "no browser on this machine" in text
    assert "<code>make browser</code>" in text


def test_overview_shows_three_clocks_for_each_source(portal: Any) -> None:
    text = portal.get("/").text

    assert all(label in text for label in ("Last attempt", "Last page", "Last change"))
    assert text.count("data-ago") > 3


def test_run_page_adds_up_and_says_why(portal: Any) -> None:
    text = portal.get(f"/runs/{portal.run.id}").text

    assert f"<strong>{portal.run.planned}</strong> planned" in text
    assert "It adds up." in text
    assert "zero_price_extracted" in text


def test_run_page_filters_jobs_by_state(portal: Any) -> None:
    failed = portal.run.counts["failed"]

    text = portal.get(f"/runs/{portal.run.id}?state=failed").text

    assert text.count('class="word w-failed">failed</span>') >= failed
    assert len(re.findall(r'data-label="Job"', text)) == failed


def test_run_page_goes_on_after_a_job(portal: Any) -> None:
    first = portal.get(f"/runs/{portal.run.id}").text
    ids = [int(found) for found in re.findall(r'data-label="Job"><a href="/jobs/(\d+)/evidence', first)]

    rest = portal.get(f"/runs/{portal.run.id}?after={ids[4]}").text

    shown = [int(found) for found in re.findall(r'data-label="Job"><a href="/jobs/(\d+)/evidence', rest)]
    assert shown == ids[5:]


def test_shut_source_shows_its_reason_and_the_command_that_fixes_it(portal: Any) -> None:
    text = portal.get("/sources/boutique").text

    assert "no browser on this machine" in text
    assert "<code>make browser</code>" in text
    assert '<li class="no"><b>Switched on</b>' in text


@pytest.mark.parametrize("source_id", ["boutique", "salon"])
def test_missing_browser_is_never_ticked_off(portal: Any, source_id: str) -> None:
    text = portal.get(f"/sources/{source_id}").text

    assert '<li class="no"><b>Browser</b>' in text


def test_switched_on_source_that_lacks_its_browser_is_shut_with_the_fix(portal: Any) -> None:
    salon = portal.get("/api/v1/sources/salon").json()

    assert salon["gate"]["is_open"] is False
    assert "needs a browser" in salon["gate"]["reason"]
    assert "make browser" in salon["gate"]["fix"]
    assert salon["grade"] == "degraded"


def test_source_page_shows_terms_pace_hosts_and_manners(portal: Any) -> None:
    text = portal.get("/sources/shop").text

    assert "By <bdi>the tests</bdi>, 2026-01-01." in text
    assert "<code>shop.tidepool.localhost</code>" in text
    assert "Smallest gap" in text


def test_price_history_is_drawn_and_listed_with_its_evidence(portal: Any) -> None:
    listed = portal.get("/prices?source=shop").text
    address = re.search(r'href="(/prices/shop/[^"]+)"', listed)
    assert address is not None

    text = portal.get(address[1]).text

    assert "<svg viewBox=" in text and 'class="dot' in text
    assert "/evidence" in text


def test_prices_that_do_not_fit_a_search_teach_the_way_back(portal: Any) -> None:
    text = portal.get("/prices?source=shop&search=%25").text

    assert "See all prices" in text


def test_evidence_shows_the_stored_page_escaped_and_in_a_sandbox(portal: Any) -> None:
    text = portal.get(f"/jobs/{portal.hostile_job}/evidence").text

    assert '<iframe class="rendering" sandbox="" ' in text
    assert "<script>document" not in text
    assert ESCAPED in text
    assert "A harmless sentence." in text


def test_evidence_source_is_plain_text_that_may_do_nothing(portal: Any) -> None:
    answer = portal.get(f"/jobs/{portal.hostile_job}/evidence/source")

    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].endswith("sandbox")
    assert "<script>" in answer.text


def test_job_without_a_page_says_so(portal: Any) -> None:
    async def plan(house: Any) -> int:
        run = await house.desk.plan(NewRun("prices", "shop"), limit=1)
        return (await house.ledger.jobs(run.id))[0].id

    job_id = portal.do(plan)

    assert "No page is kept for this job." in portal.get(f"/jobs/{job_id}/evidence").text
    assert portal.get(f"/jobs/{job_id}/evidence/source").status == 404


def test_static_files_are_tagged_and_may_be_kept(portal: Any) -> None:
    css = re.search(r'href="(/static/limpet\.css\?v=[0-9a-f]+)"', portal.get("/").text)
    assert css is not None

    answer = portal.get(css[1])
    again = portal.get(css[1], **{"If-None-Match": answer.headers["etag"]})

    assert answer.status == 200 and "immutable" in answer.headers["cache-control"]
    assert again.status == 304 and again.body == b""


def test_run_page_tells_what_followed_for_each_adapter(portal: Any) -> None:
    text = portal.get(f"/runs/{portal.run.id}").text

    assert "What followed" in text
    assert "Adapter <code>tidepool_shop</code>" in text and "% in trouble" in text


def test_source_whose_adapter_drifted_says_since_when_why_and_how_to_go_on(portal: Any) -> None:
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    off = Switch(
        SwitchKind.ADAPTER, "tidepool_shop", "DRIFT_DETECTED", "64 of 64", moment, "the drift detector"
    )

    portal.house.catalogue.switch([off])
    try:
        text = portal.get("/sources/shop").text
    finally:
        portal.house.catalogue.switch([])

    assert '<li class="no"><b>Adapter</b>' in text
    assert "DRIFT_DETECTED: 64 of 64" in text
    assert "<code>limpet adapters enable tidepool_shop" in text
