"""`make bench`: Limpet beside its peers, in one run. `--help` lists the options."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    runpy.run_module("bench.harness", run_name="__main__")
