"""An archive filled straight from what the pretend court has published, some of it stored as files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from limpet.apps.judgments.tables import case_files, cases, csv_versions
from limpet.apps.judgments.tokens import normalize_action_token
from limpet.clock import FrozenClock
from limpet.record.entry import NewRun
from limpet.record.ledger import Ledger
from limpet.record.tables import jobs
from limpet.source import Source
from limpet.target import Target
from tidepool.court.case import Row
from tidepool.court.docket import Docket

SOURCE = "unreported_judgments"
NOW = datetime(2025, 11, 20, 9, 0, tzinfo=UTC)


@dataclass
class Shelf:
    """A ledger with cases in it, and a data directory with their files."""

    ledger: Ledger
    folder: Path

    async def fill(self, rows: dict[str, Row]) -> None:
        """Write these rows down as cases of one version of the index."""
        await self.ledger.write(lambda connection: _fill(connection, rows, now=NOW))

    async def store(self, contents: dict[str, bytes]) -> int:
        """Store these bytes as the files of these tokens, in a run of its own; returns the run."""
        named = [Target(SOURCE, _address(token), _address(token), "court.test") for token in contents]
        run = await self.ledger.plan_run(NewRun("judgments", SOURCE), named)
        (self.folder / "pdfs").mkdir(exist_ok=True)
        for token, content in contents.items():
            (self.folder / _path(token)).write_bytes(content)
        await self.ledger.write(lambda connection: _store(connection, contents, run_id=run.id))
        return run.id


def _address(token: str) -> str:
    return f"https://court.test/{normalize_action_token(token)}"


def _path(token: str) -> str:
    return f"pdfs/{normalize_action_token(token)}.pdf"


def _fill(connection: Connection, rows: dict[str, Row], *, now: datetime) -> None:
    counts = {column.name: 0 for column in csv_versions.c if column.name.endswith("_count")}
    version = connection.execute(
        insert(csv_versions).values(
            source=SOURCE,
            fetched_at=now,
            source_url="https://court.test/judgments.csv",
            sha256="0",
            valid=1,
            file_path="csv/one.csv",
            checked_at=now,
            checks=1,
            is_held=False,
            **counts,
        )
    ).inserted_primary_key[0]
    known = [
        {
            "action_token_raw": token,
            "action_token_norm": normalize_action_token(token),
            "title": row.title,
            "neutral_citation": row.citation or None,
            "cause_number": row.cause_number,
            "court": row.court,
            "category": row.category,
            "subject": row.subject,
            "judgment_date": row.judged_on.isoformat() if row.judged_on else None,
            "judgment_date_raw": row.date_text,
            "is_criminal": int(row.is_criminal),
            "is_active": 1,
            "source": SOURCE,
            "first_seen_version_id": version,
            "last_seen_version_id": version,
            "address": f"{_address(token)}/{number}",
            "file_key": f"{normalize_action_token(token)}-{number}",
            "fingerprint": "0",
        }
        for number, (token, row) in enumerate(rows.items())
    ]
    connection.execute(insert(cases), known)


def _store(connection: Connection, contents: dict[str, bytes], *, run_id: int) -> None:
    planned = connection.execute(
        select(jobs.c.id).where(jobs.c.run_id == run_id).order_by(jobs.c.id)
    ).scalars()
    for job_id, (token, content) in zip(planned, contents.items(), strict=True):
        known = select(cases.c.id).where(cases.c.action_token_raw == token)
        values: dict[str, Any] = {
            "job_id": job_id,
            "run_id": run_id,
            "case_id": connection.execute(known).scalar_one(),
            "path": _path(token),
            "sha256": sha256(content).hexdigest(),
            "size_bytes": len(content),
            "box_url": "https://dl.boxcloud.com/d/1/x/download",
            "was_adopted": False,
            "stored_at": NOW,
        }
        connection.execute(insert(case_files).values(**values))


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    async with await Ledger.open(tmp_path, clock=FrozenClock()) as ledger:
        await ledger.put_source(Source(id=SOURCE, app="judgments", site="court", hosts=("court.test",)))
        yield Shelf(ledger, tmp_path)


@pytest.fixture(scope="session")
def docket() -> Docket:
    """What the pretend court has published by default."""
    return Docket(7, 2_700)
