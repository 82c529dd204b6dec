"""Tidies what a crash left among the artefacts: unfinished files go, finished ones without a row stay."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, select

from limpet.record.artefacts import PART_SUFFIX
from limpet.record.log_tables import artefacts


def sweep(connection: Connection, data_dir: Path) -> int:
    """Remove unfinished files of dead processes and return how many there were.

    A finished file without a row is left alone: its document may be adopted by it, or a person may have put it there.
    """
    folders = artefact_folders(connection, data_dir)
    return sum(_remove_if_abandoned(part) for folder in folders for part in _parts(folder))


def orphan_files(data_dir: Path, folders: list[Path], known: set[str]) -> Iterator[Path]:
    """Yield finished files in the artefact folders that no row speaks of."""
    for folder in folders:
        for path in sorted(folder.iterdir()):
            is_ours = path.is_file() and not path.name.startswith(".")
            if is_ours and str(path.relative_to(data_dir)) not in known:
                yield path


def artefact_folders(connection: Connection, data_dir: Path) -> list[Path]:
    """Return the folders that hold artefacts."""
    kinds = connection.execute(select(artefacts.c.kind).distinct()).scalars()
    return [data_dir / kind for kind in kinds if (data_dir / kind).is_dir()]


def _parts(folder: Path) -> Iterator[Path]:
    return folder.glob(f".*{PART_SUFFIX}")


def _remove_if_abandoned(part: Path) -> bool:
    try:
        fd = os.open(part, os.O_WRONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False  # somebody is writing it right now
    else:
        part.unlink(missing_ok=True)
        return True
    finally:
        os.close(fd)
