"""Brings a ledger to today's schema, safely when several processes start at once."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from limpet.errors import LedgerUnreadable, SchemaTooNew
from limpet.record.database import for_writing
from limpet.record.faults import in_our_words
from limpet.record.layout import lay_out

VERSION_TABLE = "limpet_schema_version"
SCRIPTS = Path(__file__).parent / "migrations"
# Any number will do, as long as every Limpet uses the same one.
_POSTGRES_LOCK = 5_164_906_352_001


def migrate(engine: Engine) -> None:
    """Upgrade to the newest schema; refuse a ledger of a newer Limpet. Doing it twice does nothing."""
    try:
        with engine.connect() as connection:
            if _revision(connection) == newest_revision():
                return
        _upgrade(engine)
    except Exception as exc:
        raise in_our_words(exc, engine.url) from exc


def standing(engine: Engine) -> str | None:
    """Return the ledger's schema revision, None when it is new; refuse a newer one. Changes nothing."""
    try:
        with engine.connect() as connection:
            return _revision(connection)
    except Exception as exc:
        raise in_our_words(exc, engine.url) from exc


@cache
def known_revisions() -> dict[str, str | None]:
    """Return every revision with the one it follows, read from the scripts without importing Alembic."""
    found = (_header(path.read_text(encoding="utf-8")) for path in sorted(SCRIPTS.glob("versions/[0-9]*.py")))
    return dict(found)


@cache
def newest_revision() -> str:
    """Return the revision no other follows."""
    known = known_revisions()
    (newest,) = set(known) - set(known.values())
    return newest


def _header(script: str) -> tuple[str, str | None]:
    names = re.findall(
        r"""^(?:down_)?revision(?:\s*:[^=]+)?\s*=\s*(?:["'](\w+)["']|None)""", script, re.MULTILINE
    )
    return names[0], names[1] or None


def _upgrade(engine: Engine) -> None:
    with for_writing(engine).connect() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        if is_sqlite:
            # Rebuilding a table drops it first; the pragma does nothing once a transaction has begun.
            _pragma(connection, "foreign_keys = OFF")
        try:
            with connection.begin():
                _wait_for_our_turn(connection, is_sqlite=is_sqlite)
                _run_scripts(connection)
        finally:
            if is_sqlite:
                _pragma(connection, "foreign_keys = ON")


def _pragma(connection: Connection, setting: str) -> None:
    connection.connection.cursor().execute(f"PRAGMA {setting}")


def _wait_for_our_turn(connection: Connection, *, is_sqlite: bool) -> None:
    if not is_sqlite:  # BEGIN IMMEDIATE already waited on SQLite
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_LOCK})


def _run_scripts(connection: Connection) -> None:
    revision = _revision(connection)
    if revision is None and connection.dialect.name == "sqlite":
        lay_out(connection)
        revision = _revision(connection)
    if revision == newest_revision():
        return
    walk_scripts(connection)


def walk_scripts(connection: Connection, *, until: str = "head") -> None:
    """Run every script the ledger has not seen, one after the other, in the caller's transaction."""
    from alembic import command  # noqa: PLC0415 - slow to import, and rarely needed
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, until)


def _revision(connection: Connection) -> str | None:
    """Return where this ledger stands; None when the database is new. Refuse what we cannot understand."""
    names = set(inspect(connection).get_table_names())
    if VERSION_TABLE not in names:
        if names and connection.dialect.name == "sqlite":
            raise LedgerUnreadable(
                f"{connection.engine.url.database} is a database, but not a Limpet ledger.",
                fix="Choose another data directory with LIMPET_DATA_DIR, or move the file away.",
            )
        return None
    revision = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    if revision is not None and revision not in known_revisions():
        raise SchemaTooNew(
            f"This ledger was written by a newer Limpet (schema {revision}, we know {newest_revision()}).",
            fix="Upgrade Limpet, or use another data directory.",
        )
    return revision
