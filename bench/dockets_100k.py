"""How long the docket pages take over 100,000 cases with 300,000 entries, in SQLite or in Postgres.

python -m bench.dockets_100k [cases] [postgresql://...]
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.portal import ask
from sqlalchemy import Connection, insert, text

from limpet.apps.dockets.tables import docket_bounds, docket_case_versions, docket_cases, docket_entries
from limpet.assembly import assemble
from limpet.record.entry import NewRun
from limpet.settings import Settings
from limpet.target import Target

CONFIG = """
[[sources]]
id = "fct"
app = "dockets"
site = "federal_court"
hosts = ["court.test"]
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the bench"
"""
MOMENT = datetime(2026, 5, 1, tzinfo=UTC)
YEARS = (2025, 2024, 2023, 2022)
BASE = "/dockets/fct/IMM/2025"
PATHS = {
    "/dockets": 150,
    BASE: 150,
    f"{BASE}/numbers?first=3000": 150,
    f"{BASE}/gaps": 150,
    f"{BASE}/gaps?kind=absent": 150,
    "/dockets/cases": 150,
    "/dockets/cases?year=2025&prefix=IMM&source=fct": 150,
    "/dockets/cases?status=failed": 150,
    "/dockets/cases?search=IMM-4711-24": 150,
    "/dockets/cases?search=person+77": 150,
    "/dockets/cases?search=no+such+name": 150,
    "/dockets/cases?changed=true": 150,
    "/dockets/cases?after=60000": 150,
    "/dockets/fct/cases/IMM-4711-24": 150,
    "/api/v1/dockets": 150,
    f"/api/v1{BASE}": 150,
    f"/api/v1{BASE}/gaps": 150,
    "/api/v1/dockets/cases?limit=500": 150,
}


def numbers(cases: int) -> Iterator[tuple[int, int, int, str]]:
    """Yield row, year, number and how it stands: holes of 1 to 600, a failure now and then, a stretch unasked."""
    chance, row = random.Random(1), 0
    for year in YEARS:
        number, hole = 0, 0
        for _ in range(cases // len(YEARS)):
            row, number, hole = row + 1, number + 1, max(0, hole - 1)
            if number == 3_100:
                number += 240
            if not hole and chance.random() < 0.01:
                hole = chance.choice((1, 1, 1, 12, 12, 60, 150))
            status = "no_record" if hole else "failed" if chance.random() < 0.001 else "succeeded"
            yield row, year, number, status


def fill(connection: Connection, cases: int, job_id: int) -> None:
    """Write the rows by the thousand."""
    rows: dict[Any, list[dict[str, Any]]] = {docket_cases: [], docket_case_versions: [], docket_entries: []}
    for row, year, number, status in numbers(cases):
        has_docket = status == "succeeded"
        version = (2 if row % 50 == 0 else 1) if has_docket else 0
        at = MOMENT + timedelta(seconds=row)
        rows[docket_cases].append(
            {"id": row, "source_id": "fct", "case_id": f"IMM-{number}-{year % 100}", "prefix": "IMM", "year": year,
             "number": number, "status": status, "attempts": 1, "version": version, "last_job_id": job_id,
             "last_error": "timeout: no answer" if status == "failed" else None,
             "first_attempt_at": at, "last_attempt_at": at}
        )  # fmt: skip
        for each in range(1, version + 1):
            rows[docket_case_versions].append(
                {"docket_case_id": row, "version": each, "style_of_cause": f"PERSON {row} v. MCI", "office": "Ottawa",
                 "case_type": "Immigration Matters", "filing_date": "2025-01-02", "entry_count": 3, "details": {},
                 "url": "https://court.test/", "content_sha256": f"{row}-{each}", "job_id": job_id,
                 "adapter_version": "1", "recorded_at": at, "saved_path": "x"}
            )  # fmt: skip
            rows[docket_entries] += [
                {"docket_case_id": row, "entry_id": entry, "version": each, "case_version": each,
                 "summary": f"Letter {entry} of {each}", "is_published": False, "is_removed": False, "details": {},
                 "content_sha256": f"{entry}-{each}", "recorded_at": at}
                for entry in range(1, 4) if each == 1 or entry == 2
            ]  # fmt: skip
        if row % 2_000 == 0 or row == cases:
            for table, held in rows.items():
                connection.execute(insert(table), held)
                held.clear()
    bound = {"source_id": "fct", "prefix": "IMM", "upper_bound": cases // len(YEARS) + 240, "probes": 150}
    bound |= {"year": 2025, "terms": {}, "found_at": MOMENT, "expires_at": MOMENT + timedelta(days=900)}
    connection.execute(insert(docket_bounds), [bound])
    connection.execute(text("ANALYZE"))  # as Postgres does by itself within a minute


async def measure(cases: int, database_url: str) -> int:
    with tempfile.TemporaryDirectory() as place:
        data_dir = Path(place)
        (data_dir / "limpet.toml").write_text(CONFIG)
        settings = Settings(
            data_dir=data_dir, config=data_dir / "limpet.toml", port=0, database_url=database_url or None
        )
        async with assemble(settings) as house:
            target = Target("fct", "https://court.test/", "https://court.test/", "court.test")
            run = await house.ledger.plan_run(NewRun("dockets", "fct"), [target])
            (job,) = await house.ledger.jobs(run.id)
            await house.ledger.write(lambda connection: fill(connection, cases, job.id))
            return await ask(house, PATHS)


if __name__ == "__main__":
    words = [*sys.argv[1:], "", ""]
    raise SystemExit(asyncio.run(measure(int(words[0] or 100_000), words[1])))
