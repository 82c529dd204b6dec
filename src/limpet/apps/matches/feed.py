"""Addresses people write down: the monitor finds matches by their sources' lists and needs none of them."""

from __future__ import annotations

from limpet.source import Source
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of


def target_of(source: Source, url: str) -> Target:
    """Return the target for an address of this source; raise BadAddress when it cannot be one."""
    address = canonicalize(url, http_only=source.http_only)
    return Target(source_id=source.id, address=address, url=url.strip(), lane=lane_of(address))
