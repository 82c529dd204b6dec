"""Where an export goes: standard output, or a file that appears only when it is whole."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from limpet.errors import UsageError


@contextlib.contextmanager
def opened(place: Path, *, force: bool) -> Iterator[IO[bytes]]:
    """Yield where to write; a file gets its name once it is whole."""
    if str(place) == "-":
        yield sys.stdout.buffer
        return
    if place.exists() and not force:
        raise UsageError(
            f"{place} is there already.", fix="Name another with --output, or replace it: --force."
        )
    unfinished = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as out:
            yield out
        unfinished.replace(place)
    except OSError as exc:
        raise UsageError(
            f"{place} cannot be written: {exc.strerror}.", fix="Name another place: --output."
        ) from exc
    finally:
        # What was never begun cannot be swept away either, and the first complaint is the one to hear.
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
