"""The files on the disk beside what the ledger says of them: whether one stands whole, and where a damaged one goes."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from pathlib import Path

import structlog

from limpet.apps.judgments.standing import CaseStanding
from limpet.record.artefacts import hash_file
from limpet.record.database import unusable

_log = structlog.get_logger("limpet.judgments")


def stands_whole(case: CaseStanding, data_dir: Path, *, thoroughly: bool = False) -> bool:
    """Whether the file is there in the size on record; thoroughly, with the hash on record too."""
    if case.path is None:
        return False
    path = data_dir / case.path
    try:
        if not path.is_file() or path.stat().st_size != case.size_bytes:
            return False
        return not thoroughly or hash_file(path) == case.sha256
    except OSError:  # gone between two looks, or a disk that cannot read it: the archive does not have it
        return False


def set_aside(damaged: Iterable[CaseStanding], data_dir: Path) -> int:
    """Free the names of files that are not what was stored, and return how many there were.

    Otherwise the document would be kept under a second name beside them. Nothing is thrown away: `verify` names
    what lies aside, and a person removes it.
    """
    return sum(_set_aside(data_dir / case.path) for case in damaged if case.path is not None)


def _set_aside(path: Path) -> bool:
    if not path.is_file():
        return False
    aside = path.with_name(f"{path.name}.damaged-{secrets.token_hex(4)}")
    try:
        path.rename(aside)
    except OSError as wrong:
        raise unusable(path.parent, wrong) from wrong
    _log.warning("damaged_file_set_aside", path=path.name, now=aside.name)
    return True
