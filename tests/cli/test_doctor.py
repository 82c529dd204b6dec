"""`limpet doctor` finds what is missing and says how to fix it."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limpet.cli.checkup import machine
from limpet.record.database import open_engine
from limpet.record.migrate import VERSION_TABLE, migrate

Say = Callable[..., Any]


@pytest.fixture
def findings(limpet: Say) -> Callable[..., dict[str, dict[str, str]]]:
    """Run the doctor; return the worst finding of each name."""

    def examine(*words: str) -> dict[str, dict[str, str]]:
        said = limpet("doctor", "--json", *words)
        answer = json.loads(said.out)
        assert (said.code == 0) == answer["ok"]
        order = ["ok", "warn", "fail"]
        return {
            each["name"]: each for each in sorted(answer["checks"], key=lambda c: order.index(c["status"]))
        }

    return examine


def test_a_healthy_machine_is_well_and_stays_untouched(limpet: Say, room: Path) -> None:
    said = limpet("doctor")

    assert said.code == 0 and "All is well." in said.out
    assert list(room.iterdir()) == []


def test_every_complaint_comes_with_its_fix(findings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("LIMPET_CHROMIUM", "/nowhere/chromium")

    found = findings()

    assert (found["redis"]["status"], found["browser"]["status"], found["config"]["status"]) == (
        "fail",
        "warn",
        "warn",
    )
    assert all(each["fix"] for each in found.values() if each["status"] != "ok")


def test_broken_settings_are_a_finding_not_a_crash(findings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_PORT", "eighty")

    assert findings()["settings"]["status"] == "fail"


def test_a_broken_config_is_a_finding(findings: Any, room: Path) -> None:
    (room / "limpet.toml").write_text("[[sources]]\nid = 'x'\n")

    assert "is missing" in findings()["config"]["detail"]


@pytest.mark.parametrize(("good", "bad"), [('"tidepool_shop"', '"tidepol_shop"'), ('"prices"', '"prizes"')])
def test_a_source_with_an_unknown_site_or_app_is_said(
    good: str, bad: str, findings: Any, limpet: Say, room: Path
) -> None:
    limpet("init")
    config = room / "limpet.toml"
    config.write_text(config.read_text().replace(good, bad))

    found = findings()["config"]

    assert found["status"] == "fail" and found["fix"]


def test_unapproved_sources_are_a_warning(findings: Any, limpet: Say, room: Path) -> None:
    limpet("init")
    config = room / "limpet.toml"
    config.write_text(config.read_text().replace("enabled = false", "enabled = true"))

    found = findings()

    assert found["config"]["status"] == "warn" and "not approved" in found["config"]["detail"]


def test_a_migrated_ledger_is_named_with_its_schema(findings: Any, room: Path) -> None:
    engine = open_engine(room / "data")
    migrate(engine)
    engine.dispose()

    found = findings()["database"]

    assert found["status"] == "ok" and "schema 0" in found["detail"]


def test_a_ledger_of_a_newer_limpet_is_refused(findings: Any, room: Path) -> None:
    engine = open_engine(room / "data")
    migrate(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    engine.dispose()

    found = findings()["database"]

    assert found["status"] == "fail" and "newer Limpet" in found["detail"] and "Upgrade" in found["fix"]


@pytest.mark.parametrize("content", [b"this is not a database, and long enough to be read as a page" * 20])
def test_a_file_that_is_no_database_is_said(content: bytes, findings: Any, room: Path) -> None:
    (room / "data").mkdir()
    (room / "data" / "limpet.db").write_bytes(content)

    found = findings()["database"]

    assert found["status"] == "fail" and "not a readable ledger" in found["detail"]


def test_somebody_elses_database_is_left_alone(findings: Any, room: Path) -> None:
    (room / "data").mkdir()
    with sqlite3.connect(room / "data" / "limpet.db") as other:
        other.execute("CREATE TABLE theirs (id int)")
    other.close()

    assert "not a Limpet ledger" in findings()["database"]["detail"]


def test_postgres_is_examined(findings: Any, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_DATABASE_URL", postgres_url)

    found = findings()["database"]

    assert found["status"] == "ok" and "will be created" in found["detail"]


def test_redis_is_examined(findings: Any, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_REDIS_URL", redis_url)

    assert findings()["redis"]["status"] == "ok"


def test_a_password_is_never_shown(limpet: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_DATABASE_URL", "postgresql://me:hunter2@127.0.0.1:1/x")
    monkeypatch.setenv("LIMPET_REDIS_URL", "redis://me:hunter2@127.0.0.1:1/0")

    said = limpet("doctor")

    assert said.code == 1 and "hunter2" not in said.out + said.err


def test_a_data_dir_that_is_a_file_is_said(findings: Any, room: Path) -> None:
    (room / "taken").write_text("")

    assert findings("--data-dir", "taken")["data_dir"]["status"] == "fail"


def test_a_full_disk_is_said(findings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_MIN_FREE_DISK_MB", "999999999")

    assert findings()["disk"]["status"] == "fail"


def test_a_clock_behind_its_own_files_is_said(findings: Any, room: Path) -> None:
    (room / "data").mkdir()
    (room / "data" / "written").write_text("")
    tomorrow = time.time() + 86_400
    os.utime(room / "data" / "written", (tomorrow, tomorrow))

    assert "the future" in findings()["clock"]["detail"]


def test_a_browser_that_does_not_start_is_a_warning(
    findings: Any, room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = room / "chromium"
    broken.write_text("#!/bin/sh\necho 'libnss3.so is missing' >&2\nexit 127\n")
    broken.chmod(0o755)
    monkeypatch.setenv("LIMPET_CHROMIUM", str(broken))

    found = findings()["browser"]

    assert found["status"] == "warn" and "libnss3.so is missing" in found["detail"]


def test_a_check_that_fails_itself_does_not_end_the_round(
    findings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _: 1 / 0)

    found = findings()

    assert found["disk"]["status"] == "fail" and found["clock"]["status"] == "ok"
