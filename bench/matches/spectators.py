"""Spectators: listen to the API's streams as a web site would, and note when which score could be shown."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import aiohttp
from bench.matches.referee import Key, Score


class Spectators:
    """Sit in a thread of their own; each listens to one match. When they leave, they ask for its balls once."""

    def __init__(self, url: str, *, token: str, how_many: int) -> None:
        self._headers = {"Authorization": f"Bearer {token}"}
        self._url = url
        self._how_many = how_many
        self._thread = threading.Thread(target=lambda: asyncio.run(self._sit()), daemon=True)
        self._leave = threading.Event()
        self.scores: dict[str, list[Score]] = {}
        self.shown: dict[str, dict[Key, dict[str, Any]]] = {}

    def __enter__(self) -> Self:
        if self._how_many:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave.set()
        if self._how_many:
            self._thread.join(timeout=30)

    async def _sit(self) -> None:
        timeout = aiohttp.ClientTimeout(total=None, sock_read=60)
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(
            self._url, timeout=timeout, connector=connector, headers=self._headers
        ) as session:
            async with session.get("/matches") as answer:
                items = (await answer.json())["items"]
            ids = [item["match_id"] for item in items][: self._how_many]
            tasks = [asyncio.create_task(self._listen(session, match_id)) for match_id in ids]
            while not self._leave.is_set():
                await asyncio.sleep(0.1)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for match_id in ids:
                await self._look(session, match_id)

    async def _listen(self, session: aiohttp.ClientSession, match_id: str) -> None:
        while True:
            with suppress(aiohttp.ClientError, TimeoutError):
                async with session.get(f"/matches/{match_id}/stream") as stream:
                    async for line in stream.content:
                        if line.startswith(b"data:"):
                            self._hear(match_id, json.loads(line[5:]))
            await asyncio.sleep(0.5)

    def _hear(self, match_id: str, change: dict[str, Any]) -> None:
        heard = self.scores.setdefault(match_id.partition(":")[2], [])
        for innings in change.get("innings", ())[-1:]:
            heard.append((time.monotonic(), innings["innings"], innings["legal_balls"], innings["runs"]))

    async def _look(self, session: aiohttp.ClientSession, match_id: str) -> None:
        async with session.get(f"/matches/{match_id}/balls") as answer:
            items = (await answer.json())["items"]
        match = match_id.partition(":")[2]
        self.shown[match] = {(ball["innings"], ball["over"], ball["delivery"]): ball for ball in items}
