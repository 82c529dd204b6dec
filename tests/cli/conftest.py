"""A clean room for commands: an empty folder, no LIMPET_ variable, and the door called in process."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from limpet.cli import main


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    for name in [name for name in os.environ if name.startswith("LIMPET_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def limpet(room: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Say a command line at the door and return what it answers."""

    def say(*words: str) -> Said:
        code = main(words)
        captured = capfd.readouterr()
        return Said(code, captured.out, captured.err)

    return say
