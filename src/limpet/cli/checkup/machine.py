"""Examinations of the machine itself: data directory, disk, browser, clock."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from limpet.cli.checkup.finding import Finding, fail, ok, warn
from limpet.errors import BrowserLaunchFailed
from limpet.settings import Settings

# No clock that is right can show an earlier time than this file was written.
EARLIEST = datetime(2025, 6, 1, tzinfo=UTC)
BROWSER_SECONDS = 20
ANOTHER_PLACE = "Make it writable, or choose another place with --data-dir or LIMPET_DATA_DIR."


def data_dir(settings: Settings) -> list[Finding]:
    place = _nearest_existing(settings.data_dir)
    if not place.is_dir():
        return [fail("data_dir", f"{place} is not a directory.", fix=ANOTHER_PLACE)]
    try:
        with tempfile.TemporaryFile(dir=place) as probe:
            probe.write(b"limpet")
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as wrong:
        return [
            fail("data_dir", f"cannot write to {place}: {(wrong.strerror or '').lower()}.", fix=ANOTHER_PLACE)
        ]
    state = "is writable" if place == settings.data_dir else "will be created"
    return [ok("data_dir", f"{settings.data_dir} {state}")]


def disk(settings: Settings) -> list[Finding]:
    free_mb = shutil.disk_usage(_nearest_existing(settings.data_dir)).free // 1_000_000
    fix = f"Free some space near {settings.data_dir}, or lower LIMPET_MIN_FREE_DISK_MB."
    if free_mb < settings.min_free_disk_mb:
        return [fail("disk", f"{free_mb} MB free, {settings.min_free_disk_mb} MB are wanted.", fix=fix)]
    if free_mb < 5 * settings.min_free_disk_mb:
        return [warn("disk", f"{free_mb} MB free: enough now, but not for long.", fix=fix)]
    return [ok("disk", f"{free_mb} MB free")]


def _nearest_existing(path: Path) -> Path:
    path = path.absolute()
    return next((each for each in (path, *path.parents) if each.exists()), path)


def browser(settings: Settings) -> list[Finding]:
    """A missing browser is a warning: everything but browser-only sources works without."""
    from limpet.fetch.browser.find import find_chromium  # noqa: PLC0415 - brings the fetch room with it

    try:
        program = find_chromium(settings.chromium)
    except BrowserLaunchFailed as missing:
        return [
            warn(
                "browser",
                str(missing).partition(":")[0] + ".",
                fix=f"To read pages that need one, {missing.fix}.",
            )
        ]
    said = subprocess.run(
        [str(program), "--version"], capture_output=True, text=True, timeout=BROWSER_SECONDS, check=False
    )
    if said.returncode:
        reason = (said.stderr.strip().splitlines() or ["no reason given"])[-1][:160]
        return [
            warn(
                "browser",
                f"{program} does not start: {reason}",
                fix="Install what it lacks, or `make browser`.",
            )
        ]
    return [ok("browser", f"{said.stdout.strip() or 'version unknown'} ({program})")]


def clock(settings: Settings) -> list[Finding]:
    now = datetime.now(UTC)
    fix = "Set this machine's clock, and let NTP keep it (for instance `timedatectl set-ntp true`)."
    if now < EARLIEST:
        return [fail("clock", f"it shows {now:%Y-%m-%d}, which is in the past.", fix=fix)]
    newest = _newest_write(settings.data_dir)
    if newest and newest > now + timedelta(minutes=5):
        return [
            fail(
                "clock",
                f"files in {settings.data_dir} are from {newest:%Y-%m-%d %H:%M}, the future.",
                fix=fix,
            )
        ]
    if time.monotonic() <= 0:
        return [fail("clock", "the monotonic clock does not run.", fix=fix)]
    return [ok("clock", f"{now:%Y-%m-%d %H:%M:%S} UTC")]


def _newest_write(place: Path) -> datetime | None:
    if not place.is_dir():
        return None
    times = [each.stat().st_mtime for each in place.iterdir() if each.is_file()]
    return datetime.fromtimestamp(max(times), UTC) if times else None
