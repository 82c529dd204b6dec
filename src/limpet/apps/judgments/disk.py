"""Room on the disk: what a run is likely to need, and whether it is there."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, func, select

from limpet.apps.judgments.tables import case_files

_ROOM_TO_BREATHE = 64 * 1024 * 1024  # for the ledger and its log beside the files
_ENOUGH_TO_MEASURE = 10


@dataclass(frozen=True, slots=True)
class DiskEstimate:
    """What so many documents will take, and what is free."""

    documents: int
    average_bytes: int
    free_bytes: int

    @property
    def expected_bytes(self) -> int:
        """What the run is likely to write."""
        return self.documents * self.average_bytes

    @property
    def is_tight(self) -> bool:
        """Whether that may well not fit."""
        return self.documents > 0 and self.expected_bytes + _ROOM_TO_BREATHE > self.free_bytes


def estimate(connection: Connection, documents: int, *, data_dir: Path, assumed_bytes: int) -> DiskEstimate:
    """Estimate by what documents have weighed so far; with too few of them, by what is assumed."""
    count, average = connection.execute(
        select(func.count(), func.avg(case_files.c.size_bytes)).select_from(case_files)
    ).one()
    weight = int(average) if count >= _ENOUGH_TO_MEASURE else assumed_bytes
    return DiskEstimate(documents, weight, shutil.disk_usage(data_dir).free)
