"""Who takes part right now: the domains that are described, whose source may be visited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import structlog

from limpet.apps.matches.adapter import DomainAdapterDescriptor
from limpet.apps.matches.domains import DomainTable
from limpet.apps.matches.monitor.domain import Domain
from limpet.errors import ConfigError, SourceRefused, UnknownSource
from limpet.extract.registry import SiteRegistry
from limpet.source.catalogue import Catalogue, check_source

_log = structlog.get_logger("limpet.matches")


@dataclass(slots=True)
class RollCall:
    """Calls the roll each time it is asked: a file that changed, a switch that was thrown are heard at once."""

    table: DomainTable
    catalogue: Catalogue
    sites: SiteRegistry
    changed: Callable[[], Sequence[DomainAdapterDescriptor] | None] = lambda: None

    def __call__(self) -> Sequence[Domain]:
        """Return the domains that take part, the most believed first."""
        self._read_again()
        called = (self._domain(descriptor) for descriptor in self.table.enabled())
        return [domain for domain in called if domain is not None]

    def _read_again(self) -> None:
        try:
            descriptors = self.changed()
            if descriptors is not None:
                self.table.replace(descriptors)
                _log.info("domains_read", domains=[each.domain_id for each in self.table.enabled()])
        except ConfigError as wrong:
            # A file saved half-way must not stop what is being watched: what was read before holds.
            _log.error("domains_not_read", message=str(wrong), fix=wrong.fix)

    def _domain(self, descriptor: DomainAdapterDescriptor) -> Domain | None:
        try:
            source = self.catalogue.get(descriptor.source)
            check_source(source)
        except (SourceRefused, UnknownSource):  # its grade says so; an unknown one may only be switched off
            return None
        site = self.sites.get(descriptor.adapter)
        return Domain(descriptor, self.table.adapter(descriptor.domain_id), source, site)


def refuse_unknown_sources(
    descriptors: Iterable[DomainAdapterDescriptor], catalogue: Catalogue, *, place: str
) -> None:
    """Raise ConfigError for a domain that is switched on and has no source: it would be watched by nobody."""
    ours = [source.id for source in catalogue.list(app="matches")]
    for each in descriptors:
        if each.enabled and each.source not in ours:
            said = f"{place}: the domain {each.domain_id!r} names no known source: {each.source!r}."
            raise ConfigError(said, fix=_suggestion(each.source, ours))


def _suggestion(source_id: str, known: Sequence[str]) -> str:
    if near := get_close_matches(source_id, known, n=1):
        return (
            f"Did you mean {near[0]!r}? `source_id: {near[0]}` says so when the domain has a name of its own."
        )
    listed = ", ".join(known[:8]) or "none is configured yet"
    return f"Sources of matches: {listed}. Add it to limpet.toml, or write `enabled: false`."
