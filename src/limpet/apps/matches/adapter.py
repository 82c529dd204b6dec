"""What the monitor asks of a domain: which matches there are, and how one of them stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from limpet.apps.matches.record import BallEvent, DiscoveredMatch, MatchSnapshot
from limpet.extract.site import Getter


@dataclass(frozen=True, slots=True)
class RateLimitConfig:
    """How hard one domain may be asked (seed 004). The pace of its source holds in any case."""

    max_concurrent_contexts: int = 30  # requests at once
    min_interval_seconds: float = 0.5  # between two questions about the same match
    burst_allowance: int | None = None  # questions within a second, where it is stated


@dataclass(frozen=True, slots=True)
class DomainAdapterDescriptor:
    """How one domain takes part: on or off, how much it is believed, how hard it is asked.

    `adapter` is a registered id, never a dotted path: a config file must not be able to run code.
    """

    domain_id: str
    adapter: str
    enabled: bool = True
    precedence_weight: int = 50  # 0 to 100; higher wins when sources differ
    rate_limits: RateLimitConfig = field(default_factory=RateLimitConfig)
    source_id: str = ""  # the source whose terms, hosts and pace apply; the domain's own id when empty
    metadata: dict[str, Any] = field(default_factory=dict)  # base_url, api_url and the like

    @property
    def source(self) -> str:
        return self.source_id or self.domain_id


class DomainAdapter(Protocol):
    """One domain. It reaches the network by the way it is handed, bound to its source and a trail.

    A FetchError says that the domain could not be reached or refused; a CannotRead that its answer is no
    match. Neither is caught here: the monitor counts them.
    """

    @property
    def domain_id(self) -> str:
        """The name under which its matches are known."""
        ...

    async def discover(self, way: Getter) -> Sequence[DiscoveredMatch]:
        """Return every match the domain lists, live and coming."""
        ...

    async def fetch_match(
        self, match: DiscoveredMatch, way: Getter, *, with_card: bool = False
    ) -> MatchSnapshot:
        """Return how the match stands; with its scorecard when asked."""
        ...

    async def fetch_balls(self, match: DiscoveredMatch, way: Getter, *, innings: int) -> Sequence[BallEvent]:
        """Return every ball of an innings, for filling gaps; nothing when the domain keeps no such list."""
        ...
