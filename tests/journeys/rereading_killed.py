"""One re-extraction that dies at a crash point, in a process of its own; see test_reextract."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limpet.cli.rereading import open_rereader
from limpet.engine.rereading import sources_meant
from limpet.record import crash_points
from limpet.record.recorded_pages import PageWish
from limpet.record.rereadings import Rereading
from limpet.settings import load_settings
from limpet.target.outcome import Trigger

if TYPE_CHECKING:
    settings: dict[str, Any] = {}
    crash, hits = "", 1


async def main() -> None:
    async with open_rereader(load_settings(**settings), "prices") as rereader:
        rereader.at_once = 4
        chosen = sources_meant(rereader.app, rereader.sources.values(), rereader.sites)
        crash_points.arm(crash, hits)
        errand = Rereading("prices", "Ada", "mended", Trigger.CLI)
        await rereader.report(PageWish("prices", chosen), errand=errand)


settings = {name: Path(each) if name in {"data_dir", "config"} else each for name, each in settings.items()}
asyncio.run(main())
