"""The log hides secrets, and is there when it is needed."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from limpet.errors import DataDirUnusable
from limpet.logs import ROTATE_AT_BYTES, open_logs, redact


@pytest.fixture(autouse=True)
def own_logging() -> Iterator[None]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    for handler in [handler for handler in root.handlers if handler not in before]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("GET https://a.example/p?sig=abc&x=1 done", "GET https://a.example/p?… done"),
        ("https://user:pw@a.example/p", "https://[hidden]@a.example/p"),
        ("https://token@a.example/", "https://[hidden]@a.example/"),
        ("postgresql://me:p@ss@db/limpet", "postgresql://me:[hidden]@db/limpet"),
        ("postgresql://me@db/limpet", "postgresql://me@db/limpet"),
        ("redis://:pw@r:6379/0", "redis://:[hidden]@r:6379/0"),
        ("Cookie: session=1", "Cookie: [hidden]"),
        ("nothing secret, as such", "nothing secret, as such"),
    ],
)
def test_secrets_are_taken_out_of_text(text: str, safe: str) -> None:
    assert redact(text) == safe


def test_a_line_reaches_the_file_as_json_without_secrets(tmp_path: Path) -> None:
    path = open_logs(tmp_path / "logs", level="info", style="text")

    structlog.get_logger("limpet.fetch").info(
        "fetched", url="https://a.example/p?sig=abc", headers={"Cookie": "s"}
    )
    logging.getLogger("other").warning("asked %s", "https://b.example/?key=abc")

    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["event"] for line in lines] == ["fetched", "asked https://b.example/?…"]
    assert lines[0]["url"] == "https://a.example/p?…" and lines[0]["headers"] == {"Cookie": "[hidden]"}
    assert lines[0]["level"] == "info" and lines[0]["timestamp"].endswith("Z")


def test_a_traceback_is_redacted_too(tmp_path: Path) -> None:
    path = open_logs(tmp_path / "logs", level="info", style="json")

    try:
        raise ValueError("https://a.example/?sig=abc")
    except ValueError:
        structlog.get_logger().exception("broken")

    text = path.read_text()
    assert "ValueError" in text and "sig=abc" not in text


def test_the_level_is_obeyed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    open_logs(tmp_path / "logs", level="warning", style="text")

    structlog.get_logger().info("too quiet")
    structlog.get_logger().warning("loud enough")

    assert "too quiet" not in (err := capfd.readouterr().err) and "loud enough" in err


def test_opening_twice_does_not_write_twice(tmp_path: Path) -> None:
    open_logs(tmp_path / "logs", level="info", style="text")
    path = open_logs(tmp_path / "logs", level="info", style="text")

    structlog.get_logger().info("once")

    assert len(path.read_text().splitlines()) == 1


def test_a_long_log_is_put_aside_at_the_next_start(tmp_path: Path) -> None:
    old = tmp_path / "latest.log"
    with old.open("wb") as file:
        file.truncate(ROTATE_AT_BYTES + 1)

    path = open_logs(tmp_path, level="info", style="text")

    assert path.stat().st_size == 0 and len(list(tmp_path.glob("*.log"))) == 2


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(DataDirUnusable, match="Cannot write the log"):
        open_logs(tmp_path / "file", level="info", style="text")
