"""Every site reads its own fixtures, field by field; a site without a good and a bad one fails."""

from __future__ import annotations

import importlib
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import limpet.apps
from limpet.extract import Extraction, Site, Unreadable, fields_of
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of

APPS = Path(limpet.apps.__file__).parent
FIXTURES = sorted(APPS.glob("*/sites/*/fixtures/*/expected.json"))
SITES = sorted(path.parent for path in APPS.glob("*/sites/*/__init__.py"))


def site_in(folder: Path) -> Site:
    module = importlib.import_module(f"limpet.apps.{folder.parent.parent.name}.sites.{folder.name}")
    site: Site = module.SITE
    return site


def replay(case: Path) -> Extraction[Any] | Unreadable:
    meta = json.loads((case / "meta.json").read_text())
    body_file = next(path for path in sorted(case.iterdir()) if path.stem == "page")
    page = Page(
        url=meta["url"],
        final_url=meta.get("final_url", meta["url"]),
        status=meta["status"],
        headers={"content-type": meta["content_type"]},
        body=body_file.read_bytes(),
        fetched_at=datetime.fromisoformat(meta["fetched_at"]),
    )
    site = site_in(case.parent.parent)
    address = canonicalize(meta["url"])
    target = Target(source_id=site.id, address=address, url=meta["url"], lane=lane_of(address))
    return site.page_model.read(page, target)


def in_json(record: Any) -> dict[str, Any]:
    """The record as its fixture writes it: plain values only."""
    plain: dict[str, Any] = json.loads(json.dumps(fields_of(record), default=str))
    return plain


@pytest.mark.parametrize("expected_file", FIXTURES, ids=lambda path: "-".join(path.parts[-4:-1:2]))
def test_a_fixture_reads_as_expected(expected_file: Path) -> None:
    expected = json.loads(expected_file.read_text())

    reading = replay(expected_file.parent)

    if expected["outcome"] == "unreadable":
        assert isinstance(reading, Unreadable), reading
        assert reading.reason.value == expected["reason"]
        assert expected.get("details", "") in reading.details
        return
    assert isinstance(reading, Extraction), reading
    record = in_json(reading.record)
    assert {name: record[name] for name in expected["record"]} == expected["record"]


@pytest.mark.parametrize("folder", SITES, ids=lambda folder: folder.name)
def test_a_site_has_a_good_and_a_bad_fixture_and_notes(folder: Path) -> None:
    outcomes = {json.loads(path.read_text())["outcome"] for path in folder.glob("fixtures/*/expected.json")}

    assert outcomes == {"extraction", "unreadable"}
    assert (folder / "NOTES.md").read_text().strip()


@pytest.mark.parametrize("folder", SITES, ids=lambda folder: folder.name)
def test_a_site_is_registered_under_the_name_of_its_folder(folder: Path) -> None:
    listed = importlib.import_module(f"limpet.apps.{folder.parent.parent.name}.sites").SITES

    assert site_in(folder).id == folder.name
    assert site_in(folder) in listed


@pytest.mark.parametrize("expected_file", FIXTURES, ids=lambda path: "-".join(path.parts[-4:-1:2]))
def test_the_same_bytes_always_read_the_same(expected_file: Path) -> None:
    assert repr(replay(expected_file.parent)) == repr(replay(expected_file.parent))
