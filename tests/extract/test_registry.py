"""Sites are registered by hand, and a wrong name is answered with the nearest one."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.errors import ConfigError, UnknownSite
from limpet.extract import Site, Unreadable
from limpet.extract.extraction import Missing
from limpet.extract.registry import SiteRegistry


class Blank:
    def read(self, page: Any, target: Any) -> Unreadable:
        return Unreadable(page, Missing.NO_RECORD)


def site(name: str, domain: str = "shop.test") -> Site:
    return Site(id=name, version="1.0.0", app="prices", domain=domain, page_model=Blank())


def test_a_site_is_found_by_its_id() -> None:
    registry = SiteRegistry([site("sgammo"), site("brownells")])

    assert registry.get("sgammo").id == "sgammo"
    assert registry.list() == ("brownells", "sgammo")


def test_a_misspelt_id_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownSite) as unknown:
        SiteRegistry([site("sgammo")]).get("sgamo")

    assert "sgammo" in unknown.value.fix


def test_an_unknown_id_is_answered_with_what_there_is() -> None:
    with pytest.raises(UnknownSite) as unknown:
        SiteRegistry([site("sgammo")]).get("zzz")

    assert "sgammo" in unknown.value.fix


def test_two_sites_may_not_share_an_id() -> None:
    with pytest.raises(ConfigError):
        SiteRegistry([site("sgammo"), site("sgammo")])


def test_shelves_are_opened_only_while_an_id_is_looked_for() -> None:
    opened: list[str] = []

    def shelf(site_id: str) -> list[Site]:
        opened.append(site_id)
        return [site(site_id)]

    registry = SiteRegistry(shelves=[lambda: shelf("first"), lambda: shelf("second"), lambda: shelf("third")])

    assert registry.get("second").id == "second"
    assert opened == ["first", "second"]
    assert registry.list() == ("first", "second", "third")
    assert opened == ["first", "second", "third"]
