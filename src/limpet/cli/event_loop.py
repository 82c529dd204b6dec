"""The loop every working verb runs on: uvloop where it is to be had, because a page costs a third less on it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine to its end and return what it returns."""
    try:
        import uvloop  # noqa: PLC0415 - not to be had on every platform
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)
