"""What others may leave on the shelf for the monitor to read."""

from __future__ import annotations

import pytest
import redis

from limpet.apps.matches.shelf.redis_shelf import RedisShelf
from limpet.record.redis_client import connect_redis


@pytest.mark.redis
async def test_what_stands_in_redis_about_a_domain_is_read_and_nonsense_is_nothing(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as outside:
        outside.set("domain_config:crex", b'{"enabled": false}')
        outside.set("domain_config:torn", b'{"enabled": ')
        outside.set("domain_config:list", b"[1]")
    client = connect_redis(redis_url)
    shelf = RedisShelf(client)

    try:
        found = [await shelf.domain_override(name) for name in ("crex", "torn", "list", "unknown")]
    finally:
        await client.aclose()

    assert found == [{"enabled": False}, {}, {}, {}]
