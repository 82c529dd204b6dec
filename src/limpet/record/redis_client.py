"""The connection to Redis, tuned so that its absence is noticed within seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redis.asyncio import Redis

PATIENCE_SECONDS = 2.0


def connect_redis(url: str) -> Redis:
    """Return a client for that address; it connects when first used, and again whenever Redis came back."""
    # Here, not above: an embedded installation starts without ever loading the client.
    from redis.asyncio.retry import Retry  # noqa: PLC0415
    from redis.backoff import ConstantBackoff  # noqa: PLC0415

    from limpet.record.heedful_redis import HeedfulRedis  # noqa: PLC0415

    return HeedfulRedis.from_url(
        url,
        socket_timeout=PATIENCE_SECONDS,
        socket_connect_timeout=PATIENCE_SECONDS,
        # One retry at once: a connection from before a restart fails on its first use.
        retry=Retry(ConstantBackoff(0.02), 1),
    )
