"""A browser in service: its contexts, who uses them, and how worn it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from limpet.fetch.browser.context import ContextKey, SourceContext
from limpet.fetch.browser.launch import Chromium
from limpet.fetch.browser.lease import Lease


@dataclass(slots=True, eq=False)
class Tenancy:
    """One Chromium as the pool sees it. While it drains, running leases finish and no new one is given."""

    chromium: Chromium
    has_images: bool
    started_at: float
    tasks: int = 0
    busy: int = 0
    draining_since: float | None = None
    is_ending: bool = False
    leases: set[Lease] = field(default_factory=set)
    idle: list[SourceContext] = field(default_factory=list)

    @property
    def is_serving(self) -> bool:
        return self.chromium.is_alive and not self.is_ending and self.draining_since is None

    @property
    def contexts(self) -> int:
        return self.busy + len(self.idle)

    def enter(self) -> None:
        """Count one more task; it keeps the browser from being closed until it leaves."""
        self.tasks += 1
        self.busy += 1

    def take_idle(self, key: ContextKey, *, left_open: bool = False) -> SourceContext | None:
        """Return a context of the same source, the one used last: a rested one, or one whose page stands open."""
        for context in reversed(self.idle):
            if context.key == key and bool(context.errands) == left_open and not context.page.is_closed():
                self.idle.remove(context)
                return context
        return None

    def die(self, cause: str) -> None:
        """Interrupt every running lease."""
        for lease in tuple(self.leases):
            lease.die(cause)
