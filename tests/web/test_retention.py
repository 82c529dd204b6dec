"""What retention removed is said to be removed: on the evidence page, by the API, in the politeness report."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, update

from limpet.assembly import House
from limpet.record.log_tables import requests, retention_horizons, snapshots
from limpet.record.retention.horizons import note_horizon
from limpet.record.retention.policy import Kind
from limpet.record.tables import attempts

GONE_AT = datetime(2026, 3, 4, tzinfo=UTC)
SINCE = datetime(2030, 1, 2, tzinfo=UTC)


@pytest.fixture
def removed(portal) -> Iterator[int]:
    """A job whose page, tries and requests are gone; its page comes back afterwards."""

    async def remove(house: House) -> Any:
        (job,) = (await house.ledger.jobs(portal.run.id))[-1:]

        def write(connection: Any) -> None:
            gone = {"purged_at": GONE_AT, "purged_by": "retention"}
            connection.execute(update(snapshots).where(snapshots.c.sha256 == job.snapshot).values(gone))
            connection.execute(delete(attempts).where(attempts.c.job_id == job.id))
            connection.execute(delete(requests).where(requests.c.job_id == job.id))
            for kind in (Kind.ATTEMPTS, Kind.REQUESTS):
                note_horizon(connection, kind, ["shop"], since=SINCE)

        await house.ledger.write(write)
        return job

    async def put_back(house: House) -> None:
        def write(connection: Any) -> None:
            back = {"purged_at": None, "purged_by": None}
            connection.execute(update(snapshots).where(snapshots.c.sha256 == job.snapshot).values(back))
            connection.execute(delete(retention_horizons))

        await house.ledger.write(write)

    job = portal.do(remove)
    yield job.id
    portal.do(put_back)


def test_the_evidence_page_says_what_was_removed_and_when(portal, removed: int) -> None:
    page = portal.get(f"/jobs/{removed}/evidence").text

    assert "removed by the retention rule on 2026-03-04" in page
    assert "It was tried 1 time" in page and "Nothing was tried" not in page
    assert "Requests from before 2030-01-02" in page


def test_the_api_says_so_too(portal, removed: int) -> None:
    told = portal.get(f"/api/v1/jobs/{removed}/evidence").json()
    source = portal.get(f"/api/v1/jobs/{removed}/evidence/source")

    assert told["snapshot"]["removal"] == "removed by the retention rule on 2026-03-04"
    assert told["snapshot"]["sha256"]
    assert source.status == 404 and "retention rule on 2026-03-04" in source.json()["detail"]


def test_the_politeness_report_says_since_when_it_knows(portal, removed: int) -> None:
    page = portal.get("/politeness?days=365").text
    (shop,) = portal.get("/api/v1/politeness/shop.tidepool.localhost?days=365").json()["items"]

    assert "since 2030-01-02" in page and "the retention rule has removed" in page
    assert datetime.fromisoformat(shop["complete_since"]) - SINCE == timedelta(0)


def test_metrics_say_from_when_on_rows_are_whole(portal, removed: int) -> None:
    portal.app.state.lookout.forget()
    told = portal.get("/metrics").text.partition('limpet_complete_since_seconds{kind="requests"} ')[2]

    assert float(told.splitlines()[0]) == SINCE.timestamp()
