from __future__ import annotations

from dataclasses import replace

from limpet.clock import FrozenClock
from limpet.record.ledger import Ledger
from limpet.record.logbook import AdapterStatus


async def test_events_come_back_in_order(ledger: Ledger, clock: FrozenClock) -> None:
    first = await ledger.log_event(
        "run_started", run_id=1, payload={"bad": "\x00", "n": [1, {"deep": "\ud800"}]}
    )
    await ledger.log_event("drift", source_id="shop")

    started, drift = await ledger.events()

    assert (started.id, started.run_id, started.created_at) == (first, 1, clock.now())
    assert started.payload == {"bad": "␀", "n": [1, {"deep": "���"}]}
    assert await ledger.events(after=first) == [drift]
    assert await ledger.events(event_type="drift") == [drift]
    assert await ledger.events(run_id=1) == [started]


async def test_an_error_is_noted_and_resolved(ledger: Ledger) -> None:
    await ledger.log_error(
        "shop", "network", error_message="reset\x00", url="https://shop.test/p?token=secret", retry_attempt=2
    )

    assert await ledger.resolve_errors("shop", "auto_retry") == 1
    assert await ledger.resolve_errors("shop", "auto_retry") == 0

    question = "SELECT error_message, url, retry_attempt, resolved, resolution_method FROM scraper_errors"
    row = await ledger.read(lambda connection: connection.exec_driver_sql(question).one())
    assert tuple(row) == ("reset␀", "https://shop.test/p", 2, True, "auto_retry")


async def test_the_audit_log_tells_who_and_why(ledger: Ledger) -> None:
    await ledger.audit("ops", "disable", subject="source:shop", reason="terms changed", details={"was": True})
    await ledger.audit("ops", "enable", subject="source:other")

    (entry,) = await ledger.audit_entries(subject="source:shop")

    assert (entry.actor, entry.action, entry.reason, entry.details) == (
        "ops",
        "disable",
        "terms changed",
        {"was": True},
    )
    assert [each.action for each in await ledger.audit_entries()] == ["enable", "disable"]


async def test_an_adapter_is_enabled_until_somebody_says_otherwise(
    ledger: Ledger, clock: FrozenClock
) -> None:
    unknown = await ledger.adapter_status("woo")
    assert unknown == AdapterStatus("woo")

    off = replace(unknown, enabled=False, disabled_at=clock.now(), disabled_reason="drift_detected")
    await ledger.put_adapter_status(off)
    await ledger.put_adapter_status(replace(off, consecutive_failed_batches=2, last_batch_failure_rate=0.75))

    kept = await ledger.adapter_status("woo")
    assert kept == replace(off, consecutive_failed_batches=2, last_batch_failure_rate=0.75)
