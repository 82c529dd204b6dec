"""Asks one breaker to let a call pass, and prints whether it did.

python breaker_worker.py STORE
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from limpet.errors import BreakerOpen
from limpet.fetch.policy.breaker import Breakers, BreakerTerms
from limpet.record.breaker_file import FileBreakers

TERMS = BreakerTerms(rest_seconds=0.0)


def breakers_at(store: str) -> Breakers:
    if store.startswith("redis://"):
        from limpet.record.breaker_redis import RedisBreakers
        from limpet.record.redis_client import connect_redis

        return RedisBreakers(connect_redis(store), terms=TERMS)
    return FileBreakers(Path(store), terms=TERMS)


async def main(store: str) -> str:
    try:
        await breakers_at(store).check("site:example.com")
    except BreakerOpen:
        return "refused"
    return "passed"


sys.stdin.readline()  # all start at the same moment
print(asyncio.run(main(sys.argv[1])), flush=True)
