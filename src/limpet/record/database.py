"""Opens the ledger's database: a SQLite file in the data directory, or Postgres by URL."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from limpet.errors import DataDirUnusable, DiskInsufficient, LedgerUnreadable, LimpetError
from limpet.record.faults import in_our_words

LEDGER_FILE = "limpet.db"
BUSY_SECONDS = 10
FREE_SPACE_FIX = "Free some space, or choose another place with LIMPET_DATA_DIR."
POSTGRES_DRIVER = "postgresql+psycopg"
FROZEN_SECONDS = 15


def ledger_url(where: str | Path) -> URL:
    """Return the database for a URL, a data directory or a SQLite file; refuse every other kind."""
    if "://" not in str(where):
        path = Path(where)
        return URL.create("sqlite", database=str(path if path.suffix == ".db" else path / LEDGER_FILE))
    try:
        url = make_url(str(where))
    except ArgumentError as exc:
        raise LedgerUnreadable("The database URL cannot be read.", fix=_URL_FIX) from exc
    if url.drivername in ("postgres", "postgresql", POSTGRES_DRIVER):
        return url.set(drivername=POSTGRES_DRIVER)
    if url.drivername == "sqlite" and url.database:
        return url
    raise LedgerUnreadable(f"The ledger cannot live in {url.drivername!r}.", fix=_URL_FIX)


def has_ledger(where: str | Path) -> bool:
    """Whether a ledger was ever begun there; of a server only opening it can tell, so that counts as one."""
    url = ledger_url(where)
    return url.drivername != "sqlite" or Path(str(url.database)).is_file()


def open_engine(where: str | Path) -> Engine:
    """Return an engine whose every connection is durable; nothing is asked of the database yet."""
    url = ledger_url(where)
    if url.drivername != "sqlite":
        return create_engine(
            url, pool_pre_ping=True, pool_size=8, json_serializer=json_text, json_deserializer=orjson.loads
        )
    make_directory(Path(str(url.database)).parent)
    engine = create_engine(
        url,
        json_serializer=json_text,
        json_deserializer=orjson.loads,
        pool_size=8,
        pool_use_lifo=True,  # few warm connections serve better than many cold ones
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def for_writing(engine: Engine) -> Engine:
    """Return the same engine for transactions that write: on SQLite they take the write lock at once.

    A transaction that reads first and writes later cannot wait for a busy writer; SQLite fails it instead.
    """
    return engine.execution_options(limpet_begin="BEGIN IMMEDIATE")


def free_locks_of_the_frozen(engine: Engine) -> None:
    """Let Postgres end a transaction whose process stopped in the middle of it, with its host or on its own.

    Without that its rows stay locked for as long as its connection lives, and whoever takes over waits with it.
    """
    if engine.dialect.name == "postgresql":
        event.listen(engine, "connect", _limit_idle_transactions)


def make_directory(directory: Path) -> None:
    """Create the directory, or say in one sentence why it cannot be."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise unusable(directory, exc) from exc


def unusable(directory: Path, exc: OSError) -> LimpetError:
    """Name what the file system said about our directory."""
    if exc.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskInsufficient(f"No space is left for {directory}.", fix=FREE_SPACE_FIX)
    return DataDirUnusable(
        f"Cannot write to {directory}: {exc.strerror}.",
        fix="Make the directory writable, or choose another place with LIMPET_DATA_DIR.",
    )


def check_readable(engine: Engine) -> None:
    """Connect once; raise LedgerUnreadable or DataDirUnusable when the database cannot be used."""
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("SELECT 1")
    except Exception as exc:
        raise in_our_words(exc, engine.url) from exc


def json_text(value: Any) -> str:
    """Return the JSON text the ledger keeps."""
    return orjson.dumps(value, default=str).decode()


def _prepare_sqlite(dbapi_connection: Any, _record: Any) -> None:
    # We say BEGIN ourselves: the driver's own habit commits before DDL and never takes the lock early.
    dbapi_connection.isolation_level = None
    cursor = dbapi_connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA journal_mode = WAL")
    # NORMAL loses acknowledged commits when the power goes; FULL syncs the log at every commit.
    cursor.execute("PRAGMA synchronous = FULL")
    # In KiB. Hashes land anywhere in their index, for which the default of 2 MiB is too small.
    cursor.execute("PRAGMA cache_size = -8000")
    cursor.close()


def _limit_idle_transactions(dbapi_connection: Any, _record: Any) -> None:
    dbapi_connection.execute(f"SET idle_in_transaction_session_timeout = '{FROZEN_SECONDS}s'")
    dbapi_connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("limpet_begin", "BEGIN"))


_URL_FIX = "Use postgresql://user@host/name, or leave it out to keep a SQLite file in the data directory."
