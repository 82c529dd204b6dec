"""Three clocks per source: last attempt, last successful fetch, last change.

One clock cannot tell a quiet site from a dead one. The grade uses the fetch clock: a page that answers and
does not change is no outage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, select

from limpet.fetch.outcome import FetchOutcome
from limpet.record.log_tables import requests
from limpet.source import Source
from limpet.target.address import lane_of_host

GAVE_A_PAGE = (FetchOutcome.OK.value, FetchOutcome.NOT_MODIFIED.value)
_NOT_A_PAGE = "robots"


@dataclass(frozen=True, slots=True)
class Clocks:
    """When we last asked, when a page last came, and when what came was last new."""

    last_attempt_at: datetime | None = None
    last_fetch_at: datetime | None = None
    last_change_at: datetime | None = None

    def fetch_age_seconds(self, now: datetime) -> float | None:
        """Return how old the last fetched page is; None when there never was one."""
        return None if self.last_fetch_at is None else max(0.0, (now - self.last_fetch_at).total_seconds())


def lanes_of(source: Source) -> tuple[str, ...]:
    """Return the registrable domains the source's requests are charged to."""
    return tuple(dict.fromkeys(lane_of_host(host.removeprefix("*.")) for host in source.hosts))


def read_clocks(
    connection: Connection, sources: Iterable[Source], *, changes: Mapping[str, datetime] | None = None
) -> dict[str, Clocks]:
    """Return the clocks of each source, by its id; `changes` comes from `LastChanges`."""
    found = {}
    for source in sources:
        attempt, fetch = _newest_requests(connection, source)
        found[source.id] = Clocks(attempt, fetch, (changes or {}).get(source.id))
    return found


def _newest_requests(connection: Connection, source: Source) -> tuple[datetime | None, datetime | None]:
    """Return when we last asked, and when a page last came."""
    attempts, fetches = [], []
    for lane in lanes_of(source):
        newest = connection.execute(_backwards(source, lane)).one_or_none()
        if newest is None:
            continue
        attempts.append(newest.started_at)
        if newest.kind == _NOT_A_PAGE or newest.outcome not in GAVE_A_PAGE:
            # Walk back to the last page that came: one step more when all is well, more when it is not.
            gave_a_page = requests.c.kind != _NOT_A_PAGE, requests.c.outcome.in_(GAVE_A_PAGE)
            newest = connection.execute(_backwards(source, lane).where(*gave_a_page)).one_or_none()
        fetches += [newest.started_at] if newest is not None else []
    return max(attempts, default=None), max(fetches, default=None)


def _backwards(source: Source, lane: str) -> Select[Any]:
    return (
        select(requests.c.started_at, requests.c.kind, requests.c.outcome)
        .where(requests.c.domain == lane, requests.c.source_id == source.id)
        .order_by(requests.c.started_at.desc())
        .limit(1)
    )
