"""What the pages read as: then, now, and with every lost place moved to where it probably went."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from limpet.extract import Extraction, Site, Unreadable
from limpet.extract.places import Mendable
from limpet.fetch.page import Page
from limpet.observe.repair.exhibit import Exhibit
from limpet.observe.repair.expecting import Reading, record_of
from limpet.observe.repair.findings import PlaceFinding, Proof, ReadAs
from limpet.observe.repair.inert import without_secrets
from limpet.target import Target

Read = Callable[[Site, Page, Target], Reading]


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


def read_as(exhibit: Exhibit | None, reading: Reading | None) -> ReadAs | None:
    """Return what was made of a page then, and what is made of it now."""
    if exhibit is None or reading is None:
        return None
    kept = exhibit.kept
    then = ": ".join(each for each in (kept.state, kept.reason, kept.details) if each)
    return ReadAs(
        kept.job_id, kept.run_id, kept.source_id, without_secrets(kept.url), kept.ended_at, kept.sha256,
        len(exhibit.body),
        then=then[:500], then_version=kept.site_version, now=said_of(reading), record=record_of(reading),
    )  # fmt: skip


def remarks_on(
    good: Exhibit | None,
    bad: Exhibit | None,
    read_well: Reading | None,
    *,
    is_same: bool,
) -> list[str]:
    """Say in sentences what the pair of pages is, and is not."""
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


def proof_of(
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
