"""A whole monitor over real sockets: two pretend scoreboards, a real ledger, and the truth of every ball."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest

from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.monitor.watch import Board
from limpet.apps.matches.views import balls_of
from limpet.assembly import House, app_checks, assemble
from limpet.settings import load_settings
from tidepool import Tidepool

PATIENCE = 60.0
T = TypeVar("T")
SOURCE = """
[[sources]]
id = "{id}"
app = "matches"
site = "{site}"
hosts = {hosts}
http_only = true
allow_private_addresses = true
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tests"
[sources.pace]
requests_per_second = {pace:g}
min_delay_seconds = 0
max_concurrent = 16
"""
# Each site in a zone of its own: what befalls one must not stop our visits to the others.
ZONES = {"crex": "tidepool.localhost", "crex_browser": "kelp.localhost", "pavilion": "reef.localhost"}


@dataclass
class Arena:
    """Pretend scoreboards, and a monitor that watches them in a data directory of its own."""

    folder: Path
    pool: Tidepool
    # What crex is asked first about a match. Its other calls may fail without a failure of the visit.
    match_data: ClassVar[str] = "/v10/sV3.php"

    @property
    def sources_file(self) -> Path:
        return self.folder / "sources.yaml"

    def write_config(
        self, *domains: str, disabled: tuple[str, ...] = (), browser_matches: int = 0, pace: float = 0
    ) -> None:
        """Describe these domains (crex, pavilion, crex_browser), the first believed most."""
        text, listed = "", "sources:\n"
        for place, domain in enumerate(domains or ("crex", "pavilion")):
            names, zone = ["pavilion"] if domain == "pavilion" else ["crex", "crexapi"], ZONES[domain]
            text += SOURCE.format(
                id=domain, site=domain, hosts=[f"{name}.{zone}" for name in names], pace=pace
            )
            base = self.pool.url(names[0], "", zone=zone)
            listed += (
                f"  - domain_id: {domain}\n    precedence_weight: {100 - 20 * place}\n"
                f"    enabled: {str(domain not in disabled).lower()}\n"
                f"    rate_limits: {{min_interval_seconds: {1.0 if domain == 'crex_browser' else 0.05}}}\n"
                f'    metadata: {{base_url: "{base}", names_call: names, most_matches: {browser_matches}}}\n'
            )
        (self.folder / "limpet.toml").write_text(text)
        self.sources_file.write_text(listed)

    def open(self, **settings: Any) -> AbstractAsyncContextManager[House]:
        quick = {"polling_interval_seconds": 0.3, "discovery_interval_seconds": 1.0} | settings
        return assemble(
            load_settings(
                data_dir=self.folder / "data",
                config=self.folder / "limpet.toml",
                match_sources=self.sources_file,
                **quick,
            )
        )

    @asynccontextmanager
    async def watching(self, **settings: Any) -> AsyncIterator[House]:
        """Yield a house whose monitor is at work; on leaving it has come to its end in good order."""
        async with self.open(**settings) as house:
            room = house.monitor.room
            room.terms = replace(room.terms, backoff_seconds=(0.0, 0.05, 0.1))
            stop = asyncio.Event()
            monitor = asyncio.create_task(house.monitor.watch(stop))
            try:
                yield house
            finally:
                stop.set()
                await monitor

    async def until(self, comes_true: Callable[[], object]) -> None:
        """Return once it is so."""
        async with asyncio.timeout(PATIENCE):
            while not comes_true():
                await asyncio.sleep(0.02)

    async def until_written(
        self, house: House, question: Callable[[Any], T], is_so: Callable[[T], object]
    ) -> T:
        """Return what the ledger says once it says so."""
        async with asyncio.timeout(PATIENCE):
            while not is_so(answer := await house.ledger.read(question)):
                await asyncio.sleep(0.02)
        return answer

    async def until_active(self, house: House, count: int) -> None:
        """Return once so many watches have answered, each match at each of its sources being one."""
        watches = house.monitor.room.watches
        active = [MatchState.ACTIVE] * count
        await self.until(lambda: [each.record.state for each in watches.values()] == active)

    async def until_known(self, house: House, match_id: str, *, by: int) -> None:
        """Return once the ledger holds every ball of a match that was really bowled by that tick."""
        bowled = self.truth(match_id, until=by).keys()
        await self.until_written(
            house,
            lambda connection: {_key(row) for row in balls_of(connection, match_id)},
            lambda known: known >= bowled,
        )

    async def until_asked(self, fault: str) -> str:
        """Return the match whose data was asked for and met with this fault, once there is one."""
        await self.until(lambda: self._met(fault))
        return f"crex:{self._met(fault)[0]}"

    def _met(self, fault: str) -> list[str]:
        asked = [visit for visit in self.pool.log if visit.path == self.match_data and visit.fault == fault]
        return [visit.query.removeprefix("key=") for visit in asked]

    def truth(self, key: str, *, until: int) -> dict[tuple[int, int, int], dict[str, Any]]:
        """Return every ball of a match that was really bowled by that tick; either site's name of it will do."""
        told = self.pool.world.match(self._key_of(key))
        assert told is not None
        return {_key(ball): ball for ball in told["balls"] if ball["tick"] <= until}

    def _key_of(self, match_id: str) -> str:
        site, _, reference = match_id.rpartition(":")
        if site != "pavilion":
            return reference
        numbers = {each["number"]: each["key"] for each in self.pool.world.matches()}
        return str(numbers[int(reference)])

    async def known(self, house: House, match_id: str) -> dict[tuple[int, int, int], dict[str, Any]]:
        """Return every ball of a match the ledger holds."""
        rows = await house.ledger.read(lambda connection: balls_of(connection, match_id))
        return {_key(row): row for row in rows}

    def boards(self, house: House) -> list[Board]:
        return list(house.monitor.room.boards.values())

    async def prove(self, house: House) -> None:
        found = await house.ledger.verify(app_checks=app_checks())
        assert found.is_sound, found.problems


def _key(row: dict[str, Any]) -> tuple[int, int, int]:
    return row["innings"], row["over"], row["delivery"]


@pytest.fixture
def build_arena(tmp_path: Path, migrated_ledger: Path) -> Callable[..., AbstractAsyncContextManager[Arena]]:
    """Return how an arena is opened, with so many matches and so quick a time."""

    @asynccontextmanager
    async def build(*, matches: int = 12, tick_seconds: float = 0.1, **pool: Any) -> AsyncIterator[Arena]:
        (tmp_path / "data").mkdir(exist_ok=True)
        shutil.copy(migrated_ledger, tmp_path / "data")
        async with Tidepool(matches=matches, tick_seconds=tick_seconds, **pool) as tidepool:
            arena = Arena(tmp_path, tidepool)
            arena.write_config()
            yield arena

    return build
