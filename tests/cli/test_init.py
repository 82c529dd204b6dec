"""`limpet init` writes a config that is valid as it stands, and never over somebody's work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from limpet.configuration import load_config
from limpet.settings import Settings, load_settings

Say = Callable[..., Any]


def test_the_written_file_is_valid_and_fetches_nothing_yet(limpet: Say, room: Path) -> None:
    said = limpet("init")

    config = load_config(room / "limpet.toml")
    assert said.code == 0 and load_settings().config == Path("limpet.toml")
    assert not any(each.source.enabled for each in config.sources)


def test_every_commented_setting_is_real(limpet: Say, room: Path) -> None:
    limpet("init")

    text = (room / "limpet.toml").read_text().partition("# A source is")[0]
    named = [
        line.split("=")[0].strip("# ")
        for line in text.splitlines()
        if line.startswith("# ") and " = " in line
    ]
    assert len(named) >= 8 and set(named) <= set(Settings.model_fields)


def test_a_file_that_is_there_is_kept(limpet: Say, room: Path) -> None:
    (room / "limpet.toml").write_text("# mine\n")

    said = limpet("init")

    assert said.code == 2 and "already there" in said.err and "--force" in said.err
    assert (room / "limpet.toml").read_text() == "# mine\n"


def test_force_overwrites(limpet: Say, room: Path) -> None:
    (room / "limpet.toml").write_text("# mine\n")

    said = limpet("init", "--force")

    assert said.code == 0 and "[[sources]]" in (room / "limpet.toml").read_text()


def test_a_place_that_cannot_be_written_is_said(limpet: Say) -> None:
    said = limpet("init", "--path", "missing/folder/limpet.toml")

    assert said.code == 2 and "Cannot write missing/folder/limpet.toml" in said.err
