"""A court's registry on a real port, one docket source, and what everybody saw of a batch."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from sqlalchemy import text

from limpet.apps.dockets.batch import Batch
from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun, Run

QUICK = "requests_per_second = 500\nmin_delay_seconds = 0.002\njitter = 0"
SEARCH = "/CourtFilesAndDecisions/proceedingQueriesCourtNumberList"
ENTRIES = "/CourtFilesAndDecisions/proceedingQueriesRE"


class Court:
    """The shore as a docket reader sees it."""

    SEARCH, ENTRIES = SEARCH, ENTRIES

    def __init__(self, shore: Any) -> None:
        self.shore = shore
        self.write_config()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.shore, name)

    def write_config(self, *, pace: str = QUICK, extra: str = "") -> None:
        self.shore.write_config(
            '[[sources]]\nid = "fct"\napp = "dockets"\nsite = "federal_court"\n'
            'hosts = ["registry.tidepool.localhost"]\nhttp_only = true\nallow_private_addresses = true\n'
            f'base_url = "{self.shore.pool.url("registry", "")}"\n{extra}\n'
            f'[sources.terms]\nreviewed_at = 2026-01-01\napproved_by = "the tests"\n[sources.pace]\n{pace}\n'
        )

    def asked(self) -> Counter[str]:
        """How often the registry was asked for each number."""
        visits = [visit for visit in self.shore.pool.log if visit.path == SEARCH]
        return Counter(parse_qs(visit.query)["courtnumber"][0] for visit in visits)

    def truth(self, case_id: str) -> dict[str, Any] | None:
        """What a perfect reader would find."""
        pool = self.shore.pool
        found: dict[str, Any] | None = pool.site("registry").truth(case_id, tick=pool.tick)
        return found

    @staticmethod
    async def walk(house: Any, **batch: Any) -> Run:
        """Walk a batch in this process."""
        new = NewRun(app="dockets", source_id="fct", params=Batch(**batch).to_params())
        ended: Run = await house.desk.walk(await house.desk.plan(new), house.app("dockets"), Silence())
        return ended

    @staticmethod
    async def rows(house: Any, sql: str) -> list[Any]:
        """Ask the ledger."""
        return [tuple(row) for row in await house.ledger.read(lambda c: c.execute(text(sql)).all())]

    @property
    def output(self) -> Path:
        folder: Path = self.shore.data_dir / "output"
        return folder

    def audit(self) -> dict[str, Any]:
        """The newest audit."""
        found: dict[str, Any] = json.loads(sorted(self.output.glob("audit_*.json"))[-1].read_text())
        return found

    def attempts(self) -> list[dict[str, Any]]:
        """The newest attempts."""
        newest = sorted(self.output.glob("attempts_*.ndjson"))[-1]
        return [json.loads(line) for line in newest.read_text().splitlines()]


@pytest.fixture
def court(shore: Any) -> Court:
    """A registry with plain years, and an empty ledger beside it."""
    return Court(shore)


@pytest.fixture
def court_anywhere(anywhere: Any) -> Court:
    """The same on SQLite and on Postgres."""
    return Court(anywhere)
