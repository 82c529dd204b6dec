"""Configured sites are checked before anything starts, and each complaint names file, site and field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from limpet.configuration import load_config
from limpet.errors import ConfigError

GOOD: dict[str, Any] = {
    "id": "corner-shop",
    "version": "1.0.0",
    "app": "prices",
    "domain": "corner.example.com",
    "fields": {"title": {"css": "h1"}, "price": {"css": ".price"}, "availability": {"css": ".stock"}},
}


def config_with(folder: Path, *sites: dict[str, Any]) -> Path:
    config = folder / "limpet.toml"
    config.write_text("")
    (folder / "sites").mkdir()
    for number, site in enumerate(sites):
        (folder / "sites" / f"{number}.yaml").write_text(yaml.safe_dump(site), encoding="utf-8")
    return config


def with_field(name: str, place: Any) -> dict[str, Any]:
    return GOOD | {"fields": GOOD["fields"] | {name: place}}


def test_a_site_of_its_own_file_and_one_of_the_config_file_are_both_known(tmp_path: Path) -> None:
    config = config_with(tmp_path, GOOD)
    config.write_text(
        '[[sites]]\nid = "other"\nversion = "0.1.0"\napp = "prices"\ndomain = "other.example.com"\n'
        '[sites.fields]\ntitle = { css = "h1" }\nprice = { css = "b" }\navailability = { css = "i" }\n'
    )

    found = load_config(config)

    assert [site.id for site in found.sites] == ["other", "corner-shop"]
    assert found.sites[1].fields["price"][0].css == ".price"


@pytest.mark.parametrize(
    ("site", "words"),
    [
        (
            with_field("price", {"css": "div..x"}),
            "fields.price.css of site 'corner-shop' must be a CSS selector",
        ),
        (with_field("prise", {"css": "b"}), 'did you mean "price"?'),
        (with_field("price", {"cs": "b"}), 'did you mean "css"?'),
        (with_field("price", {}), "exactly one way"),
        (with_field("price", {"css": "b", "meta": "x"}), "exactly one way"),
        (with_field("price", {"value": "9.99"}), "not an observation"),
        (with_field("price", {"css": "b", "regex": "(a+)+$"}), "could run for ages"),
        (with_field("price", {"css": "b", "regex": r"(\d*)(.*)*"}), "could run for ages"),
        (with_field("price", {"css": "b", "regex": r".*.*(.*)"}), "could run for ages"),
        (with_field("price", {"css": "b", "regex": r"(?=a)(b)"}), "without look-around"),
        (with_field("price", {"css": "b", "regex": "("}), "a regular expression"),
        (with_field("price", {"css": "b", "regex": "abc"}), "exactly one group"),
        (with_field("price", {"json_ld": "offers..price"}), "separated by points"),
        (with_field("price", {"json_ld": "offers.price", "attribute": "x"}), "names an attribute"),
        (with_field("price", {"css": "b", "script": "#s"}), "read by json_path"),
        (with_field("availability", {"css": "b", "map": {"Ja": "yes"}}), "words for stock"),
        (with_field("title", {"css": "b", "map": {"Ja": "in_stock"}}), "only availability has a map"),
        (GOOD | {"version": "1"}, "version of site 'corner-shop' must be three numbers"),
        (GOOD | {"currency": "euro"}, "currency of site 'corner-shop'"),
        (
            {key: value for key, value in GOOD.items() if key != "fields"},
            "fields of site 'corner-shop' is missing",
        ),
        (GOOD | {"fields": {"title": {"css": "h1"}}}, "fields.price of site 'corner-shop' is missing"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_field(tmp_path: Path, site: dict[str, Any], words: str) -> None:
    config = config_with(tmp_path, site)

    with pytest.raises(ConfigError) as wrong:
        load_config(config)

    assert words in str(wrong.value)
    assert str(tmp_path / "sites" / "0.yaml") in str(wrong.value)


def test_two_sites_may_not_share_an_id(tmp_path: Path) -> None:
    config = config_with(tmp_path, GOOD, GOOD)

    with pytest.raises(ConfigError, match="already stands in"):
        load_config(config)
