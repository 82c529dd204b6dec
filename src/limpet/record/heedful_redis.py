"""A Redis client whose commands heed a cancellation, whenever it comes."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from redis.asyncio import Redis


class HeedfulRedis(Redis):
    """Before Python 3.12 `wait_for`, which the library sends by, forgets a cancellation that comes with its answer.

    Whoever asks again and again would then never end.
    """

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        before, library = _cancellations(), cast("Any", super())
        answer = await library.execute_command(*args, **options)
        if _cancellations() > before:
            raise asyncio.CancelledError
        return answer


def _cancellations() -> int:
    task = asyncio.current_task()
    return task.cancelling() if task is not None else 0
