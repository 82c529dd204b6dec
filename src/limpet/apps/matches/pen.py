"""The monitor's pen: writes what became known about matches, each piece in the ledger's own transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, insert, update

from limpet.apps.matches.ball_log import KeptBall
from limpet.apps.matches.card_log import KeptCard
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.monitor.watch import Board, Watch
from limpet.apps.matches.snapshot import CachedSnapshot
from limpet.apps.matches.tables import (
    live_match_data,
    match_balls,
    match_conflicts,
    match_monitors,
    match_scorecards,
    matches,
)
from limpet.record.storable import redact_url, storable, storable_json
from limpet.record.upserting import upsert
from limpet.validate.reconciliation import Conflict


@dataclass(frozen=True, slots=True)
class News:
    """What one visit brought: a new snapshot, balls, cards, disagreements - or some of them."""

    domain_id: str
    at: datetime
    snapshot: CachedSnapshot | None = None
    balls: Sequence[KeptBall] = ()
    cards: Sequence[KeptCard] = ()
    conflicts: Sequence[Conflict] = field(default=())

    def __bool__(self) -> bool:
        return bool(self.snapshot or self.balls or self.cards or self.conflicts)


@dataclass(frozen=True, slots=True)
class RowToPut:
    """A row that is made or renewed. Drawn up beside the event loop's work, written in the writer's thread."""

    table: Table
    known: dict[str, Any]  # set once
    values: dict[str, Any]


def write_news(connection: Connection, match_id: str, news: News, board: RowToPut) -> None:
    """Append what is new; the unique keys refuse a sequence number or a version that was there before."""
    if news.snapshot is not None:
        connection.execute(insert(live_match_data), [_snapshot_row(news.snapshot)])
        put(connection, [board])
    _append(connection, match_balls, [_ball_row(match_id, ball, news.at) for ball in news.balls])
    _append(connection, match_scorecards, [_card_row(match_id, card, news.at) for card in news.cards])
    _append(connection, match_conflicts, [_conflict_row(match_id, each, news.at) for each in news.conflicts])


def put(connection: Connection, rows: Sequence[RowToPut]) -> None:
    """Make or renew these rows."""
    for row in rows:
        key = [column.name for column in row.table.primary_key]
        upsert(connection, row.table, row.known | row.values, key=key, changes=row.values)


def board_row(board: Board, *, now: datetime, snapshot: CachedSnapshot | None = None) -> RowToPut:
    """Return how a match stands; with a snapshot that is about to become its latest."""
    latest = snapshot or board.latest
    payload = latest.normalized_payload if latest else {}
    values: dict[str, Any] = {
        "domain_id": latest.domain_id if latest else next(iter(board.watches), ""),
        "title": storable(str(payload.get("title") or board.title)),
        "status": str(payload.get("status") or board.status),
        "state": board.state.value,
        "start_time": board.start_time,
        "sequence_number": latest.sequence_number if latest else 0,
        "updated_at": now,
    }
    if snapshot is not None:
        values |= {"last_scraper_update": now, "data_freshness_seconds": 0, "scraper_status": "active"}
    return RowToPut(matches, {"match_id": board.match_id, "created_at": board.created_at}, values)


def watch_row(board: Board, watch: Watch, *, now: datetime) -> RowToPut:
    """Return how a match is watched at one source."""
    record, match = watch.record, watch.match
    values = {
        "match_id": board.match_id,
        "url": redact_url(match.url),
        "state": record.state.value,
        "priority_state": record.priority_state.word,
        "last_update_time": record.last_update_time,
        "consecutive_failure_count": record.consecutive_failure_count,
        "paused": record.paused,
        "pause_until": record.pause_until,
        "total_scrapes": record.total_scrapes,
        "total_failures": record.total_failures,
        "metadata": storable_json(_metadata(board, watch)),
        "updated_at": now,
    }
    known = {
        "monitor_id": watch.id,
        "domain_id": watch.domain.id,
        "match_key": storable(match.match_key),
        "created_at": record.created_at,
    }
    return RowToPut(match_monitors, known, values)


@dataclass(frozen=True, slots=True)
class Freshness:
    """How fresh a match is, for the columns people filter by."""

    match_id: str
    age_seconds: int
    scraper_status: str  # active, stale, stopped, error
    updated_at: datetime | None
    state: MatchState

    @classmethod
    def of(cls, board: Board, *, now: float, stale_after: float) -> Freshness:
        """Return it for one match; a pause is an error, what ended is stopped."""
        age = board.age_seconds(now)
        updates = [watch.record.last_update_time for watch in board.watches.values()]
        if board.state in (MatchState.COMPLETED, MatchState.ARCHIVED):
            status = "stopped"
        elif board.state is MatchState.PAUSED:
            status = "error"
        else:
            status = "stale" if board.is_live and age >= stale_after else "active"
        newest = max((moment for moment in updates if moment is not None), default=None)
        return cls(board.match_id, round(age), status, newest, board.state)


def put_freshness(connection: Connection, rows: Sequence[Freshness]) -> None:
    """Write how fresh these matches are."""
    for row in rows:
        values = {
            "data_freshness_seconds": row.age_seconds,
            "scraper_status": row.scraper_status,
            "last_scraper_update": row.updated_at,
            "state": row.state.value,
        }
        connection.execute(update(matches).where(matches.c.match_id == row.match_id).values(values))


def stop_all(connection: Connection) -> None:
    """Say that nobody watches any more."""
    watched = matches.c.state.not_in([MatchState.ARCHIVED.value, MatchState.COMPLETED.value])
    connection.execute(update(matches).where(watched).values(scraper_status="stopped"))


def _snapshot_row(snapshot: CachedSnapshot) -> dict[str, Any]:
    return {
        "match_id": snapshot.match_id,
        "sequence_number": snapshot.sequence_number,
        "domain_id": snapshot.domain_id,
        "normalized_payload": snapshot.normalized_payload,
        "provenance": snapshot.provenance,
        "checksum": snapshot.checksum,
        "created_at": snapshot.created_at,
        "scraper_id": snapshot.scraper_id,
        "update_latency_ms": snapshot.update_latency_ms,
        "data_source": "scraper",
    }


def _ball_row(match_id: str, ball: KeptBall, at: datetime) -> dict[str, Any]:
    event = ball.event
    return {
        "match_id": match_id,
        "innings": event.key.innings,
        "over": event.key.over,
        "delivery": event.key.delivery,
        "version": ball.version,
        "ball": event.ball,
        "legal_balls": event.legal_balls,
        "outcome": storable(event.text),
        "runs": event.runs,
        "extras": event.extras,
        "extra_kind": event.extra_kind.value if event.extra_kind else None,
        "is_wicket": event.is_wicket,
        "is_legal": event.is_legal,
        "domain_id": ball.domain_id,
        "found": ball.found.value,
        "observed_at": at,
    }


def _card_row(match_id: str, card: KeptCard, at: datetime) -> dict[str, Any]:
    return {
        "match_id": match_id,
        "innings": card.innings,
        "version": card.version,
        "card": storable_json(card.card),
        "changes": storable_json(card.changes),
        "domain_id": card.domain_id,
        "observed_at": at,
    }


def _conflict_row(match_id: str, conflict: Conflict, at: datetime) -> dict[str, Any]:
    return {
        "match_id": match_id,
        "field": conflict.field,
        "chosen_source": conflict.chosen_source,
        "chosen_value": f"{conflict.chosen_value:g}",
        "other_source": conflict.other_source,
        "other_value": f"{conflict.other_value:g}",
        "difference": conflict.difference,
        "created_at": at,
    }


def _metadata(board: Board, watch: Watch) -> dict[str, Any]:
    """What is needed to know the match again after a restart, and whether its source answers."""
    match, record = watch.match, watch.record
    silent_seconds = round(watch.overdue_seconds(watch.context.clock.monotonic()), 1)
    return {
        "fixture": board.fixture,
        "url": match.url,
        "status": match.status.value,
        "title": match.title,
        "label": match.label,
        "series": match.series,
        "start_time": match.start_time.isoformat() if match.start_time else None,
        "teams": [[team.code, team.name, team.short_name] for team in match.teams or ()],
        "completed_at": record.completed_at.isoformat() if record.completed_at else None,
        "absences": record.absences,
        "source_id": watch.domain.source.id,
        "silent_seconds": silent_seconds if watch.is_awaited else None,
    }


def _append(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        connection.execute(insert(table), rows)
