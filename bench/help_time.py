"""How long `limpet --help` takes: the median of several starts, wall time. The bar is 0.3 s."""

from __future__ import annotations

import os
import statistics
import subprocess
import time

from bench.environment import LIMPET_PYTHON, ROOT

STARTS = 15
BAR_SECONDS = 0.3


def main() -> None:
    """Print the median and the fastest start; the first, which compiles bytecode, is not counted."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    seconds = []
    for _ in range(STARTS + 1):
        started = time.monotonic()
        subprocess.run(
            [LIMPET_PYTHON.with_name("limpet"), "--help"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        seconds.append(time.monotonic() - started)
    median = statistics.median(seconds[1:])
    word = "reached" if median < BAR_SECONDS else "MISSED"
    print(f"limpet --help: median {median:.3f} s, fastest {min(seconds):.3f} s; bar {BAR_SECONDS} s: {word}")


if __name__ == "__main__":
    main()
