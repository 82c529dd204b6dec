"""Reads recorded pages again with today's adapters and rules. It knows no way to the network: only the ledger."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import Connection

from limpet.engine.app import App, Rereading
from limpet.engine.comparing import Change, Reading, Reread, Standing, compare
from limpet.engine.offline import read_and_judge
from limpet.engine.reread_report import RereadReport
from limpet.errors import SnapshotDamaged, UsageError
from limpet.extract.registry import SiteRegistry
from limpet.extract.site import Site
from limpet.record import rereadings
from limpet.record.ledger import Ledger
from limpet.record.pack_locks import reading_many
from limpet.record.recorded_pages import PageWish, RecordedPage, count_pages, page_of, recorded_pages
from limpet.record.rereadings import NewReading
from limpet.source import Source
from limpet.target import Outcome
from limpet.validate import Circumstances

_MOST_CLAIMS = 100_000
_IMPROVED = frozenset({Change.NEWLY_READABLE, Change.CHANGED})


@dataclass(slots=True)
class Rereader:
    """Holds today's reading of each page against what is in force of it."""

    ledger: Ledger
    app: App
    sites: SiteRegistry
    sources: Mapping[str, Source]
    at_once: int = 100  # pages in one read and one write: what memory holds, and what a kill may cost
    _claims: OrderedDict[tuple[int, str], int] = field(default_factory=OrderedDict)

    async def report(
        self,
        wish: PageWish,
        *,
        limit: int | None = None,
        errand: rereadings.Rereading | None = None,
        with_losses: bool = False,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> RereadReport:
        """Read every page wished for and say what changed; with an errand, write down what did.

        A page that was readable and is no more keeps what was read from it, unless losses are asked for: an adapter
        mended for today's pages need not know those of last year.
        """
        self._refuse_if_it_cannot_be(errand)
        report = RereadReport(self.app.name)
        written = _IMPROVED | {Change.NO_LONGER_READABLE} if with_losses else _IMPROVED
        total = await self.ledger.read(partial(count_pages, wish=wish))
        total = total if limit is None else min(limit, total)
        on_progress(0, total)
        async for part in self._in_parts(wish, total):
            report.add(part)
            if errand is not None:
                report.recorded += await self._write(
                    [each for each in part if each.change in written], errand
                )
            on_progress(report.pages, total)
        if report.recorded and self.app.after_run is not None:
            while await self.ledger.write(partial(self.app.after_run, now=self.ledger.clock.now())):
                pass
        report.runs = dict(errand.runs) if errand is not None else {}
        return report

    def reread(self, connection: Connection, pages: Sequence[RecordedPage]) -> list[Reread]:
        """Read these pages again; a body that is gone is a result too."""
        standing = self.rereading.standing(connection, pages)
        return [self._reread(connection, page, standing[page.job_id]) for page in pages]

    @property
    def rereading(self) -> Rereading:
        """The app's own memory of what was read, or a refusal that says why there is none."""
        if self.app.rereading is None:
            raise UsageError(
                f"Recorded pages of {self.app.name!r} cannot be read again: {self.app.not_reread_because}",
                fix="`limpet reextract prices` and `limpet reextract dockets` can.",
            )
        return self.app.rereading

    def _refuse_if_it_cannot_be(self, errand: rereadings.Rereading | None) -> None:
        assert self.rereading is not None
        if errand is not None and self.app.rewrite is None:
            said = f"What {self.app.name!r} has recorded can be compared with today's reading, but not rewritten."
            raise UsageError(said, fix="Leave --apply out.")

    async def _in_parts(self, wish: PageWish, total: int) -> AsyncIterator[list[Reread]]:
        after = done = 0
        while done < total:
            size = min(self.at_once, total - done)
            pages = await self.ledger.read(partial(recorded_pages, wish=wish, after=after, limit=size))
            if not pages:
                return
            after, done = pages[-1].job_id, done + len(pages)
            with reading_many(self.ledger.data_dir):  # retention removes no pack under us
                part = await self.ledger.read(partial(self.reread, pages=pages))
            yield part

    def _reread(self, connection: Connection, recorded: RecordedPage, before: Standing) -> Reread:
        source = self.sources[recorded.target.source_id]
        site = self.sites.get(source.site)
        try:
            after, record = self._read(connection, recorded, before, source=source, site=site)
        except SnapshotDamaged as gone:
            lost = Reading(before.reading.outcome, before.reading.reason, details=str(gone))
            return Reread(recorded, Change.NOT_KEPT, before, lost, site_id=site.id, site_version=site.version)
        change = compare(before, after, version=site.version)
        return Reread(recorded, change, before, after, record, site.id, site.version)

    def _read(
        self, connection: Connection, recorded: RecordedPage, before: Standing, *, source: Source, site: Site
    ) -> tuple[Reading, object]:
        page = page_of(connection, self.ledger.snapshots, recorded, observed_at=before.observed_at)
        first = partial(self._is_first, connection, recorded)
        circumstances = Circumstances(source, recorded.target, now=page.fetched_at, first_in_run=first)
        (outcome, reason, details), record = read_and_judge(site, page, self.app, circumstances)
        facts = self.rereading.facts(record) if outcome is Outcome.SUCCEEDED else None
        return Reading(outcome, reason, facts, details), record

    def _is_first(self, connection: Connection, recorded: RecordedPage, identity: str) -> bool:
        """Two addresses of one product still give one observation per run: the run the pages came from."""
        key = (recorded.run_id, identity)
        if self._claims.get(key, recorded.job_id) != recorded.job_id:
            return False
        if not self.rereading.is_first(connection, recorded, identity):
            return False
        self._claims[key] = recorded.job_id
        if len(self._claims) > _MOST_CLAIMS:
            self._claims.popitem(last=False)
        return True

    async def _write(self, chosen: Sequence[Reread], errand: rereadings.Rereading) -> int:
        if not chosen:
            return 0
        now = self.ledger.clock.now()
        known = dict(errand.runs)

        def write(connection: Connection) -> int:
            errand.runs = dict(known)  # a transaction that is tried again begins as it did
            made = rereadings.put_readings(connection, errand, [_row(each) for each in chosen], now=now)
            by_origin = {each.page.job_id: each for each in chosen}
            assert self.app.rewrite is not None
            self.app.rewrite(connection, {job: by_origin[origin] for origin, job in made.items()}, now=now)
            return len(made)

        return await self.ledger.write(write)


async def rereader_for(
    app: App, ledger: Ledger, sites: SiteRegistry, configured: Iterable[Source]
) -> Rereader:
    """Return who reads the app's pages again; a source that is no longer configured is as it was last known."""
    sources = {source.id: source for source in await ledger.sources()}
    return Rereader(ledger, app, sites, sources | {source.id: source for source in configured})


def sources_meant(
    app: App,
    sources: Iterable[Source],
    sites: SiteRegistry,
    *,
    source_id: str | None = None,
    site_id: str | None = None,
) -> tuple[str, ...]:
    """Return the sources of the app whose pages are meant; one whose adapter is gone cannot be read.

    Raise UsageError or UnknownSite when what was named leads to none.
    """
    if site_id is not None:
        sites.get(site_id)
    chosen = [
        each
        for each in sources
        if each.app == app.name and source_id in (None, each.id) and site_id in (None, each.site)
    ]
    if source_id is not None and chosen:
        sites.get(chosen[0].site)
    if not chosen and (source_id or site_id):
        named = f"source {source_id!r}" if source_id else f"site {site_id!r}"
        raise UsageError(
            f"No source of {app.name!r} goes with {named}.", fix="`limpet list sources` names them."
        )
    known = set(sites.list())
    return tuple(each.id for each in chosen if each.site in known)


def _row(each: Reread) -> NewReading:
    page, after = each.page, each.after
    return NewReading(
        origin=page.job_id,
        origin_run=page.run_id,
        newest_job=each.before.newest_job,
        target_id=page.target.id,
        source_id=page.target.source_id,
        lane=page.target.lane,
        outcome=after.outcome,
        reason=after.reason,
        details=after.details,
        snapshot=page.snapshot,
        site_id=each.site_id,
        site_version=each.site_version,
    )
