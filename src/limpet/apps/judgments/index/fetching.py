"""Asks for an index: the CSV conditionally and straight to the disk, a listing page turned into CSV of our own."""

from __future__ import annotations

import asyncio
import csv
import io
from dataclasses import dataclass
from datetime import datetime

from limpet.apps.judgments.court.court import Court
from limpet.apps.judgments.court.listing import listed_rows
from limpet.clock import Clock
from limpet.extract.site import PlainWay
from limpet.fetch.filing import DraftFile, StoredArtefact
from limpet.fetch.page import Page
from limpet.fetch.policy.retry import PAGES, RetryPolicy, persist
from limpet.source import Source
from limpet.target import Validators

_KIND = "csv"


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The origin says that what we hold is what it has."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An index on the disk, under a temporary name until somebody wants to keep it."""

    draft: DraftFile
    validators: Validators
    fetched_at: datetime

    def keep(self, source: str) -> StoredArtefact:
        """Give it its name: source, moment, hash."""
        key = f"{source}_{self.fetched_at:%Y%m%d_%H%M%S}_{self.draft.sha256[:8]}".upper()
        return self.draft.finish(key=key)


@dataclass(frozen=True, slots=True)
class IndexDesk:
    """Where an index is asked for."""

    way: PlainWay
    court: Court
    source: Source
    clock: Clock
    retry: RetryPolicy = PAGES

    @property
    def url(self) -> str:
        """The index's address."""
        return self.court.index_url(self.source)

    async def ask(self, validators: Validators) -> Unchanged | Fetched:
        """Return the index, or that it has not changed; raise the FetchError that says why there is none."""
        fetch = self._csv if self.court.has_csv else self._listing

        async def attempt(_number: int) -> Unchanged | Fetched:
            draft = self.way.store.draft(_KIND, self.source.id, suffix=".csv", media_type="text/csv")
            try:
                return await fetch(draft, validators)
            except BaseException:
                draft.discard()
                raise

        return await persist(attempt, self.retry, self.clock)

    async def _csv(self, draft: DraftFile, validators: Validators) -> Unchanged | Fetched:
        page = await self.way.pour(self.url, draft, validators=validators, kind="index")
        if page.is_unmodified:
            draft.discard()
            return Unchanged()
        return self._fetched(
            draft, page, Validators(page.headers.get("etag"), page.headers.get("last-modified"))
        )

    async def _listing(self, draft: DraftFile, _validators: Validators) -> Fetched:
        """A page changes with every nonce on it: only what it lists is kept, so that the same list is the same."""
        page = await self.way.get(self.url, kind="index")
        rows = await asyncio.to_thread(listed_rows, page, self.court.button)
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\r\n").writerows(rows)
        draft.write(out.getvalue().encode("utf-8", "surrogatepass"))
        return self._fetched(draft, page, Validators())

    @staticmethod
    def _fetched(draft: DraftFile, page: Page, validators: Validators) -> Fetched:
        return Fetched(draft, validators, page.fetched_at)
