"""A source: one site we are approved to visit, and the terms of the visit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from limpet.source.switch import Switch

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a registrable domain may be asked; the defaults are deliberately slow."""

    requests_per_second: float | None = 0.5
    min_delay_seconds: float = 2.0
    jitter: float = 0.2
    max_concurrent: int = 1
    rest_after: int = 0  # requests until a longer rest; zero: never
    rest_seconds: float = 60.0

    @property
    def is_unlimited(self) -> bool:
        """True when nothing spaces requests; for machines of our own, never for somebody's site."""
        return not self.requests_per_second and self.min_delay_seconds <= 0

    @property
    def spacing_seconds(self) -> float:
        """The smallest allowed distance between two requests, before jitter."""
        per_rate = 1.0 / self.requests_per_second if self.requests_per_second else 0.0
        return max(per_rate, self.min_delay_seconds)


@dataclass(frozen=True, slots=True)
class Terms:
    """The review that allows us in: who read the site's terms, and when."""

    reviewed_at: datetime | None = None
    approved_by: str | None = None
    notes: str = ""

    @property
    def are_approved(self) -> bool:
        return self.reviewed_at is not None and bool(self.approved_by)


@dataclass(frozen=True, slots=True)
class Retention:
    """How long what we noted about a source is kept. None: as the house keeps it; zero: for ever."""

    pages_days: float | None = None
    keep_last_pages: int | None = None  # of every target, however old they are
    requests_days: float | None = None
    attempts_days: float | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A site we are approved to visit. `hosts` is the whole of the web this source may touch."""

    id: str
    app: str
    site: str
    hosts: tuple[str, ...]
    name: str = ""
    enabled: bool = True
    disabled_reason: str | None = None
    terms: Terms = field(default_factory=Terms)
    pace: Pace = field(default_factory=Pace)
    obey_robots: bool = True
    robots_compliant: bool = True
    fetcher: Literal["http", "browser"] = "http"
    http_only: bool = False
    allow_private_addresses: bool = False
    user_agent: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    patience_seconds: float = 30.0
    max_bytes: int = 10 * MEBIBYTE
    max_redirects: int = 5
    schedule: str | None = None
    load_images: bool = False
    base_url: str = ""  # where the site stands, when that is not where its adapter expects it
    options: Mapping[str, Any] = field(default_factory=dict)  # what its app lets people choose
    retention: Retention = field(default_factory=Retention)
    switch: Switch | None = None  # off at runtime, whatever the configuration says

    @property
    def home(self) -> str:
        """Where its addresses begin, without a slash at the end: for apps that make them by themselves."""
        own = f"{'http' if self.http_only else 'https'}://{self.hosts[0].removeprefix('*.')}"
        return (self.base_url or own).rstrip("/")

    def covers(self, host: str) -> bool:
        """Whether the host is on the allow-list; `*.example.com` covers every name below example.com."""
        host = host.lower().rstrip(".")
        return any(
            host == allowed or (allowed.startswith("*.") and host.endswith(allowed[1:]))
            for allowed in self.hosts
        )
