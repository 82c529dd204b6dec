"""A kept page with its bytes: as it came, as far as the ledger remembers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from limpet.fetch.page import Page
from limpet.record.broken_pages import KeptPage
from limpet.target import Target

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
