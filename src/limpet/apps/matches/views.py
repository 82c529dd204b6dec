"""What the ledger says about matches, for the portal, the command line and a monitor that starts again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, func, select

from limpet.apps.matches.ball_log import Found, KeptBall
from limpet.apps.matches.balls import BallEvent, BallKey, ExtraKind
from limpet.apps.matches.card_log import KeptCard
from limpet.apps.matches.snapshot import CachedSnapshot
from limpet.apps.matches.tables import (
    live_match_data,
    match_balls,
    match_conflicts,
    match_monitors,
    match_scorecards,
    matches,
)


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match in a list."""

    match_id: str
    domain_id: str
    title: str
    status: str
    state: str
    start_time: datetime | None
    sequence_number: int
    last_scraper_update: datetime | None
    scraper_status: str
    created_at: datetime


_LATEST_NEWS = 500
_LINE = [matches.c[name] for name in MatchLine.__slots__]


def list_matches(
    connection: Connection, *, state: str | None = None, after: str = "", limit: int = 500
) -> list[MatchLine]:
    """Return matches by id; those put away only when asked for."""
    question = select(*_LINE).where(matches.c.match_id > after).order_by(matches.c.match_id).limit(limit)
    question = question.where(matches.c.state == state) if state else question.where(_IS_NOT_PUT_AWAY)
    return [MatchLine(**row._mapping) for row in connection.execute(question)]


_IS_NOT_PUT_AWAY = matches.c.state != "archived"


def get_match(connection: Connection, match_id: str) -> MatchLine | None:
    """Return one match by our id or by that of any source that shows it."""
    ours = resolve_id(connection, match_id)
    row = connection.execute(select(*_LINE).where(matches.c.match_id == ours)).one_or_none()
    return MatchLine(**row._mapping) if row else None


def resolve_id(connection: Connection, match_id: str) -> str:
    """Return our id of a match; a source's id, or its bare key, leads there too."""
    by_source = select(match_monitors.c.match_id).where(match_monitors.c.monitor_id == match_id)
    by_key = select(match_monitors.c.match_id).where(match_monitors.c.match_key == match_id).limit(1)
    found = connection.execute(by_source).scalar() or connection.execute(by_key).scalar()
    return str(found or match_id)


def latest_snapshot(connection: Connection, match_id: str) -> CachedSnapshot | None:
    """Return the last good snapshot."""
    found = snapshots_after(connection, match_id, after=-1, limit=1, newest_first=True)
    return found[0] if found else None


def newest_news(connection: Connection) -> dict[str, datetime]:
    """Return when each source last told something new, as far as it is among the latest snapshots."""
    rows = live_match_data.c
    latest = select(rows.domain_id, rows.created_at).order_by(rows.id.desc()).limit(_LATEST_NEWS)
    found: dict[str, datetime] = {}
    for domain_id, created_at in connection.execute(latest):
        found.setdefault(domain_id, created_at)
    return found


def snapshots_after(
    connection: Connection, match_id: str, *, after: int, limit: int = 500, newest_first: bool = False
) -> list[CachedSnapshot]:
    """Return snapshots above a sequence number, in order."""
    order = live_match_data.c.sequence_number
    question = (
        select(live_match_data)
        .where(live_match_data.c.match_id == match_id, order > after)
        .order_by(order.desc() if newest_first else order)
        .limit(limit)
    )
    return [_snapshot(row) for row in connection.execute(question)]


def snapshot_at(connection: Connection, match_id: str, sequence: int) -> CachedSnapshot | None:
    """Return the snapshot of exactly that number."""
    found = snapshots_after(connection, match_id, after=sequence - 1, limit=1)
    return found[0] if found and found[0].sequence_number == sequence else None


def balls_of(
    connection: Connection, match_id: str, *, innings: int | None = None, history: bool = False
) -> list[dict[str, Any]]:
    """Return the balls in the order of play: as they stand now, or with every version there ever was."""
    order = (match_balls.c.innings, match_balls.c.over, match_balls.c.delivery, match_balls.c.version)
    question = select(match_balls).where(match_balls.c.match_id == match_id).order_by(*order)
    if innings is not None:
        question = question.where(match_balls.c.innings == innings)
    rows = [dict(row._mapping) for row in connection.execute(question)]
    if history:
        return rows
    newest = {(row["innings"], row["over"], row["delivery"]): row for row in rows}
    return [row for row in newest.values() if row["found"] != Found.WITHDRAWN.value]


def kept_balls(connection: Connection, match_id: str) -> list[KeptBall]:
    """Return every version of every ball, newest version last."""
    return [_kept_ball(row) for row in balls_of(connection, match_id, history=True)]


def kept_cards(connection: Connection, match_id: str) -> list[KeptCard]:
    """Return the newest scorecard of each innings."""
    newest = (
        select(match_scorecards.c.innings, func.max(match_scorecards.c.version).label("version"))
        .where(match_scorecards.c.match_id == match_id)
        .group_by(match_scorecards.c.innings)
        .subquery()
    )
    same = and_(
        match_scorecards.c.innings == newest.c.innings, match_scorecards.c.version == newest.c.version
    )
    question = select(match_scorecards).join(newest, same).where(match_scorecards.c.match_id == match_id)
    return [
        KeptCard(row.innings, row.version, row.card, row.changes, row.domain_id)
        for row in connection.execute(question.order_by(match_scorecards.c.innings))
    ]


def monitors_of(connection: Connection, match_id: str | None = None) -> list[dict[str, Any]]:
    """Return how matches are watched: one row per source that shows them."""
    question = select(match_monitors).order_by(match_monitors.c.monitor_id)
    if match_id is not None:
        question = question.where(match_monitors.c.match_id == match_id)
    return [dict(row._mapping) for row in connection.execute(question)]


def conflicts_of(connection: Connection, match_id: str, *, limit: int = 100) -> list[dict[str, Any]]:
    """Return where sources disagreed, newest first."""
    question = select(match_conflicts).where(match_conflicts.c.match_id == match_id)
    rows = connection.execute(question.order_by(match_conflicts.c.id.desc()).limit(limit))
    return [dict(row._mapping) for row in rows]


def _snapshot(row: Row[Any]) -> CachedSnapshot:
    return CachedSnapshot(
        match_id=row.match_id,
        domain_id=row.domain_id,
        normalized_payload=row.normalized_payload,
        created_at=row.created_at,
        sequence_number=row.sequence_number,
        provenance=row.provenance,
        checksum=row.checksum,
        scraper_id=row.scraper_id or "",
        update_latency_ms=row.update_latency_ms,
    )


def _kept_ball(row: Mapping[str, Any]) -> KeptBall:
    event = BallEvent(
        key=BallKey(row["innings"], row["over"], row["delivery"]),
        ball=row["ball"],
        runs=row["runs"],
        legal_balls=row["legal_balls"],
        extras=row["extras"],
        extra_kind=ExtraKind(row["extra_kind"]) if row["extra_kind"] else None,
        is_wicket=row["is_wicket"],
        text=row["outcome"],
    )
    return KeptBall(event, row["domain_id"], row["version"], Found(row["found"]))
