"""One limpet command in a process of its own, forked from one that has everything loaded; see conftest."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from limpet.cli import main

if TYPE_CHECKING:
    words: list[str] = []
    folder = out = err = ""
    environment: dict[str, str] = {}

for stream, path in ((sys.stdout, out), (sys.stderr, err)):
    os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream.fileno())
    stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
os.chdir(folder)
os.environ.update(environment)
sys.exit(main(words))
