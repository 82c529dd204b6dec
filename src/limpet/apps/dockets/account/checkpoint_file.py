"""`checkpoint.json` and its journal: the whole is rewritten rarely, what changed is appended.

A checkpoint of 99,999 jobs is ten megabytes. Rewriting it for every job would write a terabyte; so it is replaced only
when the journal has grown to a good part of it, and at every stop. It names its journal: the two cannot be mixed.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from limpet.apps.dockets.account.checkpoint import (
    Checkpoint,
    Cursor,
    JobSummary,
    applied,
    damage,
    read_checkpoint,
    require_consistent,
    summary_of,
)
from limpet.apps.dockets.errors import CheckpointUnusable
from limpet.record.database import make_directory
from limpet.record.durable_file import LineFile, replace_file, whole_lines

FILE = "checkpoint.json"
_JOURNAL = "journal"
_SMALLEST_JOURNAL = 2_000  # jobs; below this a rewrite is never worth it
_SHARE = 3  # the journal may grow to a third of the jobs


def load_checkpoint(path: Path) -> Checkpoint:
    """Return the checkpoint in this file or folder with its journal applied; raise CheckpointUnusable."""
    file = path / FILE if path.is_dir() else path
    try:
        found = read_checkpoint(file.read_bytes(), name=str(file))
    except OSError as exc:
        fix = "Name a checkpoint.json, or the folder that holds one."
        raise CheckpointUnusable(f"{file} cannot be read: {exc.strerror}.", fix=fix) from exc
    journal = found.worker_state.get(_JOURNAL)
    lines = whole_lines(file.parent / Path(str(journal)).name) if journal else []
    found = _with_journal(found, lines, name=str(file))
    require_consistent(found.jobs, found.cursor, name=str(file))
    return found


def _with_journal(found: Checkpoint, lines: Sequence[bytes], *, name: str) -> Checkpoint:
    """Return the checkpoint as its last line left it; a line torn by a crash was never one."""
    if not lines:
        return found
    try:
        told = [orjson.loads(line) for line in lines]
        changes = [summary_of(each) for line in told for each in line["jobs"]]
        at = datetime.fromisoformat(told[-1]["updated_at"])
        cursor = Cursor(**told[-1]["cursor"])
        return replace(found, jobs=applied(found.jobs, changes), cursor=cursor, updated_at=at)
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as exc:
        raise CheckpointUnusable(
            f"The journal of {name} is damaged: {damage(exc)}.", fix="Name another checkpoint."
        ) from exc


@dataclass(slots=True)
class CheckpointFile:
    """Keeps one run's checkpoint; the folder is locked, so that there is one writer."""

    folder: Path
    run_id: str
    source_id: str
    params: Mapping[str, Any]
    _lock: int = -1
    _journal: LineFile | None = None
    _generation: int = 0
    _journaled: int = 0
    bytes_written: int = 0

    @property
    def path(self) -> Path:
        return self.folder / FILE

    def open(self) -> None:
        """Take the folder, or raise CheckpointUnusable while another process has it."""
        make_directory(self.folder)
        self._lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            self._lock = -1
            raise CheckpointUnusable(
                f"Another process writes {self.folder}.", fix="Wait for it, or stop it first."
            ) from None
        self._generation = max(map(_generation_of, self.folder.glob("journal-*.ndjson")), default=0)

    def rewrite(self, jobs: Sequence[JobSummary], cursor: Cursor, *, now: datetime) -> None:
        """Replace the whole file, and begin a new journal."""
        self._generation += 1
        name = f"journal-{self._generation}.ndjson"
        upcoming = LineFile(self.folder / name, point="journal")
        state = {_JOURNAL: name, "params": dict(self.params)}
        content = Checkpoint(self.run_id, self.source_id, jobs, cursor, now, state).to_bytes()
        replace_file(self.path, content, point="checkpoint")
        self.bytes_written += len(content)
        self._let_go_of_journal()
        self._journal, self._journaled = upcoming, 0
        for old in self.folder.glob("journal-*.ndjson"):
            if old.name != name:
                old.unlink(missing_ok=True)

    def note(
        self, changed: Sequence[JobSummary], jobs: Sequence[JobSummary], cursor: Cursor, *, now: datetime
    ) -> None:
        """Append what changed; when the journal has grown enough, rewrite the whole."""
        if self._journal is None or self._journaled + len(changed) > max(
            _SMALLEST_JOURNAL, len(jobs) // _SHARE
        ):
            self.rewrite(jobs, cursor, now=now)
            return
        line = {"jobs": changed, "cursor": asdict(cursor), "updated_at": now}
        content = orjson.dumps(line, option=orjson.OPT_UTC_Z) + b"\n"
        self._journal.append(content)
        self.bytes_written += len(content)
        self._journaled += len(changed)

    def close(self) -> None:
        """Let go of everything."""
        self._let_go_of_journal()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _let_go_of_journal(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None


def _generation_of(path: Path) -> int:
    digits = path.stem.partition("-")[2]
    return int(digits) if digits.isdigit() else 0
