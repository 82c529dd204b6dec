"""Limpet in a process of its own: watches until it is told to stop. Arguments: folder, then settings as JSON."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path

from limpet.assembly import assemble
from limpet.logs import open_logs
from limpet.settings import load_settings


async def watch(folder: Path, wishes: dict[str, object]) -> None:
    """Watch until SIGTERM."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    settings = load_settings(
        data_dir=folder / "data",
        config=folder / "limpet.toml",
        match_sources=folder / "sources.yaml",
        **wishes,
    )
    open_logs(folder / "logs", level="INFO", style="json")
    async with assemble(settings) as house:
        print("watching", flush=True)
        await house.monitor.watch(stop)


if __name__ == "__main__":
    import uvloop

    uvloop.run(watch(Path(sys.argv[1]), json.loads(sys.argv[2])))
