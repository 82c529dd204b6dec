"""Starts one real server for the tests and ends it when its owner does, however its owner ends.

    python keeper.py redis | postgres | durable_postgres

Prints one line of JSON, `{"url": ...}` or `{"error": ...}`, then waits for its standard input to close. The
pipe closes even when the test process is killed outright, so no server and no directory outlives a test run.
A line on its standard input crashes the server and starts it again at the same address; `{"pid": ...}` says when
it answers again. After the line `away` it stays away until another line comes.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import postgres_server
import redis_server
from binaries import NotAvailable, Started

STARTERS: dict[str, Callable[[Path], Started]] = {
    "redis": redis_server.start,
    "postgres": postgres_server.start,
    "durable_postgres": postgres_server.start_durable,
}
CRASH = {"redis": signal.SIGKILL, "durable_postgres": signal.SIGQUIT}  # Postgres calls that `immediate`


def keep(kind: str) -> int:
    # A short path: the server's socket lies in it, and a socket path may not exceed about 100 bytes.
    home = Path(tempfile.mkdtemp(prefix=f"limpet-{kind[:8]}-"))
    server: subprocess.Popen[bytes] | None = None
    try:
        started = STARTERS[kind](home)
        server = started.process
        say({"url": started.url, "pid": server.pid})
        while wish := owners_wish(server):
            server.send_signal(CRASH[kind])
            server.wait()
            if wish.strip() == b"away":
                say({"pid": None})
                os.read(sys.stdin.fileno(), 1024)
            server = started.again()
            say({"pid": server.pid})
    except NotAvailable as missing:
        say({"error": str(missing)})
        return 1
    else:
        return 0
    finally:
        if server is not None:
            end(server, started.farewell)
        shutil.rmtree(home, ignore_errors=True)


def say(answer: dict[str, object]) -> None:
    print(json.dumps(answer), flush=True)


def owners_wish(server: subprocess.Popen[bytes]) -> bytes:
    """Return the line the owner sent; nothing when it closed our input, died, or the server itself ended."""
    owner = os.getppid()
    while os.getppid() == owner and server.poll() is None:
        readable, _, _ = select.select([sys.stdin], [], [], 1.0)
        if readable:
            return os.read(sys.stdin.fileno(), 1024)
    return b""


def end(server: subprocess.Popen[bytes], farewell: signal.Signals) -> None:
    if server.poll() is not None:
        return
    server.send_signal(farewell)
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    sys.exit(keep(sys.argv[1]))
