"""What a database says when it cannot, in our words."""

from __future__ import annotations

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, OperationalError

from limpet.errors import DataDirUnusable, DiskInsufficient, LedgerBusy, LedgerUnreadable, LimpetError

_SPACE_FIX = "Free some space on that disk, then start again: nothing acknowledged is lost."
_WRITABLE_FIX = "Make it writable, or choose another place with LIMPET_DATA_DIR."


def in_our_words(exc: BaseException, url: URL) -> BaseException:
    """Return the error people should see, or the database's own complaint when it is our bug."""
    if not isinstance(exc, DBAPIError) or isinstance(exc, LimpetError):
        return exc
    return _sqlite_words(exc, url) if url.drivername == "sqlite" else _postgres_words(exc, url)


def is_passing(exc: BaseException) -> bool:
    """Whether waiting a little and doing the same again may help: a lock is held, or the server went away."""
    return is_busy(exc) or _is_disconnect(exc) or was_undone(exc)


def was_undone(exc: BaseException) -> bool:
    """Whether the server itself ended the transaction, because nothing was heard of it for too long."""
    return isinstance(exc, DBAPIError) and _sqlstate(exc) == "25P03"


def is_busy(exc: BaseException) -> bool:
    """Whether somebody else holds what we need."""
    if not isinstance(exc, OperationalError):
        return False
    return "locked" in str(exc.orig) or _sqlstate(exc) in ("40001", "40P01", "55P03")


def _is_disconnect(exc: BaseException) -> bool:
    if not isinstance(exc, DBAPIError):
        return False
    # A refused connection carries no state at all; 57P is a server that shuts down or starts up.
    is_from_postgres = isinstance(exc, OperationalError) and hasattr(exc.orig, "sqlstate")
    is_away = (_sqlstate(exc) or "08").startswith(("08", "57P"))
    return exc.connection_invalidated or (is_from_postgres and is_away)


def _sqlstate(exc: DBAPIError) -> str:
    return getattr(exc.orig, "sqlstate", None) or ""


def _sqlite_words(exc: DBAPIError, url: URL) -> BaseException:
    text, place = str(exc.orig), url.database
    if "not a database" in text or "malformed" in text or "encrypted" in text:
        return LedgerUnreadable(
            f"{place} is not a readable ledger ({text}).",
            fix="Restore it from a backup, or move it away to begin a new ledger.",
        )
    if "full" in text:
        return DiskInsufficient(f"No space is left for {place}.", fix=_SPACE_FIX)
    if "readonly" in text or "unable to open" in text or "disk I/O error" in text:
        return DataDirUnusable(f"Cannot write {place}: {text}.", fix=_WRITABLE_FIX)
    if "locked" in text:
        return LedgerBusy(
            f"{place} stayed busy: another program holds its lock.", fix="Try again in a moment."
        )
    return exc


def _postgres_words(exc: DBAPIError, url: URL) -> BaseException:
    place = url.render_as_string(hide_password=True)
    sqlstate = _sqlstate(exc)
    if sqlstate == "53100":
        return DiskInsufficient(
            f"No space is left for {place}.", fix="Free some space on the database server."
        )
    if is_busy(exc):
        return LedgerBusy(f"{place} stayed busy.", fix="Try again in a moment.")
    if isinstance(exc, OperationalError) or sqlstate[:2] in ("08", "28", "3D", "57"):
        return LedgerUnreadable(
            f"Cannot reach the ledger at {place}: {str(exc.orig).splitlines()[0]}.",
            fix="Check that the server runs and that LIMPET_DATABASE_URL names its host, user and database.",
        )
    return exc
