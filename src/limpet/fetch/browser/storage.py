"""What a page keeps in localStorage: read where its scripts cannot lie about it, and waited for when it comes late."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from limpet.clock import Clock
from limpet.fetch.browser.lease import Lease
from limpet.fetch.browser.visit import Captured

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

MOST_CHARACTERS = 1_000_000
LOOK_EVERY_SECONDS = 0.1

# Too much is refused inside Chromium, before it is copied to us; some pages may not use the storage at all.
_READ = """(() => {
  try {
    const entries = Object.entries(window.localStorage);
    const size = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    return size > %d ? '{}' : JSON.stringify(Object.fromEntries(entries));
  } catch (refused) { return '{}'; }
})()"""


@dataclass(frozen=True, slots=True)
class StorageWish:
    """Which entries are wanted (globs), when they are enough, and how long they are waited for at most."""

    keys: Sequence[str]
    enough: Callable[[Mapping[str, str], Sequence[Captured]], bool]
    patience_seconds: float = 8.0


async def stored_in_time(lease: Lease, wish: StorageWish, *, clock: Clock) -> dict[str, str]:
    """Return the wanted entries as soon as they are enough, or what there is once patience is spent."""
    until = clock.monotonic() + wish.patience_seconds
    while True:
        entries = await _stored(lease.session, wish.keys)
        if wish.enough(entries, lease.visit.captured) or clock.monotonic() >= until:
            return entries
        await clock.sleep(LOOK_EVERY_SECONDS)


async def _stored(session: CDPSession, keys: Sequence[str]) -> dict[str, str]:
    tree = await session.send("Page.getFrameTree")
    world = await session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})
    answer = await session.send(
        "Runtime.evaluate",
        {
            "expression": _READ % MOST_CHARACTERS,
            "contextId": world["executionContextId"],
            "returnByValue": True,
        },
    )
    entries = json.loads(answer["result"].get("value") or "{}")
    return {name: value for name, value in entries.items() if any(fnmatchcase(name, key) for key in keys)}
