"""Where a server's programs may be found, and how to start them so that they end with their keeper."""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Started:
    """A server that answers, how it is asked to end, and how to start it once more at the same address."""

    process: subprocess.Popen[bytes]
    url: str
    farewell: signal.Signals
    again: Callable[[], subprocess.Popen[bytes]]


class NotAvailable(Exception):
    """The server cannot be had on this machine; the message says why."""


def package_folder(package: str) -> Path | None:
    """Return the folder of an installed package without importing it."""
    spec = importlib.util.find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def dies_with_its_keeper(farewell: signal.Signals) -> Callable[[], None] | None:
    """Return what a child must do before it becomes the server: ask the kernel to end it with its parent."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)

    def ask() -> None:
        with contextlib.suppress(Exception):
            libc.prctl(PR_SET_PDEATHSIG, int(farewell), 0, 0, 0)

    return ask


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
