"""Browsers whose owner was killed: each launch leaves a note in the data directory, the next start sweeps.

Playwright's driver ends when its owner's end of the pipe closes, and Chromium when the driver's does; notes
are for the day one of them does not. A browser is swept only when its owner is dead and it is itself.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from limpet.fetch.browser.process_tree import ProcessTree

FOLDER = "browsers"
# A start time is computed from the boot time, which moves a little when the clock is set.
_SAME_START_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class BrowserNote:
    """Who owns a browser and which processes it is made of, with start times because pids are used again."""

    owner_pid: int
    owner_started: float
    root_pid: int
    root_started: float
    session: int | None
    driver_pid: int | None
    driver_started: float
    executable: str

    @classmethod
    def about(cls, tree: ProcessTree) -> BrowserNote:
        return cls(
            os.getpid(),
            _started(os.getpid()),
            tree.root_pid,
            _started(tree.root_pid),
            tree.session,
            tree.driver.pid if tree.driver else None,
            _started(tree.driver.pid) if tree.driver else 0.0,
            _executable(tree.root_pid),
        )

    def write(self, data_dir: Path) -> Path:
        """Leave the note; return where it lies, to be removed when the browser is gone."""
        folder = data_dir / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.owner_pid}-{self.root_pid}.json"
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")
        return path


def sweep_orphans(data_dir: Path) -> list[int]:
    """End every browser whose owner is dead; return the pids that were ended."""
    ended: list[int] = []
    for path in sorted((data_dir / FOLDER).glob("*.json")):
        note = _read(path)
        if note is not None and _is_same(note.owner_pid, note.owner_started):
            continue
        if note is not None:
            ended += _end(note)
        path.unlink(missing_ok=True)
    return ended


def _end(note: BrowserNote) -> list[int]:
    orphans = _members(note)
    for process in orphans:
        process.kill()
    psutil.wait_procs(orphans, timeout=5)
    return [process.pid for process in orphans]


def _members(note: BrowserNote) -> list[psutil.Process]:
    """Return the living processes the note speaks of, and no stranger given one of their pids since."""
    members: list[psutil.Process] = []
    if note.driver_pid and _is_same(note.driver_pid, note.driver_started):
        members.append(psutil.Process(note.driver_pid))
    tree = ProcessTree(note.root_pid, note.session)
    root_lives = _is_same(note.root_pid, note.root_started)
    for process in tree.members():
        if root_lives or (note.session is not None and _executable(process.pid) == note.executable):
            members.append(process)
    return members


def _read(path: Path) -> BrowserNote | None:
    try:
        return BrowserNote(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None  # written half before a crash: whoever it spoke of cannot be told from a stranger


def _is_same(pid: int, started: float) -> bool:
    return started > 0 and abs(_started(pid) - started) < _SAME_START_SECONDS


def _started(pid: int | None) -> float:
    try:
        return psutil.Process(pid).create_time() if pid else 0.0
    except psutil.Error:
        return 0.0


def _executable(pid: int) -> str:
    try:
        return psutil.Process(pid).exe()
    except psutil.Error:
        return ""
