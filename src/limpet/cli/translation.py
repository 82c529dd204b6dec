"""What the machine says, in words people can act on: no errno, no driver class, no traceback."""

from __future__ import annotations

import errno
import sys

from limpet.errors import (
    DataDirUnusable,
    DiskInsufficient,
    FileUnreadable,
    LimpetError,
    PortInUse,
    SwitchedOff,
    UsageError,
    leaves,
)

NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
NOT_ALLOWED = (errno.EROFS, errno.EACCES, errno.EPERM)
_OUT_OF_RANGE = "22003"  # Postgres for the same: no column holds so large a number
_NUMBER_FIX = "Give a number as the lists show it, such as `limpet list`."


def in_our_words(error: BaseException) -> LimpetError | None:
    """Return the error to show, or None when this one is unexpected."""
    for each in leaves(error):
        known = _known(each)
        if known is not None:
            return known
    return None


def exit_code(error: LimpetError) -> int:
    """2 when the person can fix it, 1 when the world did not give what was asked."""
    return 2 if isinstance(error, UsageError | DiskInsufficient | SwitchedOff) else 1


def _known(error: BaseException) -> LimpetError | None:
    if isinstance(error, LimpetError):
        return error
    if isinstance(error, OverflowError) and "SQLite INTEGER" in str(error):
        return UsageError("There is nothing with so large a number.", fix=_NUMBER_FIX)
    if isinstance(error, OSError):
        return _from_the_system(error)
    if type(error).__module__.startswith("sqlalchemy"):
        return _from_the_database(error)
    return None


def _from_the_system(error: OSError) -> LimpetError | None:
    place = error.filename or "The file system"
    if error.errno in NO_SPACE:
        what = f"to write {error.filename}" if error.filename else "on the disk"
        return DiskInsufficient(f"There is no space left {what}.", fix="Free some space, then run it again.")
    if error.errno in NOT_ALLOWED:
        fix = "Make it accessible, or choose another place with --data-dir."
        return DataDirUnusable(f"{place} cannot be used: {_reason(error)}.", fix=fix)
    if error.errno == errno.EADDRINUSE:
        return PortInUse(
            "The port is already in use.", fix="Stop the other program, or choose another with --port."
        )
    if error.filename and isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError):
        return FileUnreadable(f"{place} cannot be used: {_reason(error)}.", fix="Check the path.")
    return None


def _reason(error: OSError) -> str:
    return (error.strerror or "the system refused").lower()


def _from_the_database(error: BaseException) -> LimpetError | None:
    """Ask the ledger's own interpreter; it is loaded already when a database error exists."""
    faults = sys.modules.get("limpet.record.faults")
    url = sys.modules.get("sqlalchemy")
    if faults is None or url is None:
        return None
    address = "postgresql" if "psycopg" in type(getattr(error, "orig", error)).__module__ else "sqlite"
    if getattr(getattr(error, "orig", None), "sqlstate", None) == _OUT_OF_RANGE:
        return UsageError("There is nothing with so large a number.", fix=_NUMBER_FIX)
    known = faults.in_our_words(error, url.make_url(f"{address}://"))
    return known if isinstance(known, LimpetError) else None
