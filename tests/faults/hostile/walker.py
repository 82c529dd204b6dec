"""A client in a process of its own: walks one healthy source, then all one by one, then all at once.

Prints its peak memory in MiB after each of the three.

python walker.py DATA_DIR CONFIG HEALTHY_SOURCE
"""

from __future__ import annotations

import asyncio
import resource
import sys
from pathlib import Path

from limpet.assembly import House, assemble
from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun
from limpet.settings import load_settings


async def walk(house: House, source_id: str | None) -> None:
    run = await house.desk.plan(NewRun(app="prices", source_id=source_id))
    await house.desk.walk(run, house.app("prices"), Silence())


def say_peak() -> None:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)


async def main(data_dir: Path, config: Path, healthy: str) -> None:
    settings = load_settings(
        data_dir=data_dir, config=config, retry_max_attempts=1, circuit_breaker_threshold=1000
    )
    async with assemble(settings) as house:
        await walk(house, healthy)
        say_peak()
        for source in house.catalogue.list():
            await walk(house, source.id)
        say_peak()
        await walk(house, None)
        say_peak()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
