"""The browser script finds a Chromium that runs, and is loud when there is none."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script on a machine without any browser, and without a way to get one."""
    spec = importlib.util.spec_from_file_location("limpet_browser_script", ROOT / "scripts" / "browser.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.delenv("LIMPET_CHROMIUM", raising=False)
    return module


def make_program(path: Path, *, exit_code: int = 0) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\nexit {exit_code}\n")
    path.chmod(0o755)
    return str(path)


def test_the_named_browser_comes_first(
    browser: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(tmp_path / "bin" / "chromium")
    monkeypatch.setenv("LIMPET_CHROMIUM", make_program(tmp_path / "mine"))

    assert browser.find() == str(tmp_path / "mine")


def test_a_stub_that_does_not_start_is_passed_over(browser: ModuleType, tmp_path: Path) -> None:
    make_program(tmp_path / "bin" / "chromium", exit_code=1)
    good = make_program(tmp_path / "playwright" / "chromium-1" / "chrome-linux" / "chrome")

    assert browser.find() == good


def test_without_any_browser_it_is_loud_and_says_the_fix(
    browser: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    code = browser.main()

    said = capsys.readouterr()
    assert (
        code == 1
        and said.out == ""
        and "NO BROWSER COULD BE HAD" in said.err
        and "LIMPET_CHROMIUM" in said.err
    )


def test_playwright_is_asked_when_nothing_is_found(
    browser: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed = tmp_path / "playwright" / "chromium-1" / "chrome-linux" / "chrome"
    pretend = tmp_path / ".venv" / "bin" / "python"
    pretend.parent.mkdir(parents=True)
    pretend.write_text(
        f"#!/bin/sh\n/bin/mkdir -p {installed.parent}\n"
        f"printf '#!/bin/sh\\n' > {installed}\n/bin/chmod +x {installed}\n"
    )
    pretend.chmod(0o755)

    code = browser.main()

    assert code == 0 and capsys.readouterr().out.strip() == str(installed) and os.access(installed, os.X_OK)
