from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from limpet.clock import FrozenClock
from limpet.errors import NotThere, UnknownSource, UsageError
from limpet.record import switching
from limpet.record.ledger import Ledger
from limpet.source import Source, SwitchKind, SwitchReason


@pytest.fixture
def said(clock: FrozenClock) -> dict[str, object]:
    return {"by": "Ada", "reason": "because", "now": clock.now()}


async def test_an_adapter_switched_off_and_on_is_watched_and_its_series_forgotten(
    ledger: Ledger, clock: FrozenClock, said: dict[str, object]
) -> None:
    await ledger.write(partial(switching.disable_adapter, adapter_id="woo", **said))
    (off,) = await ledger.read(switching.switches)
    status = await ledger.adapter_status("woo")
    await ledger.write(partial(switching.enable_adapter, adapter_id="woo", **said))

    assert (off.kind, off.id, off.reason, off.details, off.by) == (
        SwitchKind.ADAPTER,
        "woo",
        "MANUAL",
        "because",
        "Ada",
    )
    assert not status.enabled
    assert await ledger.read(switching.switches) == []
    (watched,) = await ledger.read(partial(switching.adapter_statuses, watched=True))
    assert (watched.adapter_id, watched.watched_since) == ("woo", clock.now())
    assert [entry.action for entry in await ledger.audit_entries()] == ["enable_adapter", "disable_adapter"]
    assert [event.event_type for event in await ledger.events()] == ["adapter_disabled", "adapter_enabled"]


async def test_a_source_switched_off_stays_off_whatever_the_configuration_says(
    ledger: Ledger, said: dict[str, object]
) -> None:
    await ledger.write(partial(switching.disable_source, source_id="shop", **said))

    await ledger.put_source(Source(id="shop", app="prices", site="woo", hosts=("shop.test",), enabled=True))

    (off,) = await ledger.read(switching.switches)
    assert (off.kind, off.id) == (SwitchKind.SOURCE, "shop")
    await ledger.write(partial(switching.enable_source, source_id="shop", **said))
    assert await ledger.read(switching.switches) == []


async def test_stopping_a_source_twice_is_told_once(ledger: Ledger, clock: FrozenClock) -> None:
    stop = partial(
        switching.stop_source, source_id="shop", by="watch", reason=SwitchReason.BLOCKED, details="3 blocks"
    )

    first = await ledger.write(partial(stop, now=clock.now()))
    second = await ledger.write(partial(stop, now=clock.now() + timedelta(seconds=1)))

    assert (first, second) == (True, False)
    assert len(await ledger.audit_entries()) == 1


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (partial(switching.enable_adapter, adapter_id="woo"), NotThere),
        (partial(switching.enable_source, source_id="shop"), NotThere),
        (partial(switching.disable_source, source_id="nowhere"), UnknownSource),
    ],
)
async def test_a_switch_that_cannot_be_turned_says_why(
    ledger: Ledger, said: dict[str, object], act: partial[None], error: type[Exception]
) -> None:
    with pytest.raises(error):
        await ledger.write(partial(act, **said))


async def test_a_switch_needs_a_reason(ledger: Ledger, said: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="reason"):
        await ledger.write(partial(switching.disable_adapter, adapter_id="woo", **said | {"reason": " "}))
