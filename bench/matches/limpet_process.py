"""Limpet as everybody starts it: `limpet serve`, in a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

STOP_SECONDS = 40


class Limpet:
    """Serves until the block ends."""

    def __init__(self, folder: Path, *, polling_seconds: float, **settings: str) -> None:
        self._folder = folder
        self._environment = os.environ | {
            "LIMPET_MATCH_SOURCES": str(folder / "sources.yaml"),
            "LIMPET_POLLING_INTERVAL_SECONDS": str(polling_seconds),
            "LIMPET_DISCOVERY_INTERVAL_SECONDS": "10",
            **settings,
        }
        self.url = self.token = ""

    def __enter__(self) -> Self:
        self._say("accounts", "add", "bench", "--role", "viewer", "--link")
        self.token = self._say("tokens", "create", "bench", "--account", "bench").split()[-1]
        self._process = subprocess.Popen(
            self._command("serve", "--port", "0"),
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=(self._folder / "limpet.err").open("wb"),
            text=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"http://[\w.:]+", line):
                self.url = found[0]
                return self
        raise RuntimeError(f"limpet serve said nothing; see {self._folder / 'limpet.err'}")

    def _command(self, *words: str) -> list[str]:
        place = ["--data-dir", str(self._folder / "data"), "--config", str(self._folder / "limpet.toml")]
        return [sys.executable, "-m", "limpet", *words, *place]

    def ask(self, path: str) -> Any:
        """Return what the portal answers; refused and broken requests raise OSError."""
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def verify(self) -> subprocess.CompletedProcess[str]:
        """Let `limpet verify` look at the ledger."""
        return subprocess.run(
            self._command("verify"), env=self._environment, capture_output=True, text=True, check=False
        )

    def _say(self, *words: str) -> str:
        """Run a command to its end and return what it printed."""
        done = subprocess.run(
            self._command(*words), env=self._environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    @property
    def pid(self) -> int:
        return self._process.pid

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Ask it to end, and wait; harmless when it has ended."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
