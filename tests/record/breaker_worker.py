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
        from limpet.record.breaker_redis import RedisBreakers  # noqa: PLC0415 - the other half does without
        from limpet.record.redis_client import connect_redis  # noqa: PLC0415

        return RedisBreakers(connect_redis(store), terms=TERMS)
    return FileBreakers(Path(store), terms=TERMS)


async def main(breakers: Breakers) -> str:
    try:
        await breakers.check("site:example.com")
    except BreakerOpen:
        return "refused"
    return "passed"


breakers = breakers_at(sys.argv[1])
sys.stdin.readline()  # all start at the same moment
print(asyncio.run(main(breakers)), flush=True)
