"""What the egress guard asks of the one way to the network, and what it gets back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from limpet.fetch.trail import Trail
from limpet.source import Source


@dataclass(frozen=True, slots=True)
class Answer:
    """One origin's answer to one request; the body is already decoded, redirects are not followed."""

    status: int
    reason: str
    headers: Sequence[tuple[str, str]]
    body: bytes

    @property
    def header_map(self) -> dict[str, str]:
        """The headers by lower-case name; of repeated ones the last is kept."""
        return {name.lower(): value for name, value in self.headers}

    @property
    def media_type(self) -> str:
        """The media type without its parameters, in lower case; empty when the origin sent none."""
        return self.header_map.get("content-type", "").partition(";")[0].strip().lower()


class Forward(Protocol):
    """The one way to the network: every gate, then the request, for exactly one hop."""

    async def __call__(  # noqa: PLR0917 - the order is that of a request on the wire
        self, source: Source, method: str, url: str, headers: Mapping[str, str], body: bytes, trail: Trail
    ) -> Answer:
        """Return the origin's answer, or raise a FetchError that says which gate or failure stood between."""
        ...
