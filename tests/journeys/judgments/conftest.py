"""A pretend court on a real port, and Limpet beside it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from limpet.apps.judgments.params import RunSummary, ScrapeParams
from limpet.apps.judgments.scraping import run_scrape
from limpet.assembly import House
from tidepool import Tidepool
from tidepool.access_log import Visit
from tidepool.court import Court

QUICK = "requests_per_second = 0\nmin_delay_seconds = 0\njitter = 0\nmax_concurrent = 8"
JUDGMENTS = "unreported_judgments"
REGISTERS = "public_registers"
SITES = {JUDGMENTS: "judicial_ky", REGISTERS: "judicial_ky_registers"}


@dataclass
class Courthouse:
    """The court, its archive on our side, and what the origins saw."""

    shore: Any
    pool: Tidepool

    @property
    def court(self) -> Court:
        site = self.pool.site("court")
        assert isinstance(site, Court)
        return site

    @property
    def data_dir(self) -> Path:
        return self.shore.data_dir

    def source(self, name: str = JUDGMENTS, *, pace: str = QUICK, extra: str = "", options: str = "") -> str:
        """Return one source as the config file has it."""
        zone = "tidepool.localhost"
        return (
            f'[[sources]]\nid = "{name}"\napp = "judgments"\nsite = "{SITES[name]}"\n'
            f'hosts = ["court.{zone}", "box.{zone}", "boxcdn.{zone}"]\nhttp_only = true\n'
            f'base_url = "http://court.{zone}:{self.pool.port}"\nallow_private_addresses = true\n{extra}\n'
            f'[sources.options]\nbox_hosts = ["box.{zone}", "boxcdn.{zone}"]\n'
            f'box_api = "http://box.{zone}:{self.pool.port}"\n{options}\n'
            f'[sources.terms]\nreviewed_at = 2026-01-01\napproved_by = "the tests"\n[sources.pace]\n{pace}\n'
        )

    def write_config(self, *sources: str, settings: str = "") -> None:
        quick = "retry_base_delay_seconds = 0.01\nretry_max_delay_seconds = 0.05\n"
        self.shore.write_config(*(sources or (self.source(),)), settings=quick + settings)

    def open(self, **settings: Any) -> Any:
        return self.shore.open(**settings)

    async def limpet(self, *words: str) -> Any:
        return await self.shore.limpet(*words)

    # -- what the court holds ------------------------------------------------------------------------------

    def wanted(self) -> dict[str, str]:
        """The sha256 of every document that must be in the archive, by token."""
        return {
            token: facts["sha256"]
            for token, facts in self.court.published().items()
            if not facts["is_criminal"]
        }

    # -- what the origins saw ------------------------------------------------------------------------------

    def visits(self, site: str, path: str = "/") -> list[Visit]:
        return [visit for visit in self.pool.log if visit.site == site and visit.path.startswith(path)]

    def downloads(self) -> Counter[int]:
        """How often each document's bytes were sent to the end, by its number."""
        return Counter(
            int(visit.path.split("/")[3])
            for visit in self.visits("boxcdn", "/d/1/")
            if visit.status == 200 and visit.fault is None
        )

    def asked_at_the_desk(self) -> int:
        return len(self.visits("court", "/wp-admin/admin-ajax.php"))


async def scrape(house: House, **wishes: Any) -> RunSummary:
    return await run_scrape(ScrapeParams(**({"mode": "full"} | wishes)), desk=house.desk)


async def rows(house: House, sql: str) -> list[dict[str, Any]]:
    def ask(connection: Any) -> list[dict[str, Any]]:
        return [dict(row._mapping) for row in connection.exec_driver_sql(sql)]

    return await house.ledger.read(ask)


async def archived(house: House) -> dict[str, str]:
    """The sha256 on the disk of every file the archive knows, by the court's token."""
    found = await rows(
        house,
        "SELECT action_token_raw, path FROM cases JOIN case_files ON case_files.case_id = cases.id",
    )
    folder = house.settings.data_dir
    return {
        row["action_token_raw"]: hashlib.sha256((folder / row["path"]).read_bytes()).hexdigest()
        for row in found
    }


class Archive:
    """How the archive is worked and looked at."""

    scrape = staticmethod(scrape)
    rows = staticmethod(rows)
    archived = staticmethod(archived)


@pytest.fixture
def archive() -> type[Archive]:
    return Archive


@pytest.fixture
def cases(request: pytest.FixtureRequest) -> int:
    """How many judgments the court has; a test may say otherwise."""
    return getattr(request, "param", 60)


@pytest.fixture
async def courthouse(shore: Any, cases: int) -> AsyncIterator[Courthouse]:
    async with Tidepool(products=1, cases=cases) as pool:
        yield Courthouse(shore, pool)


@pytest.fixture
def fault(courthouse: Courthouse) -> Callable[..., Any]:
    """Switch a fault on."""
    return courthouse.pool.set_fault
