from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from limpet.errors import ConfigError, SourceRefused, SwitchedOff, UnknownSource, UsageError
from limpet.source import Source, Switch, SwitchKind, Terms
from limpet.source.catalogue import Catalogue

APPROVED = Terms(reviewed_at=datetime(2026, 1, 1, tzinfo=UTC), approved_by="Ada")
SHOP = Source(id="tidepool-shop", app="prices", site="woo", hosts=("shop.example.com",), terms=APPROVED)


def test_an_approved_source_passes_the_gate() -> None:
    Catalogue([SHOP]).gate(SHOP)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (replace(SHOP, enabled=False, disabled_reason="layout changed"), "switched off: layout changed"),
        (replace(SHOP, enabled=False), "no reason was given"),
        (replace(SHOP, terms=Terms()), "approved the terms"),
        (replace(SHOP, terms=replace(APPROVED, approved_by="")), "approved the terms"),
        (replace(SHOP, robots_compliant=False), "robots.txt"),
        (replace(SHOP, hosts=()), "no host"),
    ],
)
def test_the_gate_says_what_is_missing_and_what_to_do(source: Source, says: str) -> None:
    with pytest.raises(SourceRefused) as refusal:
        Catalogue([source]).gate(source)

    assert says in str(refusal.value)
    assert refusal.value.fix


def test_a_source_of_another_app_is_refused_with_those_of_this_one() -> None:
    known = Catalogue([SHOP, replace(SHOP, id="court", app="judgments")])

    with pytest.raises(UsageError, match="'tidepool-shop' is a source of 'prices'") as refusal:
        known.get("tidepool-shop", app="judgments")

    assert refusal.value.fix == "Sources of judgments: court."
    assert known.get("court", app="judgments").id == "court"


def test_a_stranger_does_not_pass_the_gate() -> None:
    with pytest.raises(SourceRefused, match="not registered"):
        Catalogue().gate(SHOP)


def test_switching_off_holds_for_those_already_under_way() -> None:
    catalogue = Catalogue([SHOP])

    catalogue.disable(SHOP.id, "selectors broke")

    with pytest.raises(SourceRefused, match="selectors broke"):
        catalogue.gate(SHOP)
    assert catalogue.enable(SHOP.id).disabled_reason is None
    catalogue.gate(SHOP)


def test_switching_off_needs_a_reason() -> None:
    with pytest.raises(ConfigError):
        Catalogue([SHOP]).disable(SHOP.id, "  ")


@pytest.mark.parametrize(
    ("asked", "fix"),
    [("tidepool-shpo", "Did you mean 'tidepool-shop'?"), ("zzz", "Known sources: tidepool-shop.")],
)
def test_an_unknown_source_is_answered_with_a_likely_one(asked: str, fix: str) -> None:
    with pytest.raises(UnknownSource) as refusal:
        Catalogue([SHOP]).get(asked)

    assert refusal.value.fix == fix


def test_the_same_id_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="tidepool-shop"):
        Catalogue([SHOP, SHOP])


def test_sources_are_listed_in_order_and_by_app() -> None:
    court = replace(SHOP, id="court", app="dockets")
    catalogue = Catalogue([SHOP, court])

    assert catalogue.list() == (court, SHOP)
    assert catalogue.list(app="prices") == (SHOP,)


def test_an_updated_source_is_what_the_gate_sees() -> None:
    waiting = replace(SHOP, terms=Terms())
    catalogue = Catalogue([waiting])

    catalogue.update(SHOP)

    catalogue.gate(waiting)


# -- switched off at runtime --------------------------------------------------------------------------------


def off(kind: SwitchKind, name: str) -> Switch:
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    return Switch(kind, name, "DRIFT_DETECTED", "64 of 64 failed", moment, "the drift detector")


@pytest.mark.parametrize(
    ("switch", "word"),
    [
        (off(SwitchKind.ADAPTER, "woo"), "adapter_disabled"),
        (off(SwitchKind.SOURCE, "tidepool-shop"), "source_disabled"),
    ],
)
def test_a_switch_closes_the_gate_and_says_how_to_open_it(switch: Switch, word: str) -> None:
    catalogue = Catalogue([SHOP])

    catalogue.switch([switch])

    with pytest.raises(SwitchedOff, match="64 of 64 failed") as refusal:
        catalogue.gate(SHOP)
    assert refusal.value.word == word
    assert f"limpet {switch.kind.value}s enable {switch.id}" in refusal.value.fix


def test_a_switch_is_not_overruled_by_the_configuration() -> None:
    catalogue = Catalogue([SHOP])
    catalogue.switch([off(SwitchKind.SOURCE, SHOP.id)])

    catalogue.update(SHOP)
    catalogue.enable(SHOP.id)

    with pytest.raises(SwitchedOff):
        catalogue.gate(SHOP)


def test_only_what_is_switched_is_off_and_turning_it_on_opens_it() -> None:
    other = replace(SHOP, id="other", site="another")
    catalogue = Catalogue([SHOP, other])

    catalogue.switch([off(SwitchKind.ADAPTER, "woo")])
    catalogue.gate(other)
    catalogue.switch([])

    catalogue.gate(SHOP)
