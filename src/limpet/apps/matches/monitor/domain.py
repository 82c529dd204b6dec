"""A domain as the monitor sees it: how it takes part, who reads it, and whose terms apply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from limpet.apps.matches.adapter import DomainAdapter, DomainAdapterDescriptor
from limpet.extract import Site
from limpet.source import Source


@dataclass(frozen=True, slots=True)
class Domain:
    """One domain that takes part now."""

    descriptor: DomainAdapterDescriptor
    adapter: DomainAdapter
    source: Source
    site: Site

    @property
    def id(self) -> str:
        return self.descriptor.domain_id

    @property
    def places(self) -> int:
        """How many of its matches may be asked at once; more would only queue at the source's own pace."""
        return max(
            1, min(self.descriptor.rate_limits.max_concurrent_contexts, self.source.pace.max_concurrent)
        )

    @property
    def needs_browser(self) -> bool:
        return self.site.requires_browser or self.source.fetcher == "browser"


class Domains(Protocol):
    """Who takes part; asked again and again, so that switching one on or off needs no restart."""

    def __call__(self) -> Sequence[Domain]:
        """Return the enabled domains, the most believed first."""
        ...
