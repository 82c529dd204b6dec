"""A client in a process of its own: walks one healthy source, then everything, and prints its peak memory after each.

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
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)


async def main(data_dir: Path, config: Path, healthy: str) -> None:
    async with assemble(load_settings(data_dir=data_dir, config=config, retry_max_attempts=1)) as house:
        await walk(house, healthy)
        await walk(house, None)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
