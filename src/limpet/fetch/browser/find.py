"""Where a Chromium is: told, on PATH, or installed by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from limpet.errors import BrowserLaunchFailed

# The headless shell first: it needs 27 MB a context where the full browser needs 76.
NAMES_ON_PATH = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
)
FIX = "run `make browser`, or `playwright install chromium`, or set LIMPET_CHROMIUM to a Chromium you have"

_PLAYWRIGHT_BINARIES = (
    "chromium_headless_shell-*/*/headless_shell",
    "chromium_headless_shell-*/*/chrome-headless-shell",
    "chromium-*/*/chrome",
    "chromium-*/*/Chromium.app/Contents/MacOS/Chromium",
)


def find_chromium(told: str | Path | None = None, *, search_path: str | None = None) -> Path:
    """Return the Chromium to launch, or raise BrowserLaunchFailed with the command that gets one."""
    if told:
        return _runnable(Path(told))
    for candidate in (*_on_path(search_path), *_installed_by_playwright()):
        return candidate
    raise BrowserLaunchFailed(f"no Chromium was found: {FIX}", fix=FIX)


def _runnable(told: Path) -> Path:
    """Return what we were told to use; a wrong path is an error, never a reason to use another browser."""
    if told.is_file() and os.access(told, os.X_OK):
        return told
    raise BrowserLaunchFailed(f"{told} is not a Chromium that can be run: {FIX}", fix=FIX)


def _on_path(search_path: str | None) -> Iterable[Path]:
    for name in NAMES_ON_PATH:
        if found := shutil.which(name, path=search_path):
            yield Path(found)


def _installed_by_playwright() -> Iterable[Path]:
    """Yield Playwright's own browsers, newest first, without starting its driver to ask."""
    for folder in _playwright_folders():
        for pattern in _PLAYWRIGHT_BINARIES:
            found = (path for path in folder.glob(pattern) if os.access(path, os.X_OK))
            yield from sorted(found, key=lambda path: _revision(path.relative_to(folder)), reverse=True)


def _revision(path: Path) -> int:
    """Return the number in `chromium-1200`; as text, 998 would come after 1200."""
    number = path.parts[0].rpartition("-")[2]
    return int(number) if number.isdigit() else 0


def _playwright_folders() -> Iterable[Path]:
    home = Path.home()
    yield home / ".cache" / "ms-playwright"
    yield home / "Library" / "Caches" / "ms-playwright"
