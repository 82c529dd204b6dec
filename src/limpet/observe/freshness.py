"""Three clocks per source: last attempt, last successful fetch, last change.

One clock cannot tell a quiet site from a dead one. The grade uses the fetch clock: a page that answers and
does not change is no outage.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, select

from limpet.fetch.outcome import FetchOutcome
from limpet.record.log_tables import requests, snapshots
from limpet.record.tables import targets
from limpet.source import Source
from limpet.target.address import lane_of_host

_GAVE_A_PAGE = (FetchOutcome.OK.value, FetchOutcome.NOT_MODIFIED.value)
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


def read_clocks(connection: Connection, sources: Iterable[Source]) -> dict[str, Clocks]:
    """Return the three clocks of each source, by its id."""
    changes = _last_changes(connection)
    return {
        source.id: Clocks(
            last_attempt_at=_newest_request(connection, source),
            last_fetch_at=_newest_request(
                connection, source, requests.c.kind != _NOT_A_PAGE, requests.c.outcome.in_(_GAVE_A_PAGE)
            ),
            last_change_at=changes.get(source.id),
        )
        for source in sources
    }


def _newest_request(
    connection: Connection, source: Source, *conditions: ColumnElement[bool]
) -> datetime | None:
    """Walk each lane's requests backwards to the first that fits: one step when all is well."""
    found = []
    for lane in lanes_of(source):
        question = select(requests.c.started_at).where(
            requests.c.domain == lane, requests.c.source_id == source.id, *conditions
        )
        moment = connection.execute(question.order_by(requests.c.started_at.desc()).limit(1)).scalar()
        found += [moment] if moment is not None else []
    return max(found, default=None)


def _last_changes(connection: Connection) -> dict[str, datetime]:
    """Return when the newest body that a target of each source serves today was first seen."""
    question = (
        select(targets.c.source_id, func.max(snapshots.c.first_seen_at))
        .join_from(targets, snapshots, targets.c.last_snapshot == snapshots.c.sha256)
        .group_by(targets.c.source_id)
    )
    return {row[0]: row[1] for row in connection.execute(question)}
