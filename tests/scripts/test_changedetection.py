"""A real ChangeDetection.io notices what the pretend court publishes, and Limpet fetches just that.

Opt-in, because it installs a large package: CHANGEDETECTION=1 make test ARGS=tests/scripts/test_changedetection.py
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "changedetection_script", ROOT / "scripts" / "changedetection.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_it_explains_itself(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        script.main(["--help"])

    assert "serve --watch URL" in capsys.readouterr().out


@pytest.mark.skipif(
    os.environ.get("CHANGEDETECTION") != "1", reason="installs ChangeDetection.io: CHANGEDETECTION=1"
)
@pytest.mark.timeout(600)
def test_a_change_at_the_court_rings_and_is_fetched(script: ModuleType, tmp_path: Path) -> None:
    proof = script.prove(tmp_path)

    assert len(proof.published) == 3
    assert (proof.run["trigger"], proof.run["mode"], proof.run["run_health"]) == ("webhook", "new", "ok")
    assert proof.run["downloads_completed"] == 3
    assert proof.webhook_runs == 1
