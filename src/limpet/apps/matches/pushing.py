"""Tells a backend what happens. The ledger is the outbox: what is above a cursor was not delivered yet."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import orjson
import structlog
from sqlalchemy import Connection, Table, select

from limpet.apps.matches.care_tables import push_cursors
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.tables import live_match_data, match_balls
from limpet.errors import FetchError, PageBlocked
from limpet.fetch.page import Page
from limpet.record.upserting import upsert
from limpet.source import Source
from limpet.source.source import Pace, Terms

_log = structlog.get_logger("limpet.matches")
_BATCH = 200
_WAITS_SECONDS = (1.0, 2.0, 4.0, 8.0, 16.0)
_TOKEN_PATH, _DATA_PATH = "/token/generate-token", "/cricket-data"
_NOT_FOR_BACKEND = ("id", "match_id", "observed_at")

Post = Callable[[str, bytes, Mapping[str, str]], Awaitable[Page]]
Row = Mapping[str, Any]


@dataclass(slots=True)
class Pusher:
    """Delivers in order. Every ball is told, corrections too; of snapshots only the newest of each match."""

    room: ControlRoom
    post: Post  # through the gates, by path
    user: str = ""
    password: str = ""
    _token: str | None = None
    _failures: int = 0
    _not_before: float = 0.0

    async def look(self) -> None:
        """Deliver what is new; after a failure wait longer each time, and lose nothing meanwhile."""
        if self.room.clock.monotonic() < self._not_before:
            return
        try:
            await self._deliver("balls", match_balls, _ball_bodies)
            await self._deliver("live", live_match_data, _live_bodies)
        except FetchError as error:
            wait = _WAITS_SECONDS[min(self._failures, len(_WAITS_SECONDS) - 1)]
            self._failures += 1
            self._not_before = self.room.clock.monotonic() + max(wait, error.retry_after or 0.0)
            _log.warning("push_failed", code=error.code, wait=wait, failures=self._failures)
        else:
            self._failures = 0

    async def _deliver(self, stream: str, table: Table, bodies: Callable[[list[Row]], list[Row]]) -> None:
        position = await self.room.ledger.read(partial(_position, stream=stream))
        rows = await self.room.ledger.read(partial(_rows_after, table=table, position=position))
        for body in bodies(rows):
            await self._send(body)
            self.room.tally.pushes[stream, "delivered"] += 1
        if rows:
            # After the answers: a crash in between sends again what the backend knows by its number.
            move = partial(_move, stream=stream, position=rows[-1]["id"], now=self.room.clock.now())
            await self.room.ledger.write(move)

    async def _send(self, body: Row) -> None:
        text = orjson.dumps(body, default=str, option=orjson.OPT_NON_STR_KEYS)
        if self.user and self._token is None:
            self._token = await self._fresh_token()
        try:
            await self.post(_DATA_PATH, text, self._headers())
        except PageBlocked as refusal:
            if refusal.status != 401 or not self.user:
                raise
            self._token = await self._fresh_token()  # it had run out; once more with a new one
            await self.post(_DATA_PATH, text, self._headers())

    async def _fresh_token(self) -> str:
        known = orjson.dumps({"username": self.user, "password": self.password})
        page = await self.post(_TOKEN_PATH, known, {"Content-Type": "application/json"})
        said = orjson.loads(page.body)
        return str(said["token"] if isinstance(said, dict) else said)

    def _headers(self) -> dict[str, str]:
        named = {"Content-Type": "application/json"}
        return named | ({"Authorization": f"Bearer {self._token}"} if self._token else {})


def backend_source(url: str, *, now: datetime) -> Source:
    """Return the backend as a source of its own: our machine, by our own word, one host and no robots to ask."""
    return Source(
        id="backend",
        app="matches",
        site="backend",
        hosts=(urlsplit(url).hostname or "",),
        terms=Terms(reviewed_at=now, approved_by="LIMPET_BACKEND_URL"),
        pace=Pace(requests_per_second=None, min_delay_seconds=0.0, max_concurrent=4),
        obey_robots=False,
        http_only=url.startswith("http://"),
        allow_private_addresses=True,
    )


def _ball_bodies(rows: list[Row]) -> list[Row]:
    """Return one body per match, its balls in the order we learned of them."""
    by_match: dict[str, list[Row]] = {}
    for row in rows:
        by_match.setdefault(row["match_id"], []).append(row)
    return [{"matchId": match_id, "ball_events": _told(balls)} for match_id, balls in by_match.items()]


def _told(balls: Sequence[Row]) -> list[dict[str, Any]]:
    return [{name: value for name, value in ball.items() if name not in _NOT_FOR_BACKEND} for ball in balls]


def _live_bodies(rows: list[Row]) -> list[Row]:
    """Return the newest snapshot of each match: a score that is no longer true need not be told."""
    newest = {row["match_id"]: row for row in rows}
    return [
        {
            "matchId": match_id,
            "sequence_number": row["sequence_number"],
            "match_update": {"score": row["normalized_payload"].get("score", {})},
            "score_update": (row["normalized_payload"].get("last_event") or {}).get("description", ""),
            "payload": row["normalized_payload"],
        }
        for match_id, row in newest.items()
    ]


def _position(connection: Connection, stream: str) -> int:
    found = select(push_cursors.c.position).where(push_cursors.c.stream == stream)
    return connection.execute(found).scalar_one_or_none() or 0


def _rows_after(connection: Connection, table: Table, position: int) -> list[Row]:
    question = select(table).where(table.c.id > position).order_by(table.c.id).limit(_BATCH)
    return [dict(row._mapping) for row in connection.execute(question)]


def _move(connection: Connection, stream: str, *, position: int, now: datetime) -> None:
    values = {"position": position, "updated_at": now}
    upsert(connection, push_cursors, {"stream": stream, **values}, key=["stream"], changes=values)
