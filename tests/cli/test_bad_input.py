"""Every verb given nonsense answers with one sentence and its fix, exit code 2, no traceback, nothing lost."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limpet.record.database import open_engine
from limpet.record.migrate import VERSION_TABLE, migrate

Say = Callable[..., Any]
PAGE = "https://sgammo.com/product/x/y"
HUGE = "9" * 23  # more than any column of any database holds
WHY = ("--reason", "a test")


@pytest.fixture
def said_well(limpet: Say, room: Path) -> Callable[..., str]:
    """Say it in a room with a config, a file and a database that is none; check how it was answered."""
    limpet("init")
    (room / "file.txt").write_text("not a page")
    (room / "cases.txt").write_text("IMM-1-25\n")
    (room / "latin.txt").write_bytes(b"IMM-1-25 \xe9\n")
    (room / "broken.toml").write_text("[[sources]")
    (room / "nonsense").mkdir()
    (room / "nonsense" / "limpet.db").write_bytes(b"not a database " * 1000)
    _write_ledgers(room / "data", room / "newer")

    def say(*words: str) -> str:
        said = limpet(*words)
        lines = said.err.strip().splitlines()
        assert said.code == 2, said
        assert "Traceback" not in said.err and len(lines) == 2, said.err
        assert lines[0].startswith("limpet: ") and lines[1].startswith("  fix: ")
        return str(lines[0])

    return say


def _write_ledgers(today: Path, newer: Path) -> None:
    engine = open_engine(today)
    migrate(engine)
    engine.dispose()
    shutil.copytree(today, newer)
    engine = open_engine(newer)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    engine.dispose()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("run",), "Missing argument 'APP'"),
        (("run", "nosuch"), "There is no app 'nosuch'."),
        (("run", "prices", "--source", "nope"), "There is no source 'nope'."),
        (("run", "prices", "--limit", "0"), "--limit"),
        (("run", "prices", "--config", "broken.toml"), "not valid TOML"),
        (("run", "prices", "--config", "missing.toml"), "no config file at missing.toml"),
        (("run", "prices", "--data-dir", "file.txt"), "not a directory"),
        (("run", "prices", "--data-dir", "nonsense"), "not a readable ledger"),
        (("run", "prices", "--data-dir", "newer"), "newer Limpet"),
        (("resume", "99"), "There is no run 99."),
        (("resume", "abc"), "'RUN'"),
        (("list", "bananas"), "'bananas' is not one of"),
        (("list", "--data-dir", "nonsense"), "not a readable ledger"),
        (("show", "42"), "There is no run 42."),
        (("verify", "--data-dir", "newer"), "newer Limpet"),
        (("verify", "--data-dir", "nonsense"), "not a readable ledger"),
        (("politeness", "report", "--data-dir", "nonsense"), "not a readable ledger"),
        (("fetch", "notaurl", "--source", "example-shop"), "'notaurl' cannot be read"),
        (("fetch", "https://shop.example.com/", "--source", "nope"), "There is no source 'nope'."),
        (("parse", "missing.html", "--site", "sgammo", "--url", PAGE), "missing.html"),
        (("parse", "file.txt", "--site", "nope", "--url", PAGE), "There is no site 'nope'."),
        (("parse", "file.txt", "--site", "sgammo", "--url", "nonsense"), "'nonsense' cannot be read"),
        (("parse", ".", "--site", "sgammo", "--url", PAGE), "directory"),
        (("serve", "--port", "99999"), "--port"),
        (("serve", "--config", "broken.toml"), "not valid TOML"),
        (("demo", "--seconds", "-1"), "--seconds"),
        (("list", "--log-level", "loud"), "--log-level must be one of"),
        (("run", "judgments", "--delay", "inf"), "between two requests must be 0 to 3600, not inf."),
        (("run", "judgments", "--delay", "nan"), "between two requests must be 0 to 3600, not nan."),
        (("run", "judgments", "--delay", "1e300"), "between two requests must be 0 to 3600, not 1e+300."),
        (("run", "judgments", "--limit", "0"), "The number of documents must be 1 to 1000000, not 0."),
        (("run", "judgments", "--resume-strategy", "auto"), "belongs to mode resume, not to mode full."),
        (("run", "judgments", "--source", "example-shop"), "'example-shop' is a source of 'prices', not of"),
        (("run", "judgments", "--source", "example-shop", "--dry-run"), "is a source of 'prices', not of"),
        (("judgments", "sync", "--source", "example-shop"), "is a source of 'prices', not of 'judgments'"),
        (
            ("run", "dockets", "--source", "example-shop", "--cases", "cases.txt"),
            "is a source of 'prices', not",
        ),
        (("dockets", "probe", "--year", "25", "--source", "example-shop"), "is a source of 'prices', not of"),
        (("judgments", "versions", "--source", "example-shop"), "'judgments' has no source 'example-shop'."),
        (("gaps", "judgments", "--source", "nope"), "'judgments' has no source 'nope'."),
        (("gaps", "dockets", "--source", "nope"), "'dockets' has no source 'nope'."),
        (("dockets", "stats", "--source", "nope"), "'dockets' has no source 'nope'."),
        (("export", "judgments", "--source", "nope", "-o", "x.csv"), "'judgments' has no source 'nope'."),
        (("export", "dockets", "--source", "nope"), "'dockets' has no source 'nope'."),
        (("dockets", "purge", "24", "--source", "example-shop"), "is a source of 'prices', not of 'dockets'"),
        (("dockets", "purge", "24", "--source", "gone"), "Nothing of 2024 is on record for 'gone'."),
        (("dockets", "stats", "--year", "x"), "'x' is no year."),
        (("gaps", "dockets", "--year", "2025x"), "'2025x' is no year."),
        (("run", "dockets", "--year", "1", "--max-cases", "3"), "'1' is no year."),
        (("run", "dockets", "--year", "25", "--prefix", "X9", "--max-cases", "3"), "'X9' is no register."),
        (("run", "dockets", "--start", "30"), "Of which year are these numbers?"),
        (
            ("run", "dockets", "--cases", "nofile.txt"),
            "nofile.txt cannot be read: No such file or directory.",
        ),
        (("run", "dockets", "--cases", "nonsense/limpet.db"), "'not a database "),
        (("run", "dockets", "--cases", "latin.txt"), "latin.txt cannot be read: it is not text in UTF-8."),
        (("targets", "pause", "1", "--reason", " "), "The reason is empty."),
        (("prices", "trust", "example-shop", "--reason", ""), "The reason is empty."),
        (("targets", "list", "--source", "example-shpo"), "There is no source 'example-shpo'."),
        (("targets", "export", "--source", "nope"), "There is no source 'nope'."),
        (("targets", "add", "", "--source", "example-shop"), "No address is in it."),
        (("targets", "import", "/dev/null", "--source", "example-shop"), "No address is in it."),
        (("reextract", "prices", "--run", "99"), "There is no run 99."),
        (("retention", "apply"), "No rule is set"),
        (("prices", "correct", "IGNORE", "--scope", "run", "--id", "999", *WHY), "There is no run '999'"),
    ],
)
def test_nonsense_is_answered_in_one_sentence(
    words: tuple[str, ...], sentence: str, said_well: Callable[..., str], room: Path
) -> None:
    before = (room / "nonsense" / "limpet.db").read_bytes()

    answer = said_well(*words)

    assert sentence in answer
    assert (room / "nonsense" / "limpet.db").read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ("show", HUGE),
        ("resume", HUGE),
        ("targets", "pause", HUGE, *WHY),
        ("targets", "edit", HUGE, "--notes", "n", *WHY),
        ("targets", "delete", HUGE, *WHY),
        ("judgments", "diff", HUGE, "1"),
        ("alerts", "show", HUGE),
        ("prices", "revoke", HUGE, *WHY),
        ("prices", "ignore-run", HUGE, *WHY),
        ("quarantine", "reject", HUGE, *WHY),
        ("tokens", "revoke", HUGE, *WHY),
        ("reextract", "prices", "--run", HUGE),
    ],
)
def test_a_number_no_ledger_can_hold_names_nothing(
    words: tuple[str, ...], said_well: Callable[..., str]
) -> None:
    assert said_well(*words) == "limpet: There is nothing with so large a number."


def test_bytes_that_are_no_text_are_refused_at_the_door(said_well: Callable[..., str]) -> None:
    bytes_of_utf_16 = b"\xff\xfe".decode("utf-8", "surrogateescape")

    answer = said_well("targets", "edit", "3", "--notes", bytes_of_utf_16, *WHY)

    assert "is not text in UTF-8" in answer


@pytest.mark.parametrize(
    "words",
    [
        ("verify",),
        ("list",),
        ("show", "1"),
        ("resume",),
        ("status",),
        ("gaps", "judgments"),
        ("gaps", "dockets"),
        ("dockets", "stats"),
        ("politeness", "report"),
        ("export", "judgments", "-o", "x.csv"),
        ("export", "dockets"),
        ("judgments", "versions"),
        ("judgments", "diff", "1", "2"),
        ("matches", "list"),
        ("prices", "current"),
        ("prices", "trust", "shop", *WHY),
        ("quarantine", "list"),
        ("targets", "list"),
        ("targets", "export"),
        ("targets", "pause", "1", *WHY),
        ("targets", "recheck", "1", *WHY),
        ("alerts", "list"),
        ("accounts", "list"),
        ("tokens", "list"),
        ("retention", "show"),
        ("retention", "apply", "--yes"),
        ("reextract", "prices"),
        ("repair", "sgammo"),
        ("backup", "b.tar"),
    ],
)
def test_a_mistyped_data_directory_is_not_taken_for_a_healthy_one(
    words: tuple[str, ...], said_well: Callable[..., str], room: Path
) -> None:
    assert said_well("--data-dir", "typo", *words) == "limpet: There is no ledger in typo."
    assert not (room / "typo").exists()


@pytest.mark.parametrize("words", [("list", "sources"), ("list", "sites"), ("adapters", "list")])
def test_what_the_configuration_says_can_be_read_before_there_is_a_ledger(
    words: tuple[str, ...], limpet: Say, room: Path
) -> None:
    limpet("init")

    said = limpet(*words)

    assert said.code == 0 and said.out
    assert not (room / "data").exists()


def test_a_port_in_use_is_answered_in_one_sentence(said_well: Callable[..., str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        answer = said_well("serve", "--port", str(taken.getsockname()[1]))

    assert "address already in use" in answer


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_does_not_take_the_old_config_away(limpet: Say, room: Path) -> None:
    (room / "limpet.toml").write_text("# mine\n")
    (room / ".limpet.toml.unfinished").symlink_to("/dev/full")

    said = limpet("init", "--force")

    assert said.code == 2 and "no space left" in said.err
    assert (room / "limpet.toml").read_text() == "# mine\n"
