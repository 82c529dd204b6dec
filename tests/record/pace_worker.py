"""One worker of many: asks a domain again and again, and notes when each request reached its origin.

python pace_worker.py STORE LOG REQUESTS PER_SECOND MAX_CONCURRENT [hold]

`hold` keeps the first permit for ever, so that the test can kill us in the middle of a request.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from pathlib import Path

from limpet.fetch.policy.rate import Budget
from limpet.record.budget_file import FileBudget
from limpet.source.source import Pace


def budget_at(store: str) -> Budget:
    if store.startswith("redis://"):
        from limpet.record.budget_redis import RedisBudget  # noqa: PLC0415 - the other half does without
        from limpet.record.redis_client import connect_redis  # noqa: PLC0415

        return RedisBudget(connect_redis(store), lease_seconds=2.0)
    return FileBudget(Path(store))


def note(log: int, word: str) -> None:
    os.write(log, f"{time.monotonic():.9f} {word} {os.getpid()}\n".encode())


async def ask(budget: Budget, log: int, pace: Pace, *, is_slow: bool) -> None:
    permit = await budget.enter("example.com", pace)
    # What a connection costs differs from request to request; the origin's gaps must not shrink by it.
    await asyncio.sleep(random.uniform(0, 0.004))
    note(log, "arrived")
    if is_slow:
        await permit.reached()
        await asyncio.sleep(random.uniform(0, 0.05))
    note(log, "answered")
    await permit.leave()


async def main(store: str, path: str, requests: int, per_second: float, max_concurrent: int) -> None:
    budget = budget_at(store)
    log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    pace = Pace(per_second, min_delay_seconds=0.0, jitter=0.0, max_concurrent=max_concurrent)
    if sys.argv[6:] == ["hold"]:
        async with await budget.enter("example.com", pace):
            print("holding", flush=True)
            await asyncio.Event().wait()
    print("ready", flush=True)
    line = [ask(budget, log, pace, is_slow=max_concurrent > 1) for _ in range(requests)]
    await asyncio.gather(*line)


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])))
