"""Limpet as everybody starts it: `limpet serve`, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

STOP_SECONDS = 40


class Limpet:
    """Serves until the block ends."""

    def __init__(self, folder: Path, *, polling_seconds: float) -> None:
        self._folder = folder
        self._environment = os.environ | {
            "LIMPET_MATCH_SOURCES": str(folder / "sources.yaml"),
            "LIMPET_POLLING_INTERVAL_SECONDS": str(polling_seconds),
            "LIMPET_DISCOVERY_INTERVAL_SECONDS": "10",
        }
        self.url = ""

    def __enter__(self) -> Self:
        data, config = self._folder / "data", self._folder / "limpet.toml"
        words = ["serve", "--port", "0", "--data-dir", str(data), "--config", str(config)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "limpet", *words],
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

    @property
    def pid(self) -> int:
        return self._process.pid

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
