"""Named places where a process may be made to die, so that a harness can prove nothing is lost there."""

from __future__ import annotations

import os
import signal

POINTS = (
    "before_snapshot_sync",  # the body is in the pack, not yet on the disk
    "after_snapshot_sync",  # the body is safe, no row points at it
    "before_repoint",  # bodies were copied to another pack, every row still points at the old one
    "after_repoint",  # the rows point at the new pack, the old one is still there
    "before_pack_removal",  # nothing points at the old pack any more
    "after_pack_removal",  # it is gone, and still noted as leaving
    "before_commit",  # every statement ran, nothing is committed
    "after_commit",  # committed, nobody was told
    "after_lease",  # jobs are running under our name, nothing was fetched
    "after_fetch",  # the origin has answered, nothing of it is recorded
    "before_settle",  # the verdict is reached, the ledger has not heard of it
    "before_artefact_rename",  # the file is complete under its temporary name
    "after_artefact_rename",  # the file stands under its name, no row points at it
    "before_journal_sync",  # what changed in a batch is in its journal, perhaps not on the disk
    "before_checkpoint_rename",  # a checkpoint is complete under its temporary name
    "after_checkpoint_rename",  # the new checkpoint stands, the old journal is still there
)

_armed: dict[str, int] = {}


def arm(name: str, hits: int = 1) -> None:
    """Make this process die, as by kill -9, the `hits`-th time it reaches the point."""
    if name not in POINTS:
        raise ValueError(f"{name!r} is not a crash point; there are {', '.join(POINTS)}")
    _armed[name] = hits


def disarm() -> None:
    """Make every point harmless again."""
    _armed.clear()


def reach(name: str) -> None:
    """Do nothing, unless the point is armed."""
    if _armed and name in _armed:
        _count_down(name)


def _count_down(name: str) -> None:
    _armed[name] -= 1
    if _armed[name] <= 0:
        os.kill(os.getpid(), signal.SIGKILL)
