"""Puts a repair bundle together from the ledger: which pages, what they say, and the files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from limpet.engine.journey import read
from limpet.errors import SnapshotDamaged, UnknownSite
from limpet.extract import Site
from limpet.extract.registry import SiteRegistry
from limpet.observe.repair import Exhibit, Findings, bundle_files, examine
from limpet.record.broken_pages import BrokenPages, KeptPage, broken_pages
from limpet.record.ledger import Ledger

# Who reads any page of an app by general rules, as a second opinion.
_GENERAL = {"prices": "auto"}


@dataclass(frozen=True, slots=True)
class Case:
    """A breakage: its pages, and the sites that read them."""

    pages: BrokenPages
    good: Exhibit | None
    bad: Exhibit | None
    site: Site
    general: Site | None

    def findings(self) -> Findings:
        """Return what the pages tell; takes a moment of the processor."""
        return examine(self.pages, self.good, self.bad, site=self.site, general=self.general, read=read)

    def files(self, findings: Findings) -> Mapping[str, bytes]:
        """Return the bundle, file by file."""
        return bundle_files(findings, self.good, self.bad, site=self.site, general=self.general, read=read)


async def open_case(
    ledger: Ledger, sites: SiteRegistry, site_id: str, *, source_id: str | None = None
) -> Case:
    """Return the breakage of a site as the ledger knows it; raises UnknownSite."""
    site = sites.get(site_id)
    pages = await ledger.read(partial(broken_pages, site_id=site_id, source_id=source_id))
    return Case(
        pages,
        await _exhibit(ledger, pages.good),
        await _exhibit(ledger, pages.bad),
        site,
        _general(sites, site),
    )


async def examined(case: Case) -> Findings:
    """Return the findings, without holding up anybody else meanwhile."""
    return await asyncio.to_thread(case.findings)


async def _exhibit(ledger: Ledger, kept: KeptPage | None) -> Exhibit | None:
    if kept is None:
        return None
    try:
        return Exhibit(kept, await ledger.read_snapshot(kept.sha256))
    except SnapshotDamaged:
        return None


def _general(sites: SiteRegistry, site: Site) -> Site | None:
    name = _GENERAL.get(site.app)
    if name is None or name == site.id:
        return None
    try:
        return sites.get(name)
    except UnknownSite:
        return None
