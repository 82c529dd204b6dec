from __future__ import annotations

import importlib
import pkgutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from limpet.errors import DataDirUnusable, LedgerUnreadable, SchemaTooNew
from limpet.record import log_tables
from limpet.record.database import ledger_url, open_engine
from limpet.record.layout import TEXT, describe
from limpet.record.ledger import Ledger
from limpet.record.migrate import VERSION_TABLE, known_revisions, migrate, newest_revision, walk_scripts

DAY = "'2026-01-01T00:00:00+00:00'"
AN_OLD_CASE = (
    "INSERT INTO sources (id, app, adapter_id, name, hosts, enabled, tos_notes, robots_compliant, scrape_config, "
    "created_at, updated_at) VALUES ('court', 'judgments', 'judicial_ky', 'court', '[]', true, '', true, '{}', "
    f"{DAY}, {DAY})",
    "INSERT INTO csv_versions (id, source, fetched_at, source_url, sha256, row_count, valid, file_path, checked_at, "
    "checks, is_held, case_count, new_count, changed_count, removed_count, reappeared_count, criminal_count, "
    f"blank_count, duplicate_count, undated_count) VALUES (1, 'court', {DAY}, 'x', 'x', 1, 1, 'x', {DAY}, 1, false, "
    "1, 1, 0, 0, 0, 0, 0, 0, 0)",
    "INSERT INTO cases (id, action_token_raw, action_token_norm, title, cause_number, is_criminal, is_active, "
    "source, first_seen_version_id, last_seen_version_id, address, file_key, fingerprint) VALUES (7, 'FSD-1 Token', "
    "'FSD1TOKEN', 'Re Étoile Limited', 'FSD 1 of 2025', 0, 1, 'court', 1, 1, 'a', 'k', 'f')",
)
START = """
import sys
from pathlib import Path
from limpet.record.database import open_engine
from limpet.record.migrate import migrate
sys.stdin.readline()
migrate(open_engine(sys.argv[1]))
"""


def import_every_app() -> None:
    """Apps, and the room of accounts, add their tables to the shared metadata when they are imported."""
    importlib.import_module("limpet.record.access.tables")
    try:
        apps = importlib.import_module("limpet.apps")
    except ModuleNotFoundError:
        return
    for module in pkgutil.walk_packages(apps.__path__, "limpet.apps."):
        if module.name.rpartition(".")[2].endswith("tables"):
            importlib.import_module(module.name)


def test_migrations_and_metadata_agree(empty_database_url: str | None, tmp_path: Path) -> None:
    import_every_app()
    engine = open_engine(empty_database_url or tmp_path)

    migrate(engine)

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, log_tables.metadata) == []
    engine.dispose()


def test_a_new_ledger_is_what_the_scripts_lead_to(tmp_path: Path) -> None:
    walked, laid_out = open_engine(tmp_path / "walked.db"), open_engine(tmp_path / "laid_out.db")

    with walked.begin() as connection:
        walk_scripts(connection)
    migrate(laid_out)

    walked_text, laid_out_text = (
        describe(sqlite3.connect(tmp_path / name), VERSION_TABLE) for name in ("walked.db", "laid_out.db")
    )
    assert walked_text == TEXT.read_text(encoding="utf-8"), (
        "run `make schema`: a script changed what it leads to"
    )
    assert laid_out_text == walked_text
    walked.dispose()
    laid_out.dispose()


def test_a_script_younger_than_the_text_is_walked_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, older = open_engine(tmp_path / "older.db"), tmp_path / "older.sql"
    with engine.begin() as connection:
        walk_scripts(connection, until="0009")
    older.write_text(describe(sqlite3.connect(tmp_path / "older.db"), VERSION_TABLE), encoding="utf-8")
    monkeypatch.setattr("limpet.record.layout.TEXT", older)
    young = open_engine(tmp_path / "young.db")

    migrate(young)

    assert describe(sqlite3.connect(tmp_path / "young.db"), VERSION_TABLE) == TEXT.read_text(encoding="utf-8")
    engine.dispose()
    young.dispose()


def test_migrating_twice_changes_nothing(empty_database_url: str | None, tmp_path: Path) -> None:
    engine = open_engine(empty_database_url or tmp_path)

    migrate(engine)
    migrate(engine)

    with engine.connect() as connection:
        assert connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalars().all() == [
            newest_revision()
        ]
    engine.dispose()


def test_judgments_of_an_older_ledger_can_be_searched(empty_database_url: str | None, tmp_path: Path) -> None:
    engine = open_engine(empty_database_url or tmp_path)
    with engine.begin() as connection:
        walk_scripts(connection, until="0014")
        for statement in AN_OLD_CASE:
            connection.execute(text(statement))

    migrate(engine)

    with engine.connect() as connection:
        found = connection.execute(text("SELECT id, searched FROM case_searches")).all()
    assert found == [(7, "fsd-1 token\nre étoile limited\nfsd 1 of 2025\n\n")]
    engine.dispose()


def test_processes_that_start_at_once_migrate_once(empty_database_url: str | None, tmp_path: Path) -> None:
    where = empty_database_url or str(tmp_path)
    starting = [
        subprocess.Popen([sys.executable, "-c", START, where], stdin=subprocess.PIPE, text=True)
        for _ in range(3)
    ]

    for process in starting:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.close()

    assert [process.wait(timeout=60) for process in starting] == [0, 0, 0]
    engine = open_engine(where)
    with engine.connect() as connection:
        assert connection.execute(text(f"SELECT count(*) FROM {VERSION_TABLE}")).scalar() == 1
    engine.dispose()


def test_revisions_stand_in_one_line() -> None:
    known = known_revisions()

    line = [newest_revision()]
    while (before := known[line[-1]]) is not None:
        line.append(before)

    assert sorted(line) == sorted(known)


async def test_a_newer_schema_is_refused(empty_database_url: str | None, tmp_path: Path) -> None:
    engine = open_engine(empty_database_url or tmp_path)
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    engine.dispose()

    with pytest.raises(SchemaTooNew) as refusal:
        await Ledger.open(tmp_path, database_url=empty_database_url)

    assert "9999" in str(refusal.value)
    assert refusal.value.fix


@pytest.mark.parametrize(
    "content", [b"this is no database, it only has the name" * 40, b"SQLite format 3\x00" + b"\xff" * 5000]
)
async def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "limpet.db").write_bytes(content)

    with pytest.raises(LedgerUnreadable) as refusal:
        await Ledger.open(tmp_path)

    assert refusal.value.fix
    assert (tmp_path / "limpet.db").read_bytes() == content


async def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "limpet.db") as theirs:
        theirs.execute("CREATE TABLE recipes (name TEXT)")
    theirs.close()

    with pytest.raises(LedgerUnreadable, match="not a Limpet ledger"):
        await Ledger.open(tmp_path)


async def test_a_data_directory_that_cannot_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(DataDirUnusable) as refusal:
        await Ledger.open(tmp_path / "file" / "data")

    assert "LIMPET_DATA_DIR" in refusal.value.fix


async def test_a_server_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnreadable) as refusal:
        await Ledger.open(tmp_path, database_url="postgresql://me:secret@127.0.0.1:1/nothing")

    assert "127.0.0.1" in str(refusal.value)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("url", ["mysql://host/db", "nonsense://", "sqlite://"])
def test_only_sqlite_and_postgres_are_accepted(url: str) -> None:
    with pytest.raises(LedgerUnreadable):
        ledger_url(url)


@pytest.mark.parametrize("url", ["postgres://h/d", "postgresql://h/d", "postgresql+psycopg://h/d"])
def test_every_spelling_of_postgres_is_understood(url: str) -> None:
    assert ledger_url(url).drivername == "postgresql+psycopg"
