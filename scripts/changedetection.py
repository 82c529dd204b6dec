"""A real ChangeDetection.io beside Limpet: it watches an index, and rings Limpet's webhook when that changes.

    python scripts/changedetection.py prove      the whole way, on this machine alone: a pretend court publishes,
                                                 ChangeDetection.io notices, Limpet fetches; ends with 0 if it did
    python scripts/changedetection.py serve --watch URL --limpet http://127.0.0.1:8787 --secret SECRET
                                                 watch a real index and ring a Limpet that is running, until Ctrl-C

ChangeDetection.io is installed once, into an environment of its own (.changedetection); Limpet needs nothing of it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import Request, urlopen

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"
PLACE = ROOT / ".changedetection"
PACKAGE = "changedetection.io==0.60.10"
HOOK = "/webhook/changedetection"
# What tells one change from the next: a replay says the same moment again.
BODY = '{"mode": "new", "new_limit": 20, "event": "{{watch_uuid}} {{change_datetime}}"}'
INDEX = "/wp-content/uploads/box_files/judgments.csv"
PUBLISHED = 3
PATIENCE_SECONDS = 120.0

CONFIG = """\
[settings]
retry_base_delay_seconds = 0.05

[[sources]]
id = "unreported_judgments"
app = "judgments"
site = "judicial_ky"
hosts = ["court.tidepool.localhost", "box.tidepool.localhost", "boxcdn.tidepool.localhost"]
base_url = "http://court.tidepool.localhost:{port}"
http_only = true
allow_private_addresses = true
[sources.options]
box_hosts = ["box.tidepool.localhost", "boxcdn.tidepool.localhost"]
box_api = "http://box.tidepool.localhost:{port}"
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "a pretend court"
[sources.pace]
requests_per_second = 200
min_delay_seconds = 0.005
jitter = 0
"""


class NotProvenError(Exception):
    """Something did not come to pass; the message says what."""


@dataclass(frozen=True)
class Proof:
    """What was seen."""

    published: list[str]
    run: dict[str, Any]
    webhook_runs: int
    verified: str


# -- the parts ---------------------------------------------------------------------------------------------


def install(place: Path = PLACE) -> Path:
    """Return the program, installed if it is not there yet."""
    program = place / "bin" / "changedetection.io"
    if program.exists():
        return program
    say(f"installing {PACKAGE} into {place.name} (once)")
    uv = shutil.which("uv")
    if uv:
        subprocess.run([uv, "venv", "-q", "--python", sys.executable, str(place)], check=True)
        subprocess.run(
            [uv, "pip", "install", "-q", "--python", str(place / "bin" / "python"), PACKAGE], check=True
        )
    else:
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        subprocess.run([str(place / "bin" / "python"), "-m", "pip", "install", "-q", PACKAGE], check=True)
    return program


@contextlib.contextmanager
def process(words: list[str], log: Path, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program, its words in a file, and end it with the block."""
    with (
        log.open("wb") as out,
        subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, **more) as running,
    ):
        try:
            yield running
        finally:
            running.terminate()
            try:
                running.wait(20)
            except subprocess.TimeoutExpired:
                running.kill()


@dataclass(frozen=True)
class Watcher:
    """A running ChangeDetection.io with one watch."""

    base: str
    store: Path

    def watch(self) -> tuple[str, dict[str, Any]]:
        """Return its one watch."""
        ((uuid, watch),) = self._ask("/api/v1/watch").items()
        return uuid, watch

    def recheck(self) -> None:
        """Let it look now."""
        self._ask(f"/api/v1/watch/{self.watch()[0]}?recheck=1")

    def _ask(self, path: str) -> Any:
        settings = json.loads((self.store / "changedetection.json").read_text(encoding="utf-8"))["settings"]
        headers = {"x-api-key": settings["application"]["api_access_token"]}
        return ask(self.base + path, headers=headers)


@contextlib.contextmanager
def watching(
    url: str, *, limpet: str, secret: str, store: Path, headers: dict[str, str]
) -> Iterator[Watcher]:
    """Start ChangeDetection.io on one address; a change rings the webhook with the secret in a header."""
    store.mkdir(parents=True, exist_ok=True)
    target = re.sub("^http", "post", limpet.rstrip("/")) + f"{HOOK}?+X-Webhook-Token={secret}"
    watch = {
        "notification_urls": [target],
        "notification_body": BODY,
        "notification_format": "text",
        "headers": headers,
    }
    port = free_port()
    words = [
        str(install()),
        "-h",
        "127.0.0.1",
        "-p",
        str(port),
        "-d",
        str(store),
        "-u",
        url,
        "-u0",
        json.dumps(watch),
    ]
    environment = os.environ | {"ALLOW_IANA_RESTRICTED_ADDRESSES": "true", "DISABLE_VERSION_CHECK": "true"}
    with process(words, store.parent / "changedetection.log", env=environment):
        watcher = Watcher(f"http://127.0.0.1:{port}", store)
        wait_for(
            lambda: watcher.watch()[1].get("last_checked"), "ChangeDetection.io to look for the first time"
        )
        yield watcher


# -- the proof ---------------------------------------------------------------------------------------------


def prove(folder: Path) -> Proof:
    """Let the pretend court publish, and return what Limpet fetched because ChangeDetection.io noticed."""
    words = [str(PYTHON), "-m", "tidepool", "--port", "0", "--cases", "40"]
    with process(words, folder / "tidepool.log"):
        port = int(printed(folder / "tidepool.log", r"listening on http://127\.0\.0\.1:(\d+)")[1])
        (folder / "limpet.toml").write_text(CONFIG.format(port=port), encoding="utf-8")
        say("fetching what the court has published so far")
        limpet(folder, "run", "judgments", "--mode", "full")
        secret = secrets.token_urlsafe(24)
        environment = os.environ | {"LIMPET_WEBHOOK_SECRET": secret}
        serve = [str(PYTHON), "-m", "limpet", "serve", "--port", "0"]
        with process(serve, folder / "limpet.log", cwd=folder, env=environment):
            base = printed(folder / "limpet.log", r"portal is at (http://[^/\s]+)")[1]
            return _ring(folder, Archive(base, reading_token(folder)), court_port=port, secret=secret)


def reading_token(folder: Path) -> str:
    """Return a token that may look at the archive and do nothing to it."""
    limpet(folder, "accounts", "add", "watcher", "--link")
    said = limpet(folder, "tokens", "create", "proof", "--account", "watcher")
    found = re.search(r"lmp_\S+", said)
    if found is None:
        raise NotProvenError(f"limpet tokens create named no token:\n{said}")
    return found[0]


@dataclass(frozen=True)
class Archive:
    """A running Limpet, as a program with a token sees it."""

    base: str
    token: str

    def rung(self) -> dict[str, Any] | None:
        """Return the run the webhook started, once it has ended."""
        ended = [run for run in self.webhook_runs() if run["status"] != "running"]
        return self._ask(f"/api/db/runs/{ended[0]['id']}/summary")["run"] if ended else None

    def webhook_runs(self) -> list[dict[str, Any]]:
        """Return every run the webhook started."""
        return [run for run in self._ask("/api/db/runs")["runs"] if run["trigger"] == "webhook"]

    def _ask(self, path: str) -> Any:
        return ask(self.base + path, headers={"Authorization": f"Bearer {self.token}"})


def _ring(folder: Path, archive: Archive, *, court_port: int, secret: str) -> Proof:
    say("starting ChangeDetection.io on the court's index")
    index = f"http://127.0.0.1:{court_port}{INDEX}"
    headers = {"Host": "court.tidepool.localhost"}
    with watching(
        index, limpet=archive.base, secret=secret, store=folder / "store", headers=headers
    ) as watcher:
        published = publish(court_port)
        say(f"the court has published {len(published)} judgments; letting ChangeDetection.io look again")
        watcher.recheck()
        run = wait_for(archive.rung, "the webhook to be rung and its run to end")
        return Proof(published, run, len(archive.webhook_runs()), limpet(folder, "verify"))


def publish(court_port: int) -> list[str]:
    """Let the pretend court publish something, and return the tokens."""
    body = {"site": "court", "act": "move", "with": {"add": PUBLISHED}}
    headers = {"Host": "control.tidepool.localhost"}
    tokens: list[str] = ask(f"http://127.0.0.1:{court_port}/acts", headers=headers, body=body)["added"]
    return tokens


# -- small things ------------------------------------------------------------------------------------------


def ask(url: str, *, headers: dict[str, str] | None = None, body: object = None) -> Any:
    """Return what an address answers, as JSON."""
    data = json.dumps(body).encode() if body is not None else None
    with urlopen(Request(url, data, headers or {}), timeout=20) as answer:
        return json.loads(answer.read())


def limpet(folder: Path, *words: str) -> str:
    """Run a command of Limpet to its end, or say what it said."""
    done = subprocess.run(
        [str(PYTHON), "-m", "limpet", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotProvenError(
            f"limpet {' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def wait_for(look: Callable[[], T | None], what: str) -> T:
    """Return what the look finds as soon as it finds something."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        with contextlib.suppress(OSError, ValueError, KeyError):
            if found := look():
                return found
        time.sleep(0.2)
    raise NotProvenError(f"waited {PATIENCE_SECONDS:.0f} s in vain for {what}")


def printed(log: Path, pattern: str) -> re.Match[str]:
    """Return where a program's words match."""
    return wait_for(lambda: re.search(pattern, log.read_text(encoding="utf-8", errors="replace")), pattern)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


def say(sentence: str) -> None:
    print(f"changedetection: {sentence}", flush=True)


def main(arguments: list[str] | None = None) -> int:
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = line.add_subparsers(dest="verb", required=True)
    verbs.add_parser("prove", help="the whole way, against a pretend court")
    serve = verbs.add_parser("serve", help="watch an address and ring a Limpet that is running")
    serve.add_argument("--watch", required=True, metavar="URL", help="the index or listing to watch")
    serve.add_argument(
        "--limpet", default="http://127.0.0.1:8787", metavar="URL", help="where Limpet answers"
    )
    serve.add_argument("--secret", required=True, help="its LIMPET_WEBHOOK_SECRET")
    wishes = line.parse_args(arguments)
    try:
        return _prove() if wishes.verb == "prove" else _serve(wishes)
    except (NotProvenError, subprocess.CalledProcessError) as failed:
        print(f"changedetection: {failed}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _prove() -> int:
    with tempfile.TemporaryDirectory(prefix="limpet-changedetection-") as folder:
        proof = prove(Path(folder))
    run = proof.run
    say(
        f"run {run['id']} ({run['trigger']}, {run['mode']}) fetched {run['downloads_completed']}: {run['run_health']}"
    )
    say(f"calls of the webhook made {proof.webhook_runs} run; {proof.verified.strip().splitlines()[-1]}")
    return int(run["downloads_completed"] != len(proof.published) or proof.webhook_runs != 1)


def _serve(wishes: argparse.Namespace) -> int:
    store = PLACE / "store"
    with watching(
        wishes.watch, limpet=wishes.limpet, secret=wishes.secret, store=store, headers={}
    ) as watcher:
        say(f"watching {wishes.watch}; its own pages are at {watcher.base} - Ctrl-C stops")
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    sys.exit(main())
