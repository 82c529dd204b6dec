"""A Redis of our own, which may be killed and comes back at the same address."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

KEEPER = Path(__file__).parents[2] / "tests" / "servers" / "keeper.py"


@dataclass(frozen=True, slots=True)
class KeptRedis:
    """Runs until its keeper's input is closed."""

    url: str
    keeper: subprocess.Popen[str]

    def crash_and_return(self) -> None:
        """Kill it without a farewell, and return when it answers again."""
        assert self.keeper.stdin is not None and self.keeper.stdout is not None
        self.keeper.stdin.write("crash\n")
        self.keeper.stdin.flush()
        self.keeper.stdout.readline()


@contextmanager
def kept_redis() -> Iterator[KeptRedis]:
    """Start one, and end it with the block."""
    command = [sys.executable, str(KEEPER), "redis"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as keeper:
        assert keeper.stdin is not None and keeper.stdout is not None
        said = json.loads(keeper.stdout.readline() or '{"error": "it said nothing"}')
        if "url" not in said:
            raise SystemExit(f"no Redis can be had: {said['error']}")
        try:
            yield KeptRedis(said["url"], keeper)
        finally:
            keeper.stdin.close()
