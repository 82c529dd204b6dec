"""A shift: one go at a lane by a worker who has others to walk, and goes on with it when its domain is free again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from limpet.clock import Clock

# Re-queueing costs more than a short wait: a domain that is free again within this time is waited for.
LONGEST_WAIT_SECONDS = 5.0
# Short enough that a lane which waits for a free place is not kept long; re-queueing costs a few milliseconds.
LONGEST_SHIFT_SECONDS = 20.0


@dataclass(slots=True)
class Shift:
    """Ends when its time is up, when it is called back, or when the domain rests longer than anybody should wait."""

    clock: Clock
    ends_at: float  # monotonic
    wait_ahead: Callable[[str], Awaitable[float]]  # how long a domain still rests
    rests: int = 0  # how often in a row its gate was found shut, over all shifts
    recall: asyncio.Event = field(
        default_factory=asyncio.Event
    )  # set when whoever gave us the lane wants it back
    resume_in: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether the lane should be left to whoever takes it next."""
        is_late = self.clock.monotonic() >= self.ends_at
        return self.resume_in is not None or is_late or self.recall.is_set()

    async def must_wait(self, domain: str) -> bool:
        """Whether the domain rests so long that the lane is better left now."""
        wait = await self.wait_ahead(domain)
        if wait > LONGEST_WAIT_SECONDS:
            self.resume_in = wait
        return self.resume_in is not None
