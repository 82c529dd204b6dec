"""When a browser has served long enough."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from limpet.fetch.browser.process_tree import TreeSize

GIGABYTE = 1_000_000_000
HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How many pages at once, how long a browser may live and how heavy it may become."""

    max_contexts: int = 8
    max_age_seconds: float = 6 * HOUR
    max_tasks: int = 10_000
    soft_memory_bytes: int = 3 * GIGABYTE // 2
    hard_memory_bytes: int = 2 * GIGABYTE
    max_pids: int = 200  # of the 512 a container is given
    sandbox: bool = True  # Chromium's own; a container that forbids user namespaces is one by itself
    # A browser that is over a limit from its first page on must not be replaced after every page.
    rest_between_recycles_seconds: float = 60.0
    watch_seconds: float = 5.0
    drain_seconds: float = 300.0
    launch_seconds: float = 30.0
    close_seconds: float = 5.0
    room_seconds: float = 120.0


class Reason(StrEnum):
    """Why a browser was replaced; the label of `scraper_recycles_total`."""

    AGE = "age"
    TASKS = "tasks"
    MEMORY = "memory"
    HARD_MEMORY = "hard_memory"
    PIDS = "pids"
    CRASH = "crash"
    STUCK = "stuck"
    IMAGES_WANTED = "images_wanted"
    ASKED = "asked"
    DRAIN_TOO_LONG = "drain_too_long"


@dataclass(frozen=True, slots=True)
class Wear:
    """What a browser has been through."""

    age_seconds: float
    tasks: int
    size: TreeSize


def is_too_heavy(wear: Wear, limits: PoolLimits) -> bool:
    """Whether the browser must be killed at once, whoever is using it."""
    return wear.size.memory_bytes >= limits.hard_memory_bytes


def reason_to_recycle(wear: Wear, limits: PoolLimits) -> Reason | None:
    """Return why the browser should be drained and replaced, or None while it may go on."""
    if wear.size.memory_bytes >= limits.soft_memory_bytes:
        return Reason.MEMORY
    if wear.size.pids >= limits.max_pids:
        return Reason.PIDS
    if wear.tasks >= limits.max_tasks:
        return Reason.TASKS
    return Reason.AGE if wear.age_seconds >= limits.max_age_seconds else None
