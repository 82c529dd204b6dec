"""The demonstration: a pretend web, a config that visits it, the service, and the proof at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from limpet.assembly import House, app_checks, assemble
from limpet.cli.progress import summary_table
from limpet.cli.serving import HOW_TO_ENTER, serve_house
from limpet.cli.terminal import Terminal, words
from limpet.configuration.demo import demo_config, demo_domains
from limpet.errors import BrowserLaunchFailed
from limpet.fetch.browser.find import find_chromium
from limpet.record.database import make_directory
from limpet.record.durable_file import replace_file
from limpet.settings import Settings
from tidepool.serve import Tidepool
from tidepool.shop import Shop

_PRODUCTS = 60
_TARGETS = 24
_BROWSER_TARGETS = 3
_CASES = 60  # of the court; every tick publishes a few more
_TICK_SECONDS = 20.0
_CRICKET_TICK_SECONDS = 1.0  # a ball every three to seven seconds
_TICK_FILE = "demo-tick"
_LOOK_AT_CLOCK_SECONDS = 5.0


async def demonstrate(settings: Settings, seconds: float | None) -> int:
    """Run the demo for so long, or until a signal; return 0 only if the ledger balances."""
    console = Terminal()
    async with (
        Tidepool(products=_PRODUCTS, cases=_CASES, tick_seconds=_TICK_SECONDS) as pool,
        Tidepool(tick_seconds=_CRICKET_TICK_SECONDS) as ground,
    ):
        config = _write_config(settings.data_dir, pool, console, settings)
        asked = {"config": config, "match_sources": _write_domains(settings.data_dir, ground)}
        async with going_on(pool, settings.data_dir), assemble(settings.model_copy(update=asked)) as house:
            console.print(
                f"The pretend web is at http://127.0.0.1:{pool.port}/, its config at {config}.",
                soft_wrap=True,
            )
            await serve_house(house, say=lambda *where: _welcome(console, *where), seconds=seconds)
            return await _account(house, console)


@asynccontextmanager
async def going_on(pool: Tidepool, data_dir: Path) -> AsyncIterator[None]:
    """Let the pretend web go on where the demo on this data directory left it.

    A court that began anew would seem to have withdrawn what it published since, and raise an alarm.
    """
    place = data_dir / _TICK_FILE
    pool.advance(_tick_in(place))
    keeper = asyncio.create_task(_keep_tick(pool, place))
    try:
        yield
    finally:
        keeper.cancel()
        replace_file(place, str(pool.tick).encode())


async def _keep_tick(pool: Tidepool, place: Path) -> None:
    while True:  # a demo may be killed as well
        await asyncio.to_thread(replace_file, place, str(pool.tick).encode())
        await asyncio.sleep(_LOOK_AT_CLOCK_SECONDS)


def _tick_in(place: Path) -> int:
    try:
        return int(place.read_text())
    except (OSError, ValueError):  # the first demo here, or a file that somebody has changed
        return 0


def _write_config(data_dir: Path, pool: Tidepool, console: Terminal, settings: Settings) -> Path:
    make_directory(data_dir)
    shop = pool.site("shop")
    assert isinstance(shop, Shop)
    paths = [product.path for product in shop.catalogue][: _TARGETS + _BROWSER_TARGETS]
    text = demo_config(
        port=pool.port,
        targets=[pool.url("shop", path) for path in paths[:_TARGETS]],
        browser_targets=[pool.url("shop", path, zone="boutique.localhost") for path in paths[_TARGETS:]],
        browser_missing=_browser_missing(settings, console),
    )
    config = data_dir / "demo.toml"
    config.write_text(text, encoding="utf-8")
    return config


def _write_domains(data_dir: Path, ground: Tidepool) -> Path:
    """Describe the scoreboards: they stand in a world of their own, where time runs faster."""
    path = data_dir / "demo-matches.yaml"
    text = demo_domains(crex=ground.url("crex", ""), pavilion=ground.url("pavilion", ""))
    path.write_text(text, encoding="utf-8")
    return path


def _browser_missing(settings: Settings, console: Terminal) -> str | None:
    """Return why pages that need a browser are unavailable here, with the command that fixes it; or None."""
    try:
        find_chromium(settings.chromium)
    except BrowserLaunchFailed as missing:
        told = ("No browser: sources that need one are unavailable.", "yellow")
        console.print(words(told, f" {missing.fix}"), soft_wrap=True)
        return f"no browser on this machine; {missing.fix}"
    return None


def _welcome(console: Terminal, address: str, link: str | None) -> None:
    console.print(words("The portal is at ", (address, "bold"), " - Ctrl-C stops."))
    if link is not None:
        console.print(HOW_TO_ENTER)
        console.print(f"  {link}", style="bold", soft_wrap=True)


async def _account(house: House, console: Terminal) -> int:
    """Print the last runs and the proof."""
    for run in reversed(await house.ledger.runs(limit=4)):
        console.print(summary_table(run))
    found = await house.ledger.verify(app_checks=app_checks())
    for problem in found.problems:
        console.print(f"{problem.kind} {problem.subject}: {problem.message}", style="red")
    looked_at = ("runs", "jobs", "snapshots")
    counts = ", ".join(f"{found.counts.get(name, 0):,} {name}" for name in looked_at)
    console.print(f"Looked at {counts}, every file against its hash.", soft_wrap=True)
    if found.is_sound:
        console.print("The ledger balances.", style="green")
    else:
        console.print("The ledger does not balance.", style="red")
    return 0 if found.is_sound else 1
