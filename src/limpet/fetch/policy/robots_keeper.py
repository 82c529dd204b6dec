"""Keeps every origin's robots.txt at hand; answers no when it cannot be had: silence is not permission."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from limpet.clock import Clock
from limpet.errors import BadResponse, ConnectionFailed, FetchError, FetchTimeout, PageBlocked
from limpet.fetch.policy.robots import Robots, product_token
from limpet.source import Source
from limpet.target.address import parse_address

GOOD_FOR_SECONDS = 24 * 3_600.0
ASK_AGAIN_AFTER_SECONDS = 300.0
ASK_AGAIN_AFTER_OUR_OWN_GATE_SECONDS = 30.0  # nothing reached the site, so asking soon costs it nothing
LAST_GOOD_FOR_SECONDS = 30 * 24 * 3_600.0  # RFC 9309 2.3.1.4: a long absence ends what we knew
RESTS_BETWEEN_TRIES = (1.0, 2.0)
SHORTEST_DELAY_SECONDS, LONGEST_DELAY_SECONDS = 1.0, 60.0

_PASSING_TROUBLES = frozenset({FetchTimeout.code, ConnectionFailed.code, BadResponse.code})
_LARGE_BODY = 64 * 1024
_MOST_ORIGINS = 10_000

RobotsState = Literal["allowed", "disallowed", "unavailable", "not_asked"]


@dataclass(frozen=True, slots=True)
class RobotsVerdict:
    """The answer for one address; `sha256` is the hash of the file it was read from."""

    allowed: bool
    state: RobotsState
    crawl_delay: float | None = None
    sha256: str | None = None
    detail: str = ""
    retry_after: float | None = None
    gate: str = ""  # the code of our own gate that kept us from asking, if it was one


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """What became of asking for robots.txt: a status and body, or the code of what went wrong."""

    status: int | None
    body: bytes = b""
    error: str | None = None


@dataclass(frozen=True, slots=True)
class StoredRobots:
    """The last good answer of an origin, as it came. A status of 4xx means there are no rules."""

    origin: str
    status: int
    body: bytes
    sha256: str
    fetched_at: datetime


class RobotsMemory(Protocol):
    """Remembers last good answers between starts, and shares them between processes."""

    async def load(self, origin: str) -> StoredRobots | None:
        """Return the last good answer of this origin."""
        ...

    async def save(self, stored: StoredRobots) -> None:
        """Replace what is remembered of its origin."""
        ...


FetchRobots = Callable[[Source, str], Awaitable[RobotsAnswer]]

NOT_ASKED = RobotsVerdict(allowed=True, state="not_asked")


@dataclass(slots=True, eq=False)
class _Origin:
    """What we know of one origin, and until when."""

    name: str
    due_at: float = float("-inf")  # monotonic
    robots: Robots | None = None
    has_file: bool = False
    fetched_at: datetime | None = None
    trouble: str = ""
    gate: str = ""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    verdicts: dict[str, tuple[RobotsVerdict, RobotsVerdict]] = field(default_factory=dict)

    def learn(self, robots: Robots, stored: StoredRobots) -> None:
        self.robots, self.has_file, self.fetched_at = robots, stored.status < 300, stored.fetched_at
        self.trouble = ""
        self.verdicts.clear()

    def suffer(self, trouble: str, *, gate: str, now: datetime) -> None:
        """Note that no answer came; what we knew still holds until it is too old to trust."""
        if self.fetched_at is None or (now - self.fetched_at).total_seconds() > LAST_GOOD_FOR_SECONDS:
            self.robots = None
        self.trouble, self.gate = trouble, gate
        self.verdicts.clear()

    def judge(self, agent: str, url: str, *, now: float) -> RobotsVerdict:
        if self.robots is None:
            detail = f"robots.txt of {self.name} could not be read: {self.trouble}"
            wait = max(0.0, self.due_at - now)
            return RobotsVerdict(False, "unavailable", detail=detail, retry_after=wait, gate=self.gate)
        yes, no = self.verdicts.get(agent) or self._prepare(agent, self.robots)
        return yes if self.robots.allows(agent, url) else no

    def _prepare(self, agent: str, robots: Robots) -> tuple[RobotsVerdict, RobotsVerdict]:
        """Make both verdicts once: asking a million times then costs only the matching."""
        delay = robots.crawl_delay(agent)
        if delay is not None:
            delay = min(max(delay, SHORTEST_DELAY_SECONDS), LONGEST_DELAY_SECONDS)
        sha256 = robots.sha256 if self.has_file else None
        held = (
            f"{self.trouble}; the rules of {self.fetched_at:%Y-%m-%d %H:%M} UTC hold" if self.trouble else ""
        )
        refusal = f"robots.txt of {self.name} disallows this path to {product_token(agent)!r}"
        self.verdicts[agent] = (
            RobotsVerdict(True, "allowed", delay, sha256, held),
            RobotsVerdict(False, "disallowed", delay, sha256, f"{refusal} ({held})" if held else refusal),
        )
        return self.verdicts[agent]


class RobotsKeeper:
    """Answers whether a source may visit an address; one file per origin, one request at a time for it."""

    def __init__(self, *, clock: Clock, agent: str = "Limpet", memory: RobotsMemory | None = None) -> None:
        self._agent = agent
        self._clock = clock
        self._memory = memory
        self._origins: dict[str, _Origin] = {}

    async def verdict(self, source: Source, url: str, fetch: FetchRobots) -> RobotsVerdict:
        """Return the verdict, asking for robots.txt through `fetch` only when what we hold is out of date.

        `fetch` follows redirects through the client's own gates; the keeper sees where they ended.
        """
        if not source.obey_robots:
            return NOT_ASKED
        end = url.find("/", 8)
        origin = self._origins.get(url[:end]) if end > 0 else None
        now = self._clock.monotonic()
        if origin is None or origin.due_at <= now:
            address = parse_address(url)
            if address.path == "/robots.txt":
                return NOT_ASKED
            origin, now = await self._up_to_date(address.origin, source, fetch), self._clock.monotonic()
        verdict = origin.judge(source.user_agent or self._agent, url, now=now)
        return NOT_ASKED if not verdict.allowed and _is_robots_file(url) else verdict

    async def _up_to_date(self, name: str, source: Source, fetch: FetchRobots) -> _Origin:
        origin = self._origins.get(name) or self._admit(name)
        async with origin.lock:  # whoever waited here finds the answer already there
            if origin.due_at <= self._clock.monotonic():
                await self._refresh(origin, source, fetch)
        return origin

    def _admit(self, name: str) -> _Origin:
        if len(self._origins) >= _MOST_ORIGINS:
            self._origins.pop(next(iter(self._origins)))
        origin = self._origins[name] = _Origin(name)
        return origin

    async def _refresh(self, origin: _Origin, source: Source, fetch: FetchRobots) -> None:
        if await self._recall(origin):
            return
        answer = await self._ask(origin.name, source, fetch)
        if answer.status is not None and _is_good(answer):
            has_file = answer.status < 300
            await self._learn(origin, answer.status, answer.body if has_file else b"")
            return
        gate = (answer.error or "") if _is_our_own_gate(answer) else ""
        origin.suffer(_trouble(answer), gate=gate, now=self._clock.now())
        origin.due_at = self._clock.monotonic() + _patience(answer)

    async def _recall(self, origin: _Origin) -> bool:
        """Take over what memory holds; true when it is fresh enough not to ask the site."""
        stored = await self._memory.load(origin.name) if self._memory is not None else None
        if stored is None or (origin.fetched_at is not None and stored.fetched_at < origin.fetched_at):
            return False
        age = (self._clock.now() - stored.fetched_at).total_seconds()
        if age < -ASK_AGAIN_AFTER_SECONDS:  # the clock was set back: how old this is, nobody can say
            age = GOOD_FOR_SECONDS
        if age >= GOOD_FOR_SECONDS and origin.robots is not None:
            return False
        origin.learn(await _parsed(stored.body), stored)
        origin.due_at = self._clock.monotonic() + GOOD_FOR_SECONDS - age
        return age < GOOD_FOR_SECONDS

    async def _learn(self, origin: _Origin, status: int, body: bytes) -> None:
        robots = await _parsed(body)
        stored = StoredRobots(origin.name, status, body, robots.sha256, self._clock.now())
        origin.learn(robots, stored)
        origin.due_at = self._clock.monotonic() + GOOD_FOR_SECONDS
        if self._memory is not None:
            await self._memory.save(stored)

    async def _ask(self, origin: str, source: Source, fetch: FetchRobots) -> RobotsAnswer:
        """Ask up to three times, resting between; a refusal is an answer and is not pressed.

        Trying again begins only within the patience of one request: a silent robots.txt holds its lane once.
        """
        give_up_at = self._clock.monotonic() + source.patience_seconds
        for rest in (*RESTS_BETWEEN_TRIES, None):
            try:
                answer = await fetch(source, f"{origin}/robots.txt")
            except FetchError as exc:
                answer = RobotsAnswer(status=exc.status, error=exc.code)
            if rest is None or not _may_pass(answer) or self._clock.monotonic() + rest >= give_up_at:
                break
            await self._clock.sleep(rest)
        return answer


def _is_good(answer: RobotsAnswer) -> bool:
    """2xx gives rules; 4xx says there are none, unless it says keep out (401, 403) or slow down (429)."""
    status = answer.status or 0
    if answer.error == PageBlocked.code:  # a challenge says nothing about rules, whatever its status
        return False
    if 200 <= status < 300:
        return answer.error is None
    return 400 <= status < 500 and status not in (401, 403, 429)


def _may_pass(answer: RobotsAnswer) -> bool:
    """Whether trying again in a moment may help: a fault of server or network, not a refusal."""
    return (answer.status or 0) >= 500 or answer.error in _PASSING_TROUBLES


def _is_our_own_gate(answer: RobotsAnswer) -> bool:
    return answer.status is None and (answer.error or "").startswith("gate.")


def _patience(answer: RobotsAnswer) -> float:
    return ASK_AGAIN_AFTER_OUR_OWN_GATE_SECONDS if _is_our_own_gate(answer) else ASK_AGAIN_AFTER_SECONDS


def _trouble(answer: RobotsAnswer) -> str:
    """Say what happened in words that follow "robots.txt of this origin could not be read"."""
    said = f"it answered {answer.status}" if answer.status is not None else "no answer came"
    return f"{said} ({answer.error})" if answer.error else said


def _is_robots_file(url: str) -> bool:
    return "/robots.txt" in url and parse_address(url).path == "/robots.txt"


async def _parsed(body: bytes) -> Robots:
    """Parse; a large file away from the loop, so that one site's half megabyte delays nobody else."""
    return await asyncio.to_thread(Robots.parse, body) if len(body) > _LARGE_BODY else Robots.parse(body)
