"""The troublemaker: breaks one thing after the other from outside, and measures how long each takes to be well."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import psutil
from bench.matches.ground import ZONES
from bench.matches.kept_redis import KeptRedis
from bench.matches.matchday import Matchday
from bench.matches.origin import DATA_HOST

GIVE_UP_SECONDS = 120.0
LOOK_SECONDS = 0.2
CHROMIUM, SOURCE, TOO_MANY, REDIS = "killed Chromium", "a source down", "429s", "a restarted Redis"
# What the monitor writes down for each: the action, and a word of its condition.
AUDITED_AS = {
    CHROMIUM: ("browser_recycle", ""),
    SOURCE: ("source_returned", "crex: gate.breaker"),
    TOO_MANY: ("source_returned", "pavilion: fetch.rate_limited"),
    REDIS: ("store_returned", "redis"),
}


class Troublemaker:
    """Two hands: one kills browsers, the other does everything else, each in a thread."""

    def __init__(self, day: Matchday, redis: KeptRedis, *, minutes: float) -> None:
        self._day, self._redis = day, redis
        self._seconds = minutes * 60
        self._kill_every = min(30.0, self._seconds / 4)
        self.took: dict[str, list[float]] = {}
        self.never_over: list[object] = []
        self.browsers: set[tuple[int, float]] = set()
        self._hands = [
            threading.Thread(target=hand, daemon=True) for hand in (self._kill_browsers, self._break_the_rest)
        ]

    def begin(self) -> None:
        """Start breaking."""
        self._until = time.monotonic() + self._seconds
        for hand in self._hands:
            hand.start()

    def is_at_work(self) -> bool:
        """Whether anything is still being broken, or waited for."""
        return any(hand.is_alive() for hand in self._hands)

    # -- what is broken ------------------------------------------------------------------------------------

    def _kill_browsers(self) -> None:
        while time.monotonic() < self._until:
            victims = chromium_of(self._day.limpet.pid)
            self.browsers |= victims
            if victims:
                seen = self._browser_successes()
                for pid, _ in victims:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                self._well_again(CHROMIUM, lambda _, seen=seen: self._browser_successes() > seen)
            self._sleep(self._kill_every if victims else LOOK_SECONDS)

    def _break_the_rest(self) -> None:
        self._source_down(min(120.0, self._seconds / 5))
        self._too_many_requests()
        self._restart_redis()
        while time.monotonic() < self._until - 60:
            self._sleep(20)
            self._too_many_requests()

    def _source_down(self, seconds: float) -> None:
        self._day.ground.set_fault("crexapi", "server_error_500", host=DATA_HOST)
        self._sleep(seconds, at_least=True)
        self._day.ground.clear_faults("crexapi")
        self._well_again(SOURCE, lambda at: self._all_told(self._day.witness.origin.by_data, at))

    def _too_many_requests(self) -> None:
        host = f"pavilion.{ZONES['pavilion']}.localhost"
        options = {"options": {"retry_after": 2}}
        self._day.ground.set_fault("pavilion", "rate_limited_seconds", host=host, times=3, **options)
        self._well_again(TOO_MANY, lambda at: self._all_told(self._day.witness.origin.by_second, at + 2))

    def _restart_redis(self) -> None:
        self._redis.crash_and_return()
        self._well_again(REDIS, lambda at: self._all_told(self._day.witness.origin.by_data, at))

    # -- when it is well again -----------------------------------------------------------------------------

    def _well_again(self, what: str, is_well: Callable[[float], bool]) -> None:
        began = time.monotonic()
        while time.monotonic() - began < GIVE_UP_SECONDS:
            with suppress(OSError):
                if is_well(began):
                    self.took.setdefault(what, []).append(time.monotonic() - began)
                    return
            time.sleep(LOOK_SECONDS)
        self.never_over.append(what)

    def _all_told(self, told: dict[str, list[float]], after: float) -> bool:
        """Whether every match that is being played was told of again."""
        playing = {match["key"] for match in self._day.ground.matches() if match["phase"] == "in_play"}
        known = {key for key in playing if told.get(key)}
        return bool(known) and all(told[key][-1] > after for key in known)

    def _browser_successes(self) -> int:
        rows = self._day.limpet.ask("/health")["scrapers"]
        return sum(row["total_updates"] for row in rows if row["match_id"].startswith("crex_browser:"))

    def _sleep(self, seconds: float, *, at_least: bool = False) -> None:
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until and (at_least or now < self._until):
            time.sleep(min(LOOK_SECONDS, until - now))


def chromium_of(pid: int) -> set[tuple[int, float]]:
    """Return the living browsers among a process's children, each with the moment it began."""
    found = set()
    with suppress(psutil.Error):
        for process in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.Error):
                name = process.name().lower()
                is_browser = "chrom" in name or "headless" in name
                if is_browser and process.status() != psutil.STATUS_ZOMBIE:
                    found.add((process.pid, process.create_time()))
    return found


def is_alive(pid: int, began: float) -> bool:
    """Whether that very process still runs."""
    try:
        process = psutil.Process(pid)
        return process.create_time() == began and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
