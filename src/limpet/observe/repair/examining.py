"""Compares the last good page with the first bad one, and says what is known and what is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from limpet.extract import Extraction, Site, Unreadable
from limpet.extract.complaint import field_in, selector_in
from limpet.extract.failure import CannotRead
from limpet.extract.places import Mendable, TellsPlaces, open_material
from limpet.fetch.page import Page
from limpet.observe.repair import comparing, expecting
from limpet.observe.repair.expecting import Expectation, Reading, record_of
from limpet.observe.repair.findings import Difference, Findings, PlaceFinding, Proof, ReadAs
from limpet.observe.repair.looking import OpenPage, opened
from limpet.observe.repair.losing import place_findings
from limpet.record.broken_pages import BrokenPages, KeptPage
from limpet.target import Target

Read = Callable[[Site, Page, Target], Reading]
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A kept page with its bytes."""

    kept: KeptPage
    body: bytes

    @property
    def page(self) -> Page:
        """The page as it came, as far as the ledger remembers."""
        kept = self.kept
        charset = f"; charset={kept.charset}" if kept.charset else ""
        return Page(
            url=kept.url,
            final_url=kept.url,
            status=kept.status or 200,
            headers={"content-type": f"{kept.media_type}{charset}"},
            body=self.body,
            fetched_at=kept.ended_at or _LONG_AGO,
        )

    @property
    def target(self) -> Target:
        """What was asked for."""
        kept = self.kept
        return Target(
            kept.source_id,
            kept.canonical_url,
            kept.url,
            kept.lane,
            id=kept.target_id,
            params=kept.params or {},
        )


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
        good=_read_as(good, good_reading),
        bad=_read_as(bad, bad_reading),
        is_same_target=is_same,
        reasons=dict(pages.reasons),
        failing_field=field_in(reason, details),
        failing_selector=selector_in(details),
        complaint=f"{reason}: {details}" if reason else "",
        remarks=(*_remarks(good, bad, good_reading, bad_reading, is_same=is_same), *hoped.remarks),
        places=places,
        differences=_differences(site, before, now),
        likeness_percent=comparing.likeness_percent(before, now) if before and now else None,
        expected=hoped.expected,
        doubts=hoped.doubts,
        general=said_of(second) if second is not None else "",
        proof=_proof(site, bad, places, expected=hoped.expected, read=read),
    )


def said_of(reading: Reading | None) -> str:
    """Return in one line what a reading came to."""
    if reading is None:
        return ""
    if isinstance(reading, Unreadable):
        return f"unreadable: {reading.reason.value}: {reading.details}"[:300]
    said = record_of(reading)
    return "; ".join(f"{name} = {value}" for name, value in list(said.items())[:8])[:300]


def as_expected(reading: Reading, expected: Mapping[str, Any]) -> bool:
    """Whether a reading says what a fixture asks for."""
    if expected["outcome"] == "unreadable":
        return isinstance(reading, Unreadable) and reading.reason.value == expected["reason"]
    said = record_of(reading)
    return isinstance(reading, Extraction) and all(
        said.get(name) == v for name, v in expected["record"].items()
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


def _read_as(exhibit: Exhibit | None, reading: Reading | None) -> ReadAs | None:
    if exhibit is None or reading is None:
        return None
    kept = exhibit.kept
    then = ": ".join(each for each in (kept.state, kept.reason, kept.details) if each)
    return ReadAs(
        kept.job_id, kept.run_id, kept.source_id, kept.url, kept.ended_at, kept.sha256, len(exhibit.body),
        then=then[:500], then_version=kept.site_version, now=said_of(reading), record=record_of(reading),
    )  # fmt: skip


def _remarks(
    good: Exhibit | None,
    bad: Exhibit | None,
    read_well: Reading | None,
    read_badly: Reading | None,
    *,
    is_same: bool,
) -> list[str]:
    if bad is None:
        return ["No bad page is on record: nothing this site reads is broken now, or no page of it is kept."]
    if good is None:
        return ["No good page is on record: there is nothing to compare the bad page with."]
    said = []
    if not is_same:
        said.append("The two pages are of different targets: no target was read well before and badly after.")
    if good.kept.sha256 == bad.kept.sha256:
        said.append("Both pages are the same bytes: the site did not change, our reading of it did.")
    if isinstance(read_well, Unreadable):
        said.append(
            "The present version cannot read the good page either: it is not the version that read it."
        )
    return said


def _proof(
    site: Site,
    bad: Exhibit | None,
    places: tuple[PlaceFinding, ...],
    *,
    expected: Mapping[str, Any] | None,
    read: Read,
) -> Proof | None:
    """Return what the page reads as with every lost place moved; None when there is nothing to try."""
    moved = {
        each.name: first.where
        for each in places
        if each.is_lost
        and (first := next((c for c in each.candidates if c.way == each.way), None)) is not None
    }
    if not moved or bad is None or not isinstance(site.page_model, Mendable):
        return None
    mended = replace(site, page_model=site.page_model.moved(moved))
    reading = read(mended, bad.page, bad.target)
    return Proof(moved, said_of(reading), expected is not None and as_expected(reading, expected))
