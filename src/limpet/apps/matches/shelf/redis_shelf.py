"""Seed 004's keys in Redis. It may vanish and come back: what it missed is put there again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import orjson
import structlog

from limpet.apps.matches.shelf.shelf import (
    AUDIT_KEPT,
    HEALTH_TTL_SECONDS,
    HISTORY_TTL_SECONDS,
    NEGATIVE_TTL_SECONDS,
    ROSTER_TTL_SECONDS,
    Document,
    MemoryShelf,
)
from limpet.apps.matches.snapshot import COMPLETED_TTL_SECONDS, HISTORY

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.asyncio.client import Pipeline

_log = structlog.get_logger("limpet.matches")
_MARK_KEY = "match_shelf"  # who filled it


class RedisShelf:
    """Everything is kept in this process first, then told to Redis; after an absence, told again whole."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._own = MemoryShelf()
        self._mark = uuid4().hex
        self._is_marked = False
        self.is_behind = False
        self.failures = 0

    async def look(self) -> None:
        """A Redis that was started anew answers at once and knows nothing: our mark is gone with the rest."""
        failures = self.failures
        found = await self._ask(self._redis.get(_MARK_KEY))
        if self.failures > failures or found == self._mark.encode():
            return
        if self._is_marked:
            self._missed(LookupError("it was started anew, and forgot"))
        self._is_marked = self.is_behind = True
        await self._tell(lambda pipe: pipe.set(_MARK_KEY, self._mark))

    async def put_snapshot(self, match_id: str, document: Document) -> None:
        await self._own.put_snapshot(match_id, document)

        def tell(pipe: Pipeline) -> None:
            _put_latest(pipe, match_id, document)
            key = f"match_history:{match_id}"
            pipe.lpush(key, _text(document))
            pipe.ltrim(key, 0, HISTORY - 1)
            pipe.expire(key, int(HISTORY_TTL_SECONDS))

        await self._tell(tell)

    async def refresh(self, match_id: str, *, at: float, fresh_seconds: float) -> None:
        await self._own.refresh(match_id, at=at, fresh_seconds=fresh_seconds)

        def tell(pipe: Pipeline) -> None:
            pipe.zadd("freshness_index", {match_id: at})
            # The snapshot itself never expires while its match lives; this key says how long it is fresh.
            pipe.set(f"match_fresh:{match_id}", "1", px=int(fresh_seconds * 1000))

        await self._tell(tell)

    async def put_monitor(self, match_id: str, document: Document, *, is_paused: bool) -> None:
        await self._own.put_monitor(match_id, document, is_paused=is_paused)
        await self._tell(lambda pipe: _put_monitor(pipe, match_id, document, is_paused=is_paused))

    async def forget(self, match_id: str) -> None:
        await self._own.forget(match_id)

        def tell(pipe: Pipeline) -> None:
            pipe.zrem("freshness_index", match_id)
            pipe.srem("paused_matches", match_id)
            pipe.delete(f"match_monitor:{match_id}", f"match_history:{match_id}")
            pipe.expire(f"match_latest:{match_id}", int(COMPLETED_TTL_SECONDS))

        await self._tell(tell)

    async def put_negative(self, match_id: str) -> None:
        await self._own.put_negative(match_id)
        await self._tell(
            lambda pipe: pipe.set(f"negative_cache:{match_id}", "1", ex=int(NEGATIVE_TTL_SECONDS))
        )

    async def is_negative(self, match_id: str) -> bool:
        if await self._own.is_negative(match_id):
            return True
        return bool(await self._ask(self._redis.exists(f"negative_cache:{match_id}")))

    async def put_roster(self, team_id: str, document: Document) -> None:
        await self._own.put_roster(team_id, document)
        await self._tell(
            lambda pipe: pipe.set(f"roster:{team_id}", _text(document), ex=int(ROSTER_TTL_SECONDS))
        )

    async def put_health(self, document: Document) -> None:
        await self._own.put_health(document)
        await self._tell(lambda pipe: pipe.set("health_summary", _text(document), ex=int(HEALTH_TTL_SECONDS)))

    async def put_audit(self, document: Document) -> None:
        await self._own.put_audit(document)

        def tell(pipe: Pipeline) -> None:
            pipe.lpush("audit_log", _text(document))
            pipe.ltrim("audit_log", 0, AUDIT_KEPT - 1)

        await self._tell(tell)

    async def domain_override(self, domain_id: str) -> Document:
        found = await self._ask(self._redis.get(f"domain_config:{domain_id}"))
        try:
            said = orjson.loads(found) if found else {}
        except orjson.JSONDecodeError:
            _log.warning("domain_config_unreadable", domain=domain_id)
            return {}
        return said if isinstance(said, dict) else {}

    # -- inside --------------------------------------------------------------------------------------------

    async def _tell(self, tell: Callable[[Pipeline], Any]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        if self.is_behind:
            self._tell_everything(pipe)
        tell(pipe)
        try:
            await pipe.execute()
        except Exception as error:  # whatever is wrong with Redis, matches are watched without it
            self._missed(error)
        else:
            self.is_behind = False

    async def _ask(self, question: Awaitable[Any]) -> Any:
        try:
            return await question
        except Exception as error:  # as above: its answer is a convenience
            self._missed(error)
            return None

    def _missed(self, error: Exception) -> None:
        self.failures += 1
        if not self.is_behind:
            _log.warning("redis_shelf_missed", error=repr(error))
        self.is_behind = True

    def _tell_everything(self, pipe: Pipeline) -> None:
        own = self._own
        for match_id, document in own.latest.items():
            _put_latest(pipe, match_id, document)
            _put_history(pipe, match_id, own.history[match_id])
        for match_id, document in own.monitors.items():
            _put_monitor(pipe, match_id, document, is_paused=match_id in own.paused_matches)
        if own.freshness_index:
            pipe.zadd("freshness_index", dict(own.freshness_index))
        for team_id, document in own.rosters.items():
            pipe.set(f"roster:{team_id}", _text(document), ex=int(ROSTER_TTL_SECONDS))
        if own.audit_log:
            pipe.delete("audit_log")
            pipe.rpush("audit_log", *map(_text, own.audit_log))


def _put_latest(pipe: Pipeline, match_id: str, document: Document) -> None:
    pipe.set(f"match_latest:{match_id}", _text(document))


def _put_history(pipe: Pipeline, match_id: str, history: Iterable[Document]) -> None:
    key = f"match_history:{match_id}"
    pipe.delete(key)
    pipe.rpush(key, *map(_text, history))
    pipe.expire(key, int(HISTORY_TTL_SECONDS))


def _put_monitor(pipe: Pipeline, match_id: str, document: Document, *, is_paused: bool) -> None:
    pipe.set(f"match_monitor:{match_id}", _text(document))
    (pipe.sadd if is_paused else pipe.srem)("paused_matches", match_id)


def _text(document: Document) -> bytes:
    return orjson.dumps(document, default=str)
