from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from limpet.errors import ConfigError, SourceRefused, UnknownSource
from limpet.source import Source, Terms
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
