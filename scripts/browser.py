"""Finds a Chromium that runs, or gets one, and prints its path. Without any it says so, and ends with 1.

    python scripts/browser.py

In order: LIMPET_CHROMIUM, the names on PATH, what Playwright installed before, what Playwright can install,
and, for root, the distribution's package. Every attempt is bounded in time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
INSTALLED = (
    "chromium_headless_shell-*/*/headless_shell",
    "chromium_headless_shell-*/*/chrome-headless-shell",
    "chromium-*/*/chrome",
    "chromium-*/*/Chromium.app/Contents/MacOS/Chromium",
)
DOWNLOAD_SECONDS = 240
PACKAGE_SECONDS = 300
ANSWER_SECONDS = 30


def main() -> int:
    for attempt in (find, from_playwright, from_the_distribution):
        if path := attempt():
            print(path)
            return 0
    tell("! NO BROWSER COULD BE HAD. Everything that needs one is left out, and says so.")
    tell("! fix: install chromium, or set LIMPET_CHROMIUM to the program of one, then run `make browser`.")
    return 1


def find() -> str | None:
    return next((path for path in candidates() if starts(path)), None)


def candidates() -> Iterator[str]:
    if named := os.environ.get("LIMPET_CHROMIUM"):
        yield named
    yield from (path for name in NAMES if (path := shutil.which(name)))
    home = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    for pattern in INSTALLED:
        yield from (str(path) for path in sorted(home.glob(pattern), reverse=True))


def starts(path: str) -> bool:
    """Whether it can say its version: a stub that only advertises a package manager cannot."""
    return succeeds([path, "--version"], seconds=ANSWER_SECONDS)


def from_playwright() -> str | None:
    python = ROOT / ".venv" / "bin" / "python"
    if not python.exists():
        return None
    tell("no browser found; asking Playwright for one")
    for kind in (["--only-shell", "chromium"], ["chromium"]):
        command = [str(python), "-m", "playwright", "install", *kind]
        if succeeds(command, seconds=DOWNLOAD_SECONDS) and (path := find()):
            return path
    return None


def from_the_distribution() -> str | None:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    tell("asking the distribution for one")
    succeeds(["apt-get", "update", "-q"], seconds=PACKAGE_SECONDS)
    for package in ("chromium-headless-shell", "chromium"):
        command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", package]
        if succeeds(command, seconds=PACKAGE_SECONDS) and (path := find()):
            return path
    return None


def succeeds(command: list[str], *, seconds: float) -> bool:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            env=environment,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def tell(sentence: str) -> None:
    print(f"limpet: {sentence}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
