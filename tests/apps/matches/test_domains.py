"""Domains: described by a file, known by id, switched at runtime."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from limpet.apps.matches.adapter import DomainAdapterDescriptor
from limpet.apps.matches.domains import DomainTable, descriptors_from, descriptors_of
from limpet.apps.matches.monitor.roll_call import refuse_unknown_sources
from limpet.clock import FrozenClock
from limpet.configuration.reading import read_tables
from limpet.errors import ConfigError
from limpet.source import Source
from limpet.source.catalogue import Catalogue

FILE = """\
sources:
  - domain_id: crex
    enabled: true
    precedence_weight: 100
    rate_limits:
      max_concurrent_contexts: 30
      min_interval_seconds: 0.5
      burst_allowance: 50
    metadata:
      base_url: "https://crex.live"
  - domain_id: espn
    adapter: pavilion
    enabled: false
    precedence_weight: 80
"""


def table(*domains: DomainAdapterDescriptor) -> DomainTable:
    return DomainTable(domains, clock=FrozenClock())


def test_the_file_of_seed_004_is_read_with_ids_in_place_of_classes(tmp_path: Path) -> None:
    place = tmp_path / "sources.yaml"
    place.write_text(FILE)

    crex, espn = descriptors_from(read_tables(place), place=str(place))

    assert (crex.domain_id, crex.adapter, crex.enabled, crex.precedence_weight) == ("crex", "crex", True, 100)
    assert crex.rate_limits.max_concurrent_contexts == 30
    assert (espn.adapter, espn.enabled) == ("pavilion", False)


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ({"domain_id": "crex", "adapter_class": "adapters.crex.CrexAdapter"}, "must not run code"),
        ({"domain_id": "crex", "adapter": "os.system"}, "no known adapter"),
        ({"domain_id": "crx"}, "no known adapter"),
        ({"domain_id": "crex", "precedence_weight": 101}, "precedence_weight"),
        ({"domain_id": "crex", "speed": 3}, "speed"),
        ({"adapter": "crex"}, "domain_id"),
        ({"domain_id": "crex", "rate_limits": {"max_concurrent_contexts": 0}}, "max_concurrent_contexts"),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused_by_name(entry: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ConfigError) as refused:
        descriptors_from({"sources": [entry]}, place="sources.yaml")

    assert complaint in str(refused.value)
    assert refused.value.fix


def test_a_domain_may_not_stand_twice() -> None:
    with pytest.raises(ConfigError, match="twice"):
        descriptors_from({"sources": [{"domain_id": "crex"}, {"domain_id": "crex"}]}, place="x")


def test_a_domain_is_switched_without_a_restart_and_a_new_file_does_not_undo_it() -> None:
    crex = DomainAdapterDescriptor("crex", "crex", precedence_weight=100)
    pavilion = DomainAdapterDescriptor("pavilion", "pavilion", precedence_weight=80)
    domains = table(crex, pavilion)

    domains.switch("crex", enabled=False)
    after_switch = [each.domain_id for each in domains.enabled()]
    domains.replace([crex, replace(pavilion, precedence_weight=90)])

    assert after_switch == ["pavilion"]
    assert [(each.domain_id, each.precedence_weight) for each in domains.enabled()] == [("pavilion", 90)]
    assert [each.domain_id for each in domains.known()] == ["crex", "pavilion"]


def test_the_most_believed_comes_first() -> None:
    domains = table(
        DomainAdapterDescriptor("pavilion", "pavilion", precedence_weight=20),
        DomainAdapterDescriptor("crex", "crex", precedence_weight=70),
    )

    assert [each.domain_id for each in domains.enabled()] == ["crex", "pavilion"]


def test_an_adapter_is_kept_until_its_description_changes() -> None:
    crex = DomainAdapterDescriptor("crex", "crex", metadata={"base_url": "https://a.test"})
    domains = table(crex)

    first, again = domains.adapter("crex"), domains.adapter("crex")
    domains.replace([replace(crex, metadata={"base_url": "https://b.test"})])

    assert first is again
    assert domains.adapter("crex") is not first


def test_both_ways_to_one_site_share_what_they_learn() -> None:
    about = {"base_url": "https://crex.test"}
    domains = table(
        DomainAdapterDescriptor("crex", "crex", metadata=about),
        DomainAdapterDescriptor("crex_browser", "crex_browser", metadata=about),
    )

    by_data: Any = domains.adapter("crex")
    by_browser: Any = domains.adapter("crex_browser")

    assert by_data._memory is by_browser._memory


def test_an_unknown_domain_is_told_which_there_are() -> None:
    with pytest.raises(ConfigError) as refused:
        table(DomainAdapterDescriptor("crex", "crex")).switch("cricinfo", enabled=True)

    assert "crex" in refused.value.fix


def test_without_a_file_every_source_of_the_app_is_a_domain_the_first_believed_most() -> None:
    sources = [
        Source("live", "matches", "crex", ("crex.test",)),
        Source("shop", "prices", "auto", ("shop.test",)),
        Source("second", "matches", "pavilion", ("pavilion.test",)),
    ]

    found = descriptors_of(sources)

    assert [(each.domain_id, each.adapter) for each in found] == [("live", "crex"), ("second", "pavilion")]
    assert found[0].precedence_weight > found[1].precedence_weight


@pytest.mark.parametrize(
    ("tables", "complaint", "fix"),
    [
        (
            {"sources": [{"domain_id": "crex", "precedence_wieght": 3}]},
            "sources.0.precedence_wieght is not a known key",
            "Did you mean 'precedence_weight'?",
        ),
        (
            {"sources": [{"domain_id": "crex", "rate_limits": {"min_interval": 3}}]},
            "sources.0.rate_limits.min_interval is not a known key",
            "Did you mean 'min_interval_seconds'?",
        ),
        ({"source": [], "sources": [{"domain_id": "crex"}]}, "source is not", "Did you mean 'sources'?"),
        ({"sources": [{"domain_id": "crex", "zzz": 3}]}, "zzz is not a known key", "Known keys: domain_id,"),
    ],
)
def test_an_unknown_key_is_answered_with_the_one_that_was_meant(
    tables: dict[str, Any], complaint: str, fix: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        descriptors_from(tables, place="sources.yaml")

    assert complaint in str(refused.value)
    assert refused.value.fix.startswith(fix)


@pytest.mark.parametrize(
    ("descriptor", "fix"),
    [
        (DomainAdapterDescriptor("crexy", "crex"), "Did you mean 'crex'?"),
        (DomainAdapterDescriptor("crex", "crex", source_id="krex"), "Did you mean 'crex'?"),
        (DomainAdapterDescriptor("shop", "crex"), "Sources of matches: crex."),
    ],
)
def test_a_domain_without_a_source_is_refused(descriptor: DomainAdapterDescriptor, fix: str) -> None:
    known = Catalogue(
        [
            Source(id="crex", app="matches", site="crex", hosts=("crex.test",)),
            Source(id="shop", app="prices", site="woo", hosts=("shop.test",)),
        ]
    )

    with pytest.raises(ConfigError, match="names no known source") as refused:
        refuse_unknown_sources([descriptor], known, place="sources.yaml")
    refuse_unknown_sources([replace(descriptor, enabled=False)], known, place="sources.yaml")

    assert refused.value.fix.startswith(fix)
