"""A query written from the price seed works on the ledger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from limpet.clock import FrozenClock
from limpet.record.entry import NewRun
from limpet.record.ledger import Ledger
from limpet.target import Outcome
from limpet.target.outcome import RunState, Trigger

Make = Callable[..., Any]


async def ask(ledger: Ledger, question: str) -> list[dict[str, Any]]:
    return await ledger.read(
        lambda connection: [dict(row._mapping) for row in connection.exec_driver_sql(question)]
    )


async def test_scrape_runs_counts_as_the_seed_does(
    ledger: Ledger, targets: Make, lease_all: Make, settlement_of: Make, clock: FrozenClock
) -> None:
    run = await ledger.plan_run(NewRun("prices", "shop", trigger=Trigger.SCHEDULE), targets(8))
    endings = [
        (Outcome.SUCCEEDED, None),
        (Outcome.SUCCEEDED, None),
        (Outcome.FAILED, "timeout"),
        (Outcome.DROPPED, "oos_no_price"),
        (Outcome.DROPPED, "unknown_availability"),
        (Outcome.QUARANTINED, "zero_price"),
        (Outcome.SKIPPED, "source_refused"),
        (Outcome.NO_RECORD, None),
    ]
    for lease, (outcome, reason) in zip(await lease_all(run), endings, strict=True):
        await ledger.settle(settlement_of(lease, outcome, reason=reason))
    clock.advance(2.5)
    await ledger.finish_run(run.id, RunState.COMPLETED)

    (row,) = await ask(ledger, "SELECT * FROM scrape_runs WHERE source_id = 'shop' AND status = 'SUCCESS'")

    assert (row["id"], row["adapter_id"], row["adapter_version"]) == (str(run.id), "woo", "1.0.0")
    assert (row["trigger"], row["duration_ms"]) == ("SCHEDULED", 2_500)
    assert (row["urls_attempted"], row["urls_succeeded"], row["urls_failed"]) == (7, 6, 1)
    assert (row["offers_extracted"], row["offers_valid"], row["offers_dropped"]) == (4, 2, 1)
    assert (row["offers_quarantined"], row["oos_no_price_count"]) == (1, 1)
    assert float(row["failure_rate"]) == pytest.approx(1 / 7, abs=1e-4)
    assert float(row["yield_rate"]) == pytest.approx(2 / 7, abs=1e-4)
    assert float(row["drop_rate"]) == pytest.approx(0.25)
    assert {"retailer_id", "completed_at", "error_code", "error_message", "created_at"} <= set(row)


async def test_a_run_without_jobs_counts_nothing(ledger: Ledger, new_run: NewRun) -> None:
    await ledger.plan_run(new_run, [])

    (row,) = await ask(ledger, "SELECT status, urls_attempted, failure_rate, adapter_id FROM scrape_runs")

    assert row == {"status": "RUNNING", "urls_attempted": 0, "failure_rate": None, "adapter_id": "woo"}


async def test_scrape_targets_speaks_the_seeds_words(ledger: Ledger, targets: Make) -> None:
    await ledger.put_targets(targets(1, priority=3), schedule="0 */4 * * *", created_by="ops")

    (row,) = await ask(
        ledger,
        "SELECT id, url, canonical_url, source_id, adapter_id, source_product_id, schedule, priority, "
        "status, "
        "enabled, robots_path_blocked, last_scraped_at, last_status, consecutive_failures, created_by, notes "
        "FROM scrape_targets WHERE status = 'ACTIVE'",
    )

    assert (row["canonical_url"], row["adapter_id"], row["schedule"]) == (
        "https://shop.test/p/0",
        "woo",
        "0 */4 * * *",
    )
    assert (row["priority"], row["consecutive_failures"], row["created_by"]) == (3, 0, "ops")
