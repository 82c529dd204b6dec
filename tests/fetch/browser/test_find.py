"""A Chromium is found where people have one, or its absence says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.errors import BrowserLaunchFailed
from limpet.fetch.browser import find


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_what_we_are_told_wins_over_what_is_on_the_path(tmp_path: Path) -> None:
    told = program(tmp_path / "mine")
    program(tmp_path / "bin" / "chromium")

    assert find.find_chromium(told, search_path=str(tmp_path / "bin")) == told


def test_the_headless_shell_wins_over_the_full_browser(tmp_path: Path) -> None:
    program(tmp_path / "chromium")
    shell = program(tmp_path / "chromium-headless-shell")

    assert find.find_chromium(search_path=str(tmp_path)) == shell


def test_playwrights_own_newest_browser_is_the_last_resort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    browsers = tmp_path / ".cache" / "ms-playwright"
    program(browsers / "chromium_headless_shell-998" / "chrome-linux" / "headless_shell")
    newest = program(browsers / "chromium_headless_shell-1200" / "chrome-linux" / "headless_shell")

    assert find.find_chromium(search_path="") == newest


@pytest.mark.parametrize("told", [None, "/nowhere/chromium"])
def test_without_any_the_error_names_the_command_that_gets_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str | None
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    with pytest.raises(BrowserLaunchFailed, match="make browser") as raised:
        find.find_chromium(told, search_path=str(tmp_path))

    assert "playwright install chromium" in raised.value.fix
