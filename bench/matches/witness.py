"""The witness: asks the monitor how it is, again and again, and holds each answer against the oracle and the origin."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from bench.matches.ground import Ground
from bench.matches.limpet_process import Limpet
from bench.matches.oracle import Look, Oracle
from bench.matches.origin import OriginLog

LOOK_SECONDS = 1.0
SLACK_SECONDS = 3.0  # an answer may take that long from the origin until it is taken in, on a busy machine
UNCERTAIN_SECONDS = 45.0  # a match that came or left so lately may count for the monitor, or not yet
_LISTED_KEPT = 120
_ACTIONS = ("soft_restart", "manual_trigger")


@dataclass(slots=True)
class Witness:
    """Sits in a thread of its own while the block lasts."""

    limpet: Limpet
    ground: Ground
    origin: OriginLog
    oracle: Oracle = field(default_factory=Oracle)
    grades: list[str] = field(default_factory=list)
    disagreements: list[object] = field(default_factory=list)
    unsure: int = 0  # samples at which the oracle could not tell between two grades
    ages: list[float] = field(default_factory=list)  # of live matches by data, from the origin's log
    told_ages: list[float] = field(default_factory=list)  # of live matches, as the monitor tells them
    slowest_answer: float = 0.0
    lost: Counter[str] = field(default_factory=Counter)  # samples that could not be had
    is_measuring: bool = False
    _leave: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _listed: dict[str, deque[tuple[float, bool]]] = field(default_factory=dict)
    _evaluated_at: float | None = None
    _known: dict[str, str | None] = field(default_factory=dict)  # audit entries, by id: their outcome
    _recycled_at: float = 0.0
    _wall: float = field(default_factory=lambda: time.monotonic() - time.time())

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._sit, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave.set()
        assert self._thread is not None
        self._thread.join(timeout=30)

    def live(self, at: float) -> tuple[set[str], set[str]]:
        """Return the matches that surely count as live at that moment, and those that may."""
        surely, maybe = set(), set()
        for key, times in self._listed.items():
            flags = {flag for when, flag in times if at - UNCERTAIN_SECONDS <= when <= at}
            if True in flags:
                (surely if flags == {True} else maybe).add(key)
        return surely, maybe

    def _sit(self) -> None:
        while not self._leave.wait(LOOK_SECONDS):
            try:
                self._note_listed()
                began = time.monotonic()
                status = self.limpet.ask("/status")
                if self.is_measuring:
                    self.slowest_answer = max(self.slowest_answer, time.monotonic() - began)
                self.origin.look()
            except OSError as error:
                self.lost[type(error).__name__] += 1
                continue
            self._judge(status, began)
            self._measure(status, began)

    def _note_listed(self) -> None:
        now = time.monotonic()
        for match in self.ground.matches():
            is_live = match["is_listed"] and match["phase"] not in ("not_started", "finished")
            self._listed.setdefault(match["key"], deque(maxlen=_LISTED_KEPT)).append((now, is_live))

    def _judge(self, status: dict[str, Any], at: float) -> None:
        for _, act in sorted(self._events(status), key=lambda event: event[0]):
            act()
        self._take_answers(at)
        self.grades.append(status["grade"])
        self.unsure += len(self.oracle.grades) > 1
        expected = sorted(self.oracle.grades)
        if not self.oracle.agrees(status["grade"]):
            self.disagreements.append(f"sample {len(self.grades)}: {status['grade']}, expected {expected}")
            self.oracle = Oracle({(status["grade"], 0)})  # each later sample is judged by itself

    def _events(self, status: dict[str, Any]) -> list[tuple[float, Any]]:
        """Return what happened since the last sample, each with its moment."""
        events: list[tuple[float, Any]] = []
        if status["evaluated_at"] not in (None, self._evaluated_at):
            self._evaluated_at = status["evaluated_at"]
            at = self._evaluated_at + self._wall
            events.append((at, lambda: self.oracle.look(self._look_at(at))))
        for entry in status["audit_entries"]:
            if entry["action_type"] in _ACTIONS and entry["entry_id"] not in self._known:
                self._recycled_at = entry["timestamp"] + self._wall
                events.append((self._recycled_at, self.oracle.recycled))
            if entry["outcome"] == "failed" and self._known.get(entry["entry_id"]) != "failed":
                events.append((entry["judged_at"] + self._wall, self.oracle.recovery_failed))
            self._known[entry["entry_id"]] = entry["outcome"]
        return events

    def _look_at(self, at: float) -> Look:
        surely, maybe = self.live(at)
        at_least = [self._age(key, at, slack=0.0) for key in surely]
        at_most = [self._age(key, at, slack=SLACK_SECONDS) for key in surely | maybe]
        latest = [self.origin.last_told_by_any(key, before=at) for key in self._listed]
        last = max((each for each in latest if each is not None), default=at)
        stall = at - last
        return Look(
            [age - SLACK_SECONDS for age in at_least if age is not None],
            [age for age in at_most if age is not None],
            stall - SLACK_SECONDS,
            stall + SLACK_SECONDS,
        )

    def _age(self, key: str, at: float, *, slack: float) -> float | None:
        last_told = self.origin.last_told if slack else self.origin.last_told_by_any
        told = last_told(key, before=at - slack)
        return None if told is None else at - told

    def _take_answers(self, at: float) -> None:
        if "recovering" not in self.oracle.grades:
            return
        first = self.origin.first_told_after(self._recycled_at - SLACK_SECONDS)
        if first is not None:
            sure = self.origin.first_told_after(self._recycled_at + 0.5)
            self.oracle.answered(surely=sure is not None and sure < at - SLACK_SECONDS)

    def _measure(self, status: dict[str, Any], at: float) -> None:
        if not self.is_measuring:
            return
        surely, _ = self.live(at)
        told = [self.origin.last_told_by_data(key, before=at) for key in surely]
        self.ages += [at - each for each in told if each is not None]
        self.told_ages += status["freshness_stats"]["samples"]
