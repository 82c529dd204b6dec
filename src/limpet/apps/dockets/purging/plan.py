"""What a purge would remove, and every doubt that keeps it from being done. The dry run shows this very plan."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from limpet.apps.dockets.purging.doubts import doubts_about
from limpet.apps.dockets.purging.files import PlannedFile, files_of
from limpet.apps.dockets.purging.rows import TABLES, YearRows, rows_of


@dataclass(frozen=True, slots=True)
class PurgePlan:
    """One year of one source: its rows, its files, its kept pages - and nothing of any other year."""

    source_id: str
    year: int  # in full
    rows: YearRows
    files: tuple[PlannedFile, ...]
    doubts: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to remove."""
        return not (self.rows.cases or self.rows.has_bound or self.files)

    @property
    def confirmation(self) -> str:
        """What a person must type."""
        return f"PURGE {self.year}"

    @property
    def fingerprint(self) -> str:
        """The same for the same plan: what was shown is what is done."""
        told = (self.source_id, self.year, sorted(self.rows.cases), self.counts(), self.rows.snapshots)
        names = sorted((file.path, file.sha256) for file in self.files)
        return hashlib.sha256(repr((told, names)).encode()).hexdigest()

    def counts(self) -> dict[str, int]:
        """Return how many rows of each table go, how many kept pages and how many files."""
        by_table = {str(table.name): self.rows.counts[table.name] for table in TABLES}
        return {**by_table, "snapshots": len(self.rows.snapshots), "files": len(self.files)}

    def facts(self) -> dict[str, Any]:
        """Return it for people, audits and machines."""
        return {
            "source": self.source_id,
            "year": self.year,
            "counts": self.counts(),
            "bytes": sum(file.size_bytes for file in self.files),
            "sample_cases": _sample(self.rows.case_ids),
            "sample_files": _sample([file.path for file in self.files]),
            "doubts": list(self.doubts),
        }


def plan_purge(
    connection: Connection, data_dir: Path, *, source_id: str, year: int, worker: str, now: datetime
) -> PurgePlan:
    """Return the plan as things stand now; looks at every file, changes nothing."""
    rows = rows_of(connection, source_id=source_id, year=year)
    files = files_of(connection, data_dir, rows)
    doubts = doubts_about(connection, data_dir, rows, files, worker=worker, now=now)
    return PurgePlan(source_id, year, rows, files, tuple(doubts))


def _sample(names: Sequence[str]) -> list[str]:
    return [*names[:3], "...", *names[-2:]] if len(names) > 6 else list(names)
