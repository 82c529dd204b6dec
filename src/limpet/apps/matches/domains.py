"""The domains that take part: by registered id, on and off at runtime, in order of precedence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from limpet.apps.matches.adapter import DomainAdapter, DomainAdapterDescriptor, RateLimitConfig
from limpet.apps.matches.models.crex.memory import CrexMemory
from limpet.apps.matches.sites.crex import CrexAdapter
from limpet.apps.matches.sites.crex_browser import CrexBrowserAdapter
from limpet.apps.matches.sites.pavilion import PavilionAdapter
from limpet.clock import Clock
from limpet.errors import ConfigError
from limpet.source import Source


@dataclass(slots=True)
class Workshop:
    """What adapters are built with; the ways to one site share what they learn about it."""

    clock: Clock
    crex: dict[str, CrexMemory] = field(default_factory=dict)

    def crex_memory(self, descriptor: DomainAdapterDescriptor) -> CrexMemory:
        """Return the memory of the site at that address."""
        return self.crex.setdefault(str(descriptor.metadata.get("base_url", "")), CrexMemory())


Build = Callable[[DomainAdapterDescriptor, Workshop], DomainAdapter]

# A new adapter is one line here: what is not listed cannot be named in a config file.
ADAPTERS: Mapping[str, Build] = {
    "crex": lambda about, shop: CrexAdapter(about, shop.crex_memory(about), shop.clock),
    "crex_browser": lambda about, shop: CrexBrowserAdapter(about, shop.crex_memory(about)),
    "pavilion": lambda about, _: PavilionAdapter(about),
}


class DomainTable:
    """Every domain by its id. A change takes effect with the next question asked, without a restart."""

    def __init__(self, descriptors: Iterable[DomainAdapterDescriptor], *, clock: Clock) -> None:
        self._workshop = Workshop(clock)
        self._descriptors: dict[str, DomainAdapterDescriptor] = {}
        self._adapters: dict[str, tuple[DomainAdapterDescriptor, DomainAdapter]] = {}
        self._switched: dict[str, bool] = {}
        self.replace(descriptors)

    def replace(self, descriptors: Iterable[DomainAdapterDescriptor]) -> None:
        """Take over another configuration; what was switched by hand stays switched."""
        known = {descriptor.domain_id: descriptor for descriptor in descriptors}
        for descriptor in known.values():
            _refuse_unknown(descriptor)
        self._descriptors = known

    def known(self) -> list[DomainAdapterDescriptor]:
        """Return every domain as it stands now, the most believed first."""
        now = [
            replace(each, enabled=self._switched.get(each.domain_id, each.enabled))
            for each in self._descriptors.values()
        ]
        return sorted(now, key=lambda each: (-each.precedence_weight, each.domain_id))

    def enabled(self) -> list[DomainAdapterDescriptor]:
        """Return the domains that take part, the most believed first."""
        return [each for each in self.known() if each.enabled]

    def get(self, domain_id: str) -> DomainAdapterDescriptor:
        """Return a domain, or say which there are."""
        for each in self.known():
            if each.domain_id == domain_id:
                return each
        raise ConfigError(
            f"There is no domain {domain_id!r}.", fix=f"Known: {', '.join(self._descriptors) or 'none'}."
        )

    def switch(self, domain_id: str, *, enabled: bool) -> DomainAdapterDescriptor:
        """Turn a domain on or off from now on, whatever the configuration says."""
        self.get(domain_id)
        self._switched[domain_id] = enabled
        return self.get(domain_id)

    def adapter(self, domain_id: str) -> DomainAdapter:
        """Return the domain's adapter, built anew when its description has changed."""
        about = self._descriptors[self.get(domain_id).domain_id]
        held = self._adapters.get(domain_id)
        if held is None or held[0] != about:
            held = (about, ADAPTERS[about.adapter](about, self._workshop))
            self._adapters[domain_id] = held
        return held[1]


# -- config/sources.yaml, the border -----------------------------------------------------------------------


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _RateTable(_Strict):
    max_concurrent_contexts: int = Field(default=30, ge=1, le=500)
    min_interval_seconds: float = Field(default=0.5, ge=0, le=3600)
    burst_allowance: int | None = Field(default=None, ge=1, le=10_000)


class _SourceTable(_Strict):
    domain_id: str = Field(min_length=1, max_length=64, pattern=r"^[a-z0-9_\-]+$")
    adapter: str = ""
    enabled: bool = True
    precedence_weight: int = Field(default=50, ge=0, le=100)
    rate_limits: _RateTable = _RateTable()
    source_id: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)


class _File(_Strict):
    sources: list[_SourceTable] = Field(min_length=1)


def descriptors_from(tables: Mapping[str, Any], *, place: str) -> list[DomainAdapterDescriptor]:
    """Return the domains a sources file describes, or raise ConfigError naming the field at fault."""
    for entry in tables.get("sources") or () if isinstance(tables.get("sources"), list) else ():
        if isinstance(entry, dict) and "adapter_class" in entry:
            raise ConfigError(
                f"{place}: adapter_class names code, and a config file must not run code.",
                fix=f"Write `adapter: <id>` instead; known ids: {', '.join(ADAPTERS)}.",
            )
    try:
        file = _File.model_validate(tables)
    except ValidationError as wrong:
        raise _complaint(wrong.errors(include_url=False)[0], place) from None
    found = [_descriptor(table) for table in file.sources]
    _refuse_twice(found, place)
    for descriptor in found:
        _refuse_unknown(descriptor)
    return found


def descriptors_of(sources: Iterable[Source]) -> list[DomainAdapterDescriptor]:
    """Return a domain for each source of this app, for whoever wrote no sources file: the first is believed most."""
    ours = [source for source in sources if source.app == "matches"]
    return [
        DomainAdapterDescriptor(
            domain_id=source.id,
            adapter=source.site,
            enabled=source.enabled,
            precedence_weight=max(10, 100 - 20 * place),
            source_id=source.id,
            metadata={"base_url": f"{'http' if source.http_only else 'https'}://{source.hosts[0]}"},
        )
        for place, source in enumerate(ours)
    ]


def _complaint(error: ErrorDetails, place: str) -> ConfigError:
    field_name = ".".join(str(part) for part in error["loc"])
    if error["type"] != "extra_forbidden":
        return ConfigError(f"{place}: {field_name}: {error['msg']}.", fix="Correct that line.")
    known = _keys_beside(error["loc"])
    near = get_close_matches(str(error["loc"][-1]), known, n=1)
    fix = f"Did you mean {near[0]!r}?" if near else f"Known keys: {', '.join(known)}."
    return ConfigError(f"{place}: {field_name} is not a known key.", fix=fix)


def _keys_beside(location: tuple[int | str, ...]) -> list[str]:
    """Return the keys the table knows in which an unknown one stands."""
    tables: dict[int, type[BaseModel]] = {1: _File, 3: _SourceTable}  # by how deep it stands
    return list(tables.get(len(location), _RateTable).model_fields)


def _descriptor(table: _SourceTable) -> DomainAdapterDescriptor:
    return DomainAdapterDescriptor(
        domain_id=table.domain_id,
        adapter=table.adapter or table.domain_id,
        enabled=table.enabled,
        precedence_weight=table.precedence_weight,
        rate_limits=RateLimitConfig(**table.rate_limits.model_dump()),
        source_id=table.source_id,
        metadata=table.metadata,
    )


def _refuse_twice(descriptors: list[DomainAdapterDescriptor], place: str) -> None:
    ids = [each.domain_id for each in descriptors]
    twice = next((each for each in ids if ids.count(each) > 1), None)
    if twice is not None:
        raise ConfigError(f"{place}: the domain {twice!r} stands twice.", fix="Give each its own domain_id.")


def _refuse_unknown(descriptor: DomainAdapterDescriptor) -> None:
    if descriptor.adapter not in ADAPTERS:
        near = get_close_matches(descriptor.adapter, ADAPTERS, n=1)
        fix = f"Did you mean {near[0]!r}?" if near else f"Known ids: {', '.join(ADAPTERS)}."
        raise ConfigError(
            f"The domain {descriptor.domain_id!r} names no known adapter: {descriptor.adapter!r}.", fix=fix
        )
