"""A page: the bytes an origin answered with, and how they came."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from limpet.fetch.filing import StoredArtefact


class Page(Struct, frozen=True):
    """One answer. `url` is what was asked for, `final_url` where the answer came from after redirects."""

    url: str
    final_url: str
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes
    fetched_at: datetime
    elapsed_ms: float = 0.0
    fetcher: str = "http"
    redirects: tuple[str, ...] = ()
    files: tuple[StoredArtefact, ...] = ()  # what was kept of it; `body` is then its beginning

    @property
    def is_unmodified(self) -> bool:
        """True when the origin said 304: what we hold is still what it serves."""
        return self.status == 304

    @property
    def media_type(self) -> str:
        """The media type without its parameters, in lower case; empty when the origin sent none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()
