"""Compares the last good page with the first bad one, and says what is known and what is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.extract import Extraction, Site, Unreadable
from limpet.extract.complaint import field_in, selector_in
from limpet.extract.failure import CannotRead
from limpet.extract.places import TellsPlaces, open_material
from limpet.observe.repair import comparing, expecting
from limpet.observe.repair.exhibit import Exhibit
from limpet.observe.repair.expecting import Expectation, Reading, record_of
from limpet.observe.repair.findings import Difference, Findings, PlaceFinding
from limpet.observe.repair.looking import OpenPage, opened
from limpet.observe.repair.losing import place_findings
from limpet.observe.repair.proving import Read, as_expected, proof_of, read_as, remarks_on, said_of
from limpet.record.broken_pages import BrokenPages, KeptPage


def examine(
    pages: BrokenPages,
    good: Exhibit | None,
    bad: Exhibit | None,
    *,
    site: Site,
    general: Site | None,
    read: Read,
) -> Findings:
    """Return everything the two pages tell; either may be missing, and then that is said."""
    good_reading = read(site, good.page, good.target) if good is not None else None
    bad_reading = read(site, bad.page, bad.target) if bad is not None else None
    before, now = _opened(good), _opened(bad)
    is_same = pages.is_same_target and good is not None and bad is not None
    second = _second(general, bad, now, read=read)
    hoped = _hoped(good_reading if is_same else None, bad_reading, second, now)
    sought = _sought(good_reading if is_same else None, second, hoped)
    places = _places(site, before, now, sought=sought)
    kept = bad.kept if bad is not None else None
    reason, details = _complaint(bad_reading, kept)
    return Findings(
        site_id=site.id,
        site_version=site.version,
        app=site.app,
        good=read_as(good, good_reading),
        bad=read_as(bad, bad_reading),
        is_same_target=is_same,
        reasons=dict(pages.reasons),
        failing_field=field_in(reason, details),
        failing_selector=selector_in(details),
        complaint=f"{reason}: {details}" if reason else "",
        remarks=(*remarks_on(good, bad, good_reading, is_same=is_same), *hoped.remarks),
        places=places,
        differences=_differences(site, before, now),
        likeness_percent=comparing.likeness_percent(before, now) if before and now else None,
        expected=hoped.expected,
        doubts=hoped.doubts,
        general=said_of(second) if second is not None else "",
        proof=proof_of(site, bad, places, expected=hoped.expected, read=read),
    )


def _second(general: Site | None, bad: Exhibit | None, now: OpenPage | None, *, read: Read) -> Reading | None:
    """Return what the general rules make of the bad page; they read markup, and nothing else."""
    if general is None or bad is None or now is None or now.material.tree is None:
        return None
    return read(general, bad.page, bad.target)


def _opened(exhibit: Exhibit | None) -> OpenPage | None:
    if exhibit is None:
        return None
    try:
        return opened(open_material(exhibit.page))
    except CannotRead:
        return None


def _hoped(
    good: Reading | None, bad: Reading | None, second: Reading | None, page: OpenPage | None
) -> Expectation:
    if bad is None:
        return Expectation(None)
    hoped = expecting.expectation(good, bad, second, page)
    if hoped.expected is not None and as_expected(bad, hoped.expected):
        said = "The present version reads the bad page as it should: mended since, or a rule objected, not the reading."
        return Expectation(None, (*hoped.remarks, said), hoped.doubts)
    return hoped


def _sought(good: Reading | None, second: Reading | None, hoped: Expectation) -> dict[str, Any]:
    """Return the values to look for on the bad page: what it should say, else what the good page said."""
    sought: dict[str, Any] = {}
    for reading in (second, good):
        if isinstance(reading, Extraction):
            own = {name: getattr(reading.record, name, None) for name in record_of(reading)}
            sought |= {name: value for name, value in own.items() if value is not None}
    expected = (hoped.expected or {}).get("record") or {}
    if isinstance(second, Extraction):
        seen = {
            name: getattr(second.record, name) for name in ("price_cents", "availability") if name in expected
        }
        sought |= seen
    return sought


def _places(
    site: Site, before: OpenPage | None, now: OpenPage | None, *, sought: Mapping[str, Any]
) -> tuple[PlaceFinding, ...]:
    model = site.page_model
    if now is None or not isinstance(model, TellsPlaces):
        return ()
    return place_findings(model.places(), before, now, sought=sought)


def _differences(site: Site, before: OpenPage | None, now: OpenPage | None) -> tuple[Difference, ...]:
    if before is None or now is None:
        return ()
    places = site.page_model.places() if isinstance(site.page_model, TellsPlaces) else ()
    nodes = [node for place in places for node in before.nodes_at(place)[:1]]
    spots = [spot for node in nodes if (spot := before.layout.spot_of(node)) is not None]
    return comparing.differences(before, now, read=spots)


def _complaint(reading: Reading | None, kept: KeptPage | None) -> tuple[str, str]:
    """Return what the present version objects to, else what the ledger says it objected to."""
    if isinstance(reading, Unreadable):
        return reading.reason.value, reading.details
    return ((kept.reason or kept.state), kept.details or "") if kept is not None else ("", "")
