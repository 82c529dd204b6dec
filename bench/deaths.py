"""How soon work goes on after a death: a worker and the leading scheduler are killed -9, with the usual settings.

    .venv/bin/python -m bench.deaths

Prints the seconds from the kill to the next page of the dead worker's domain, and to the next scheduler's lead.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from bench.scale import Place, ask, origins, server, write_config

from limpet.assembly import House, assemble
from limpet.cli.scaling import handing_over
from limpet.record.entry import NewRun
from limpet.record.staff import staff
from limpet.settings import load_settings
from limpet.target.outcome import RunState, Trigger

TARGETS = 60
PATIENCE_SECONDS = 120


def start(place: Place, stack: ExitStack, verb: str, name: str) -> subprocess.Popen[str]:
    """Start a process of ours, and return once it says that it works."""
    process = stack.enter_context(
        subprocess.Popen(
            [sys.executable, "-m", "limpet", verb, "--data-dir", str(place.folder / name)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | place.environment,
        )
    )
    stack.callback(process.terminate)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def pages(place: Place) -> int:
    return ask(place.port, "/log").count(b'"/product/')


async def leader(house: House) -> int | None:
    """Return the process that leads, if one does."""
    return next((each.pid for each in await house.ledger.read(staff) if "scheduler" in each.leads), None)


async def until_a_page_after(place: Place, count: int) -> float:
    began = time.monotonic()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while pages(place) <= count:
            await asyncio.sleep(0.1)
    return time.monotonic() - began


async def kill_a_worker(house: House, place: Place, stack: ExitStack) -> float:
    """Kill the one that walks a domain; return how long until another one goes on there."""
    desk = await handing_over(house)
    victim = start(place, stack, "worker", "victim")
    run = await desk.plan(NewRun(app="prices", source_id=None, trigger=Trigger.UI))
    await until_a_page_after(place, 4)
    start(place, stack, "worker", "heir")
    victim.kill()
    victim.wait()
    took = await until_a_page_after(place, pages(place) + 1)  # one may have been on its way
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (found := await house.ledger.run(run.id)).state is RunState.RUNNING:
            await asyncio.sleep(0.2)
    if found.counts["succeeded"] != TARGETS:
        raise SystemExit(f"only {found.counts['succeeded']} of {TARGETS} targets succeeded")
    return took


async def kill_a_scheduler(house: House, place: Place, stack: ExitStack) -> float:
    """Kill the one that leads; return how long until the other one does."""
    both = {
        process.pid: process
        for process in (start(place, stack, "scheduler", name) for name in ("one", "two"))
    }
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (first := await leader(house)) not in both:
            await asyncio.sleep(0.1)
        both[first].kill()
        began = time.monotonic()
        while await leader(house) in (None, first):
            await asyncio.sleep(0.1)
    return time.monotonic() - began


async def measure(place: Place, stack: ExitStack) -> None:
    settings = {name.removeprefix("LIMPET_").lower(): value for name, value in place.environment.items()}
    async with assemble(load_settings(data_dir=place.folder / "desk", **settings)) as house:
        worker = await kill_a_worker(house, place, stack)
        print(f"a dead worker's domain is asked again after {worker:.1f} s (60 at most)")
        scheduler = await kill_a_scheduler(house, place, stack)
        print(f"a dead scheduler is followed after {scheduler:.1f} s (30 at most)")
        found = await house.ledger.verify()
        print("limpet verify: " + ("clean" if found.is_sound else f"{found.problems[:3]}"))


def main() -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        environment = {
            "LIMPET_DATABASE_URL": stack.enter_context(server("postgres")),
            "LIMPET_REDIS_URL": stack.enter_context(server("redis")),
            "LIMPET_CONFIG": str(folder / "limpet.toml"),
        }
        place = Place(stack.enter_context(origins(TARGETS + 5)), folder, environment)
        write_config(place, domains=1, each=TARGETS)
        asyncio.run(measure(place, stack))


if __name__ == "__main__":
    main()
