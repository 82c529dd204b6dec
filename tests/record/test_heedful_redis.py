"""A command that is called off ends, at whatever moment of its way that happens."""

from __future__ import annotations

import asyncio

import pytest

from limpet.record.redis_client import connect_redis

pytestmark = pytest.mark.redis


async def test_a_cancellation_that_comes_with_the_answer_is_heeded(redis_url: str) -> None:
    client = connect_redis(redis_url)
    await client.ping()
    for steps in range(40):
        asking = asyncio.ensure_future(client.ping())
        for _ in range(steps):
            await asyncio.sleep(0)
        was_answered = asking.done()
        asking.cancel()
        await asyncio.wait([asking])

        assert asking.cancelled() or was_answered, f"forgotten after {steps} steps"
    await client.aclose()
