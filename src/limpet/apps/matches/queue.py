"""What is asked next: the most urgent first, nobody starved, one task per match, and never more than fits."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import count

from limpet.apps.matches.bursts import Bursts
from limpet.apps.matches.lifecycle import MatchPriority
from limpet.apps.matches.tasks import ScrapeRequest

# A class of priority is worth so much waiting: completed matches pass live ones that came a minute later.
AGEING_SECONDS = 30.0
_LOOK_AGAIN_SECONDS = 5.0

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class QueueBounds:
    """How much may wait (MAX_QUEUE_SIZE, MAX_QUEUE_SIZE_MB)."""

    max_size: int = 1_000
    max_bytes: int = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Deferred:
    """The queue is full; ask again after so long. Nothing was lost, nothing is waiting."""

    retry_after: float


@dataclass(slots=True)
class TaskQueue:
    """Tasks waiting for their time, and for a free place at their domain. Times are monotonic seconds."""

    bounds: QueueBounds = field(default_factory=QueueBounds)
    places_at: Callable[[str], int] = lambda domain_id: 40
    bursts: Bursts = field(default_factory=Bursts)
    _waiting: dict[Key, ScrapeRequest] = field(default_factory=dict)
    _running: dict[Key, ScrapeRequest] = field(default_factory=dict)
    _later: list[tuple[float, int, Key]] = field(default_factory=list)
    _ready: dict[str, list[tuple[float, int, Key]]] = field(default_factory=dict)
    _busy: Counter[str] = field(default_factory=Counter)
    _bytes: int = 0
    _numbers: Iterable[int] = field(default_factory=count)

    # -- in ------------------------------------------------------------------------------------------------

    def offer(self, request: ScrapeRequest) -> Deferred | None:
        """Let it wait, or say when to ask again. A second task for the same match only makes the first sooner."""
        if request.key in self._running:
            return None
        known = self._waiting.get(request.key)
        if known is not None:
            self._replace(known, _sooner(known, request))
            return None
        is_full = len(self._waiting) >= self.bounds.max_size
        if is_full or self._bytes + request.size_bytes > self.bounds.max_bytes:
            return Deferred(_LOOK_AGAIN_SECONDS)
        self._put(request)
        return None

    def withdraw(self, key: Key) -> None:
        """Forget a waiting task, as when its match was paused."""
        request = self._waiting.pop(key, None)
        if request is not None:
            self._bytes -= request.size_bytes

    # -- out -----------------------------------------------------------------------------------------------

    def take(self, now: float) -> ScrapeRequest | None:
        """Return the task to do now, or None; its place is taken until `done`."""
        self._wake(now)
        heads = [
            (heap[0], domain)
            for domain, heap in self._ready.items()
            if self._trim(heap)
            and self._busy[domain] < self.places_at(domain)
            and self.bursts.free_at(domain, now) <= now
        ]
        if not heads:
            return None
        _, domain = min(heads)
        key = heapq.heappop(self._ready[domain])[2]
        request = self._waiting.pop(key)
        self._bytes -= request.size_bytes
        self._running[key] = request
        self._busy[domain] += 1
        self.bursts.note(domain, now)
        return request

    def done(self, request: ScrapeRequest) -> None:
        """Give the place back."""
        if self._running.pop(request.key, None) is not None:
            self._busy[request.domain_id] -= 1

    def wait_seconds(self, now: float) -> float | None:
        """Return how long nothing new becomes due and no burst ends; None when nothing waits for its time."""
        while self._later and not self._is_current(self._later[0]):
            heapq.heappop(self._later)
        due = [self._later[0][0]] if self._later else []
        due += [at for domain in self._ready if (at := self.bursts.free_at(domain, now)) > now]
        return max(0.0, min(due) - now) if due else None

    # -- how it stands -------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._waiting)

    def knows(self, key: Key) -> bool:
        """Whether a task of this match waits or is under way."""
        return key in self._waiting or key in self._running

    @property
    def running(self) -> int:
        """How many tasks are under way."""
        return len(self._running)

    @property
    def size_bytes(self) -> int:
        """What waits weighs so much."""
        return self._bytes

    def depth(self, now: float) -> dict[MatchPriority, int]:
        """Return how many tasks are due and not under way, by priority."""
        counted = Counter(each.priority for each in self._waiting.values() if each.scheduled_at <= now)
        return {priority: counted[priority] for priority in MatchPriority}

    # -- inside --------------------------------------------------------------------------------------------

    def _put(self, request: ScrapeRequest) -> None:
        self._waiting[request.key] = request
        self._bytes += request.size_bytes
        heapq.heappush(self._later, (request.scheduled_at, next(iter(self._numbers)), request.key))

    def _replace(self, known: ScrapeRequest, better: ScrapeRequest) -> None:
        if better != known:
            self.withdraw(known.key)
            self._put(better)

    def _wake(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            entry = heapq.heappop(self._later)
            if self._is_current(entry):
                request = self._waiting[entry[2]]
                # Everybody ages alike, so the order never changes while they wait: one fixed number says it.
                worth = request.scheduled_at + request.priority * AGEING_SECONDS
                heapq.heappush(self._ready.setdefault(request.domain_id, []), (worth, entry[1], entry[2]))

    def _is_current(self, entry: tuple[float, int, Key]) -> bool:
        request = self._waiting.get(entry[2])
        return request is not None and request.scheduled_at == entry[0]

    def _trim(self, heap: list[tuple[float, int, Key]]) -> bool:
        """Drop entries that were withdrawn or moved meanwhile; say whether one is left."""
        while heap:
            request = self._waiting.get(heap[0][2])
            if request and heap[0][0] == request.scheduled_at + request.priority * AGEING_SECONDS:
                return True
            heapq.heappop(heap)
        return False


def _sooner(known: ScrapeRequest, other: ScrapeRequest) -> ScrapeRequest:
    return replace(
        known,
        priority=min(known.priority, other.priority),
        scheduled_at=min(known.scheduled_at, other.scheduled_at),
        metadata={**known.metadata, **other.metadata},
    )
