"""Alerts: raised once however often noticed, with evidence, ended by a person or by the end of the trouble."""

from __future__ import annotations

from functools import partial

import pytest

from limpet.errors import NotThere, UsageError
from limpet.observe.alert_rules import KINDS
from limpet.observe.alert_sweep import has_unheeded, reconcile_health, sweep
from limpet.observe.health import Finding, Grade, Health
from limpet.record.alerts import acknowledge, events_of, find_alert, resolve
from limpet.record.switching import disable_adapter, enable_adapter


async def swept(ledger):
    await ledger.write(partial(sweep, now=ledger.clock.now()))
    return await ledger.alerts(is_alive=None)


async def test_any_event_named_alert_becomes_one(ledger) -> None:
    payload = {"title": "Half of the register is gone", "severity": "P1", "fix": "Compare.", "lost": 512}
    await ledger.log_event("alert_mass_deactivation", source_id="shop", payload=payload)

    (alert,) = await swept(ledger)

    assert (alert.kind, alert.subject, alert.severity) == ("mass_deactivation", "source shop", "P1")
    assert (alert.title, alert.fix, alert.evidence["lost"]) == (
        "Half of the register is gone",
        "Compare.",
        512,
    )


async def test_kinds_nobody_described_are_told_all_the_same(ledger) -> None:
    await ledger.log_event("alert_tide_is_high", payload={"subject": "the harbour"})

    (alert,) = await swept(ledger)

    assert (alert.severity, alert.title) == ("P2", "The harbour: tide_is_high")


async def test_the_same_trouble_is_one_alert_until_it_is_resolved(ledger, clock) -> None:
    for _ in range(3):
        await ledger.log_event("alert_zero_price", run_id=1, payload={"adapter_id": "sgammo"})
        clock.advance(60)
    (first,) = await swept(ledger)
    again = await swept(ledger)
    await ledger.write(partial(resolve, alert_id=first.id, by="Ada", note="mended", now=clock.now()))
    await ledger.log_event("alert_zero_price", run_id=2, payload={"adapter_id": "sgammo"})

    newer, older = await swept(ledger)

    assert first.occurrences == 3 and first.last_seen_at > first.first_seen_at
    assert again == [first]
    assert (older.id, older.status, older.resolved_by) == (first.id, "resolved", "Ada")
    assert (newer.status, newer.occurrences, newer.run_id) == ("open", 1, 2)
    assert len(await ledger.read(partial(events_of, alert_id=older.id))) == 3


async def test_different_adapters_are_different_trouble(ledger) -> None:
    for adapter in ("sgammo", "midwayusa"):
        await ledger.log_event("alert_high_failure_rate", payload={"adapter_id": adapter})

    assert {alert.subject for alert in await swept(ledger)} == {"adapter sgammo", "adapter midwayusa"}


async def test_an_adapter_switched_on_again_ends_its_alert(ledger, clock) -> None:
    payload = {"adapter_id": "sgammo", "reason": "DRIFT_DETECTED", "details": "30 of 30 ended in trouble"}
    await ledger.log_event("adapter_disabled", run_id=7, payload=payload)
    (disabled,) = await swept(ledger)
    await ledger.log_event("adapter_enabled", payload={"adapter_id": "sgammo"})

    (ended,) = await swept(ledger)

    assert (disabled.severity, disabled.status, disabled.run_id) == ("P1", "open", 7)
    assert disabled.details == "30 of 30 ended in trouble"
    assert (ended.status, ended.resolved_by) == ("resolved", "adapter_enabled")


async def test_what_a_person_switches_off_is_no_alert(ledger, clock) -> None:
    now = clock.now()
    await ledger.write(
        partial(disable_adapter, adapter_id="sgammo", by="Ada", reason="terms changed", now=now)
    )
    await ledger.write(partial(enable_adapter, adapter_id="sgammo", by="Ada", reason="they agreed", now=now))

    assert await swept(ledger) == []
    assert not await ledger.read(has_unheeded)


async def test_a_refusal_because_of_a_switch_is_no_alert_but_a_full_queue_is(ledger) -> None:
    await ledger.log_event("queue_rejected", payload={"reason": "adapter_disabled", "app": "prices"})
    nothing = await swept(ledger)
    await ledger.log_event("queue_rejected", payload={"reason": "queue_full", "app": "prices"})

    (alert,) = await swept(ledger)

    assert nothing == []
    assert (alert.kind, alert.severity) == ("queue_rejected", "P2")


async def test_acknowledging_and_resolving_are_audited_and_happen_once(ledger, clock) -> None:
    await ledger.log_event("alert_gaps", source_id="court", payload={})
    (alert,) = await swept(ledger)
    act = {"alert_id": alert.id, "by": "Ada", "now": clock.now()}

    mine = await ledger.write(partial(acknowledge, note="I look", **act))
    with pytest.raises(UsageError, match="acknowledged already"):
        await ledger.write(partial(acknowledge, note="me too", **act))
    done = await ledger.write(partial(resolve, note="filled", **act))
    with pytest.raises(UsageError, match="resolved already"):
        await ledger.write(partial(resolve, note="again", **act))

    audited = await ledger.audit_entries(subject=f"alert {alert.id}")
    assert (mine.status, done.status, done.note) == ("acknowledged", "resolved", "filled")
    assert [(entry.action, entry.reason) for entry in audited] == [
        ("resolve_alert", "filled"),
        ("acknowledge_alert", "I look"),
    ]


async def test_an_alert_that_is_not_there_is_said_so(ledger) -> None:
    with pytest.raises(NotThere, match="no alert 99"):
        await ledger.read(partial(find_alert, alert_id=99))


async def test_grades_and_disk_raise_and_end_their_alerts_by_themselves(ledger, clock) -> None:
    failing = Finding(Grade.FAILING, "shop", "Run 3 failed.", "Look at it.", run_id=3)
    full = Finding(Grade.FAILING, "disk", "1 MB is free.", "Free some.")
    bad, good = Health(Grade.FAILING, (failing, full)), Health(Grade.HEALTHY)

    for health in (bad, bad):
        await ledger.write(partial(reconcile_health, health=health, now=clock.now()))
    raised = await ledger.alerts()
    await ledger.write(partial(reconcile_health, health=good, now=clock.now()))

    assert [(a.kind, a.subject, a.severity, a.occurrences) for a in raised] == [
        ("disk", "disk", "P1", 1),
        ("grade", "source shop", "P2", 1),
    ]
    assert {a.resolved_by for a in await ledger.alerts(is_alive=False)} == {"healthy again"}
    assert await ledger.alerts() == []


async def test_hostile_text_in_an_event_is_stored_as_text(ledger) -> None:
    payload = {"title": "nul \x00 and \ud800 <script>", "subject": "x" * 500, "severity": "P9"}
    await ledger.log_event("alert_odd", payload=payload)

    (alert,) = await swept(ledger)

    assert "<script>" in alert.title and "\x00" not in alert.title and alert.severity == "P2"


def test_every_kind_has_a_title_and_something_to_do() -> None:
    for kind, known in KINDS.items():
        assert known.title.format(subject="it", kind=kind) and known.fix
