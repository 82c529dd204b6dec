"""Who takes part right now: the domains that are described, whose source may be visited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
                _log.info("domains_read", domains=[each.domain_id for each in descriptors])
        except ConfigError as wrong:
            # A file saved half-way must not stop what is being watched: what was read before holds.
            _log.error("domains_not_read", message=str(wrong), fix=wrong.fix)

    def _domain(self, descriptor: DomainAdapterDescriptor) -> Domain | None:
        try:
            source = self.catalogue.get(descriptor.source)
            check_source(source)
        except (SourceRefused, UnknownSource):
            return None
        site = self.sites.get(descriptor.adapter)
        return Domain(descriptor, self.table.adapter(descriptor.domain_id), source, site)
