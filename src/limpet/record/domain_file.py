"""The pace of one domain, in one small file that all processes of a data directory share.

Layout, in units of eight bytes:

    0       magic                      16..47  when the request of slot n entered, reached the origin, or ended
    1..2    boot the times belong to   48..79  until when the domain rests after it
    3       next free moment           80..    the domain's name, for people
    4       when the last one entered
    5       paused until, wall time    8..11   (bytes 64..95) a mark for each slot: empty, entered, reached

All moments but the pause are on the monotonic clock, which every process of one boot shares.
"""

from __future__ import annotations

import fcntl
import hashlib
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from limpet.fetch.policy.rate import MAX_PAUSE_SECONDS, SURELY_THERE_SECONDS
from limpet.record.shared_page import SharedPage, safe_file_name

SIZE = 1024
SLOTS = 32
MAGIC = b"limpet.1"
NEXT_FREE, LAST_ENTRY, PAUSED_UNTIL = 3, 4, 5
MARKS, ENDED, RESTS = 64, 16, 48
EMPTY, ENTERED, REACHED = 0, 1, 2
LONGEST_REST = 24 * 3600.0
BUSY_SECONDS = 0.001


@cache
def boot_id() -> bytes:
    """Return sixteen bytes that change when the machine starts anew, and with it the monotonic clock."""
    try:
        text = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        import psutil  # noqa: PLC0415 - only where the kernel does not say it by itself

        text = str(round(psutil.boot_time(), -2))
    return hashlib.sha256(text.encode()).digest()[:16]


@dataclass(frozen=True, slots=True)
class Turn:
    """What one caller asks of the domain."""

    spacing: float
    rest: float  # the spacing with its jitter
    max_concurrent: int

    @property
    def poll_seconds(self) -> float:
        """How often to look for a free slot: well within the spacing that follows, so it costs no time."""
        return min(max(self.spacing / 4, 0.002), 0.25)


class Wait(NamedTuple):
    """Not yet: ask again after so many seconds."""

    seconds: float


class DomainFile:
    """Reads and changes one domain's pace; every change is atomic among processes."""

    def __init__(self, folder: Path, domain: str) -> None:
        stem = safe_file_name(domain.lower())
        self._stem = folder / stem
        self.page = SharedPage(folder / f"{stem}.pace", SIZE)
        self._held: dict[int, int] = {}  # slot -> descriptor that holds its lock
        label = domain.encode()[: SIZE - 640]
        self.page.bytes[640 : 640 + len(label)] = label

    @property
    def is_idle(self) -> bool:
        return not self._held

    def paused_for(self, wall: float) -> float:
        """Return the seconds left of the pause, six hours at most."""
        until = self.page.doubles[PAUSED_UNTIL]
        return min(max(until - wall, 0.0), MAX_PAUSE_SECONDS) if until else 0.0

    def pause(self, seconds: float, *, wall: float) -> None:
        """Lengthen the pause to that many seconds from now; never shorten it."""
        with self.page.locked():
            left = self.paused_for(wall)
            self.page.doubles[PAUSED_UNTIL] = wall + max(left, seconds)

    def settle_pause(self, wall: float) -> float:
        """Return the seconds left of the pause, and wipe one that is over so that the next look is cheap."""
        left = self.paused_for(wall)
        if self.page.doubles[PAUSED_UNTIL] and self.page.try_lock():
            if not self.paused_for(wall):
                self.page.doubles[PAUSED_UNTIL] = 0.0
            self._clamp_pause(wall)
            self.page.unlock()
        return left

    def try_enter(self, turn: Turn, *, now: float, wall: float) -> int | Wait:
        """Take a slot and return its number, or say how long to wait before asking again."""
        if not self.page.try_lock():
            return Wait(BUSY_SECONDS)
        try:
            wait = self._wait_left(turn, now, wall)
            return Wait(wait) if wait else self._take_slot(turn, now)
        finally:
            self.page.unlock()

    def reached(self, slot: int, *, now: float, rest: float) -> None:
        """Let the spacing count from now. Each slot has one writer, its holder, so this needs no lock."""
        if slot in self._held:
            self.page.doubles[ENDED + slot] = now
            self.page.doubles[RESTS + slot] = now + rest
            self.page.bytes[MARKS + slot] = REACHED

    def leave(self, slot: int) -> None:
        """Empty the slot. The mark goes first: a free lock with a mark means a holder that died."""
        descriptor = self._held.pop(slot, None)
        if descriptor is not None:
            self.page.bytes[MARKS + slot] = EMPTY
            os.close(descriptor)

    def close(self) -> None:
        for slot in tuple(self._held):
            self.leave(slot)
        self.page.close()

    def _wait_left(self, turn: Turn, now: float, wall: float) -> float:
        self._belong_to_this_boot(now)
        self._bury_the_dead(now)
        if pause := self.paused_for(wall):
            self._clamp_pause(wall)
            return pause
        wait = self._free_at(turn) - now
        if (
            not wait <= LONGEST_REST + 3 * turn.spacing
        ):  # damaged, or not a number: rest once as if somebody had just asked
            self._reset(now)
            return turn.spacing
        return max(wait, 0.0) or self._wait_for_others(turn, now)

    def _clamp_pause(self, wall: float) -> None:
        # A wall clock set back would stretch the pause beyond what anybody asked for.
        if self.page.doubles[PAUSED_UNTIL] - wall > MAX_PAUSE_SECONDS:
            self.page.doubles[PAUSED_UNTIL] = wall + MAX_PAUSE_SECONDS

    def _wait_for_others(self, turn: Turn, now: float) -> float:
        marks = bytes(self.page.bytes[MARKS : MARKS + SLOTS])
        taken = SLOTS - marks.count(EMPTY)
        is_full = taken >= min(max(turn.max_concurrent, 1), SLOTS) or self._is_one_underway(marks, now)
        return turn.poll_seconds if is_full else 0.0

    def _is_one_underway(self, marks: bytes, now: float) -> bool:
        """Whether one may reach the origin at any moment: a second one now could arrive right beside it."""
        slot = marks.find(ENTERED)
        while slot >= 0:
            if now - self.page.doubles[ENDED + slot] < SURELY_THERE_SECONDS:
                return True
            slot = marks.find(ENTERED, slot + 1)
        return False

    def _free_at(self, turn: Turn) -> float:
        numbers = self.page.doubles
        last = max(numbers[LAST_ENTRY], *numbers[ENDED : ENDED + SLOTS])
        return max(numbers[NEXT_FREE], *numbers[RESTS : RESTS + SLOTS], last + turn.spacing)

    def _take_slot(self, turn: Turn, now: float) -> int | Wait:
        for slot in range(SLOTS):
            if self.page.bytes[MARKS + slot] == EMPTY and slot not in self._held:
                descriptor = self._lock_slot(slot)
                if descriptor is None:  # its holder is between emptying the mark and closing the lock
                    continue
                self._held[slot] = descriptor
                self.page.doubles[ENDED + slot] = now
                self.page.bytes[MARKS + slot] = ENTERED
                self.page.doubles[LAST_ENTRY] = now
                self.page.doubles[NEXT_FREE] = now + turn.rest
                return slot
        return Wait(BUSY_SECONDS)

    def _bury_the_dead(self, now: float) -> None:
        for slot in self._marked_by_others():
            descriptor = self._lock_slot(slot)
            if descriptor is not None:
                # Killed in the middle of a request: nobody knows when the origin got it, so it ends now.
                self.page.doubles[ENDED + slot] = now
                self.page.bytes[MARKS + slot] = EMPTY
                os.close(descriptor)

    def _marked_by_others(self) -> Iterator[int]:
        for slot, mark in enumerate(bytes(self.page.bytes[MARKS : MARKS + SLOTS])):
            if mark and slot not in self._held:
                yield slot

    def _lock_slot(self, slot: int) -> int | None:
        descriptor = os.open(f"{self._stem}.slot{slot:02}", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        return descriptor

    def _belong_to_this_boot(self, now: float) -> None:
        is_new = self.page.bytes[:8] != MAGIC
        if is_new or self.page.bytes[8:24] != boot_id():
            # After a reboot nobody knows how long ago the last request was: rest once, as if it were now.
            self._reset(-math.inf if is_new else now)

    def _reset(self, last_entry: float) -> None:
        numbers = self.page.doubles
        self.page.bytes[8:24] = boot_id()
        numbers[NEXT_FREE], numbers[LAST_ENTRY] = -math.inf, last_entry
        for slot in set(range(SLOTS)) - self._held.keys():
            numbers[ENDED + slot] = numbers[RESTS + slot] = -math.inf
            if self._lock_is_free(slot):
                self.page.bytes[MARKS + slot] = EMPTY
        self.page.bytes[:8] = MAGIC

    def _lock_is_free(self, slot: int) -> bool:
        descriptor = self._lock_slot(slot) if self.page.bytes[MARKS + slot] else None
        if descriptor is not None:
            os.close(descriptor)
        return descriptor is not None
