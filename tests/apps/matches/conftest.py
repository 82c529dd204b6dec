"""A pretend scoreboard and a direct way to it, for reading every moment of every match without a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest

from limpet.apps.matches.adapter import DomainAdapterDescriptor
from limpet.apps.matches.domains import DomainTable
from limpet.clock import FrozenClock
from limpet.errors import PageBlocked, PageGone
from limpet.fetch.page import Page
from tidepool.site import Request, Setup
from tidepool.world import World


@dataclass
class DirectWay:
    """Asks the pretend web without a wire; refuses as the client would."""

    world: World
    asked: list[str] = field(default_factory=list)

    async def get(self, url: str, **request: Any) -> Page:
        parts = urlsplit(url)
        self.asked.append(parts.path)
        headers = {name.lower(): value for name, value in (request.get("headers") or {}).items()}
        answer = await self.world.answer(
            Request("GET", parts.path, parts.query, {"host": parts.netloc, **headers})
        )
        if answer.status in (401, 403):
            raise PageBlocked(f"{url}: {answer.status}", status=answer.status)
        if answer.status == 404:
            raise PageGone(url, status=404)
        named = {name.lower(): value for name, value in answer.headers}
        return Page(url, url, answer.status, named, answer.body, datetime(2026, 3, 1, tzinfo=UTC))


@dataclass
class Scoreboards:
    """The pretend sites, and the domains that read them."""

    world: World
    way: DirectWay
    domains: DomainTable
    clock: FrozenClock


@pytest.fixture
def build_scoreboards() -> Callable[..., Scoreboards]:
    def build(matches: int = 12, **crex: Any) -> Scoreboards:
        world, clock = World(Setup(seed=7, matches=matches)), FrozenClock()
        base = "http://crex.tidepool.localhost"
        descriptors = [
            DomainAdapterDescriptor(
                "crex",
                "crex",
                precedence_weight=100,
                metadata={"base_url": base, "names_call": "names", **crex},
            ),
            DomainAdapterDescriptor(
                "pavilion",
                "pavilion",
                precedence_weight=80,
                metadata={"base_url": "http://pavilion.tidepool.localhost"},
            ),
        ]
        return Scoreboards(world, DirectWay(world), DomainTable(descriptors, clock=clock), clock)

    return build


@pytest.fixture
def scoreboards(build_scoreboards: Callable[..., Scoreboards]) -> Iterator[Scoreboards]:
    yield build_scoreboards()
