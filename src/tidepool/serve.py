"""Tidepool itself: started inside a test, or as a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

from tidepool.access_log import AccessLog, Visit
from tidepool.control import Control
from tidepool.conversation import Conversation, House
from tidepool.faults import Rule, Switchboard
from tidepool.faults.behaviour import Option
from tidepool.site import Setup, Site
from tidepool.wire import LONGEST_HEAD, gzipped
from tidepool.world import ZONE, World

GOODBYE_SECONDS = 2.0


class Tidepool:
    """A pretend web on one port of this machine; `port=0` takes a free one, known once started."""

    def __init__(
        self,
        *,
        seed: int = 7,
        port: int = 0,
        bind: str = "127.0.0.1",
        products: int = 200,
        cases: int = 2_700,
        plain: bool = False,
        page_cache: int = 256,
        heavy_kilobytes: int = 200,
        files: int = 5_600,
        late_milliseconds: int = 120,
        matches: int = 12,
        poll_seconds: float = 4.0,
        code_book_seconds: float = 2.0,
        tick_seconds: float = 0.0,
        access_log: Path | None = None,
    ) -> None:
        setup = Setup(
            seed=seed,
            products=products,
            cases=cases,
            plain=plain,
            page_cache=page_cache,
            heavy_kilobytes=heavy_kilobytes,
            files=files,
            late_milliseconds=late_milliseconds,
            matches=matches,
            poll_seconds=poll_seconds,
            code_book_seconds=code_book_seconds,
        )
        self.world = World(setup, tick_seconds=tick_seconds)
        self.faults = Switchboard(seed)
        self.access_log = AccessLog(access_log)
        self.port = port
        self._bind = bind
        self._numbers = itertools.count(1)
        self._talks: dict[asyncio.Task[None], Conversation] = {}
        self._server: asyncio.Server | None = None
        pack = lru_cache(maxsize=page_cache)(gzipped)
        control = Control(self.world, self.faults, self.access_log)
        self._house = House(self.world, self.faults, self.access_log, control.answer, pack)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Open the port; raises OSError if it is taken."""
        self._server = await asyncio.start_server(
            self._welcome, self._bind, self.port, limit=LONGEST_HEAD, backlog=1024
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close the port, let answers under way end for a moment, then drop what is left."""
        if self._server is not None:
            self._server.close()
        for talk, conversation in self._talks.items():
            if not conversation.owes_an_answer:
                talk.cancel()
        if self._talks:
            _, late = await asyncio.wait(self._talks, timeout=GOODBYE_SECONDS)
            for talk in late:
                talk.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        self.access_log.close()

    def url(self, site: str, path: str = "/", *, zone: str = ZONE) -> str:
        """Return an address at a site; another `zone` is another registrable domain with the same site."""
        return f"http://{site}.{zone}:{self.port}{path}"

    def site(self, name: str) -> Site:
        """Return a site, to ask it for what it shows."""
        return self.world.sites[name]

    @property
    def log(self) -> list[Visit]:
        """Every visit so far, oldest first, those still open included."""
        return self.access_log.visits

    @property
    def tick(self) -> int:
        """The present moment of all sites."""
        return self.world.tick

    def advance(self, ticks: int = 1) -> int:
        """Move time forward and return the new tick."""
        return self.world.advance(ticks)

    def set_fault(
        self,
        site: str,
        name: str,
        *,
        path: str | None = None,
        host: str | None = None,
        times: int | None = None,
        probability: float = 1.0,
        **options: Option,
    ) -> Rule:
        """Switch a fault on at one site, for the next `times` matching requests or until it is cleared."""
        if site not in self.world.sites:
            raise ValueError(f"there is no site {site!r}; there are: {', '.join(self.world.sites)}")
        return self.faults.set(
            site, name, path=path, host=host, times=times, probability=probability, options=options
        )

    def clear_faults(self, site: str | None = None) -> None:
        """Switch all faults off, at one site or everywhere."""
        self.faults.clear(site)

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversation = Conversation(self._house, next(self._numbers), reader=reader, writer=writer)
        talk = asyncio.current_task()
        assert talk is not None
        self._talks[talk] = conversation
        try:
            # A stop from outside ends the talk, not in an error that asyncio would report.
            with contextlib.suppress(asyncio.CancelledError):
                await conversation.run()
        finally:
            del self._talks[talk]
            writer.close()
