"""Every way a server can misbehave, by name.

`BEHAVIOURS` maps each name to one sentence; `TABLE` holds what it does and which options it takes. A new
one is a function with a docstring under `@behaviour()` in the family it belongs to. What only one site can get
wrong is entered by that site, `@behaviour(at="court")`, and stands in `TABLE` alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Each family enters its behaviours into the table when it is imported.
from tidepool.faults import (
    blocked,
    connection,
    content,
    drift,
    headers,
    redirects,
    robots,
    size,
    slowness,
    status,
)
from tidepool.faults.behaviour import TABLE, Behaviour, Exchange
from tidepool.faults.switchboard import Rule, Switchboard, UnknownFault

FAMILIES = (slowness, status, connection, headers, size, content, blocked, drift, redirects, robots)

BEHAVIOURS: Mapping[str, str] = MappingProxyType(
    {name: known.sentence for name, known in TABLE.items() if known.at is None}
)

__all__ = ["BEHAVIOURS", "FAMILIES", "TABLE", "Behaviour", "Exchange", "Rule", "Switchboard", "UnknownFault"]
