"""How long the pages of the archive take over 100,000 judgments, in SQLite or in Postgres.

python -m bench.judgment_pages [cases] [postgresql://...]
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.portal import ask
from sqlalchemy import Connection, insert, text

from limpet.apps.judgments.tables import case_files, case_searches, cases, csv_versions
from limpet.assembly import assemble
from limpet.record.entry import NewRun
from limpet.record.reading import Job
from limpet.settings import Settings
from limpet.target import Target

CONFIG = """
[[sources]]
id = "unreported_judgments"
app = "judgments"
site = "judicial_ky"
hosts = ["court.test"]
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the bench"
"""
MOMENT = datetime(2026, 5, 1, tzinfo=UTC)
NAMES = (
    "Albion",
    "Breakwater",
    "Cormorant",
    "Dunlin",
    "Eider",
    "Fulmar",
    "Gannet",
    "Heron",
    "Kittiwake",
    "Lapwing",
)
STATED = ("title", "cause_number", "neutral_citation", "subject")
PATHS = {
    "/judgments": 150,
    "/judgments?search=kittiwake": 150,  # a tenth of all
    "/judgments?search=gannet+4711": 150,  # a few
    "/judgments?search=4711": 150,
    "/judgments?search=no+such+name": 150,  # none: every case is looked at
    "/judgments?search=zz": 150,  # shorter than what any index of three letters could serve
    "/judgments?search=lapwing&state=waiting": 150,
    "/judgments?state=failed": 150,
    "/judgments?court=Grand+Court": 150,
    "/judgments?after=50000": 150,
    "/judgments/4711": 150,
    "/api/v1/judgments?search=no+such+name": 150,
    "/api/downloaded-cases?search=no+such+name": 150,
    "/api/downloaded-cases?search=fulmar&limit=100": 150,
}


def rows(many: int, version_id: int) -> Iterator[dict[str, Any]]:
    """Yield cases as an index would have brought them: every tenth criminal, every hundredth gone."""
    chance, day = random.Random(1), date(2006, 1, 1)
    for row in range(1, many + 1):
        one, other = chance.choice(NAMES), chance.choice(NAMES)
        year, token = 2006 + row * 20 // many, f"FSD{row:06}{one}{other}HOLDINGSLIMITED".upper()
        said = {
            "title": f"In the Matter of {one} {row} Holdings Limited and {other} Capital Partners",
            "neutral_citation": f"[{year}] CIGC (FSD) {row % 5000}",
            "cause_number": f"FSD {row % 9999:04} of {year} ({chance.choice(('MRHJ', 'JAJ', 'DDJ'))})",
            "subject": "Winding up petition; validation order",
        }
        yield said | {
            "id": row, "action_token_raw": token, "action_token_norm": token, "court": "Grand Court",
            "category": "Criminal" if row % 10 == 0 else "Financial Services",
            "judgment_date": str(day + timedelta(days=row * 7300 // many)), "judgment_date_raw": "",
            "is_criminal": int(row % 10 == 0), "is_active": int(row % 100 != 0), "source": "unreported_judgments",
            "first_seen_version_id": version_id, "last_seen_version_id": version_id, "address": f"a:{row}",
            "file_key": token, "fingerprint": str(row),
        }  # fmt: skip


def searched(row: dict[str, Any]) -> str:
    return "\n".join(row[name] for name in ("action_token_raw", *STATED)).lower()


def fill(connection: Connection, many: int, jobs: Sequence[Job]) -> None:
    """Write the rows by the thousand; nine of ten are stored."""
    counts = ("new", "changed", "removed", "reappeared", "criminal", "blank", "duplicate", "undated", "case")
    version = {"id": 1, "source": "unreported_judgments", "fetched_at": MOMENT, "source_url": "x", "sha256": "x",
               "row_count": many, "valid": 1, "file_path": "x", "checked_at": MOMENT, "checks": 1, "is_held": False,
               **{f"{each}_count": 0 for each in counts}}  # fmt: skip
    connection.execute(insert(csv_versions), [version])
    held: list[dict[str, Any]] = []
    for row in rows(many, 1):
        held.append(row)
        if len(held) == 2_000 or row["id"] == many:
            connection.execute(insert(cases), held)
            connection.execute(
                insert(case_searches), [{"id": each["id"], "searched": searched(each)} for each in held]
            )
            held.clear()
    connection.execute(insert(case_files), list(files(jobs)))
    connection.execute(text("ANALYZE"))  # as Postgres does by itself within a minute


def files(jobs: Sequence[Job]) -> Iterator[dict[str, Any]]:
    """Yield a file for all but every tenth job."""
    for row, job in enumerate(jobs, start=1):
        if row % 10:
            yield {
                "job_id": job.id, "run_id": job.run_id, "case_id": row, "path": f"pdfs/{row}.pdf", "sha256": "x",
                "size_bytes": 4711, "was_adopted": False, "stored_at": MOMENT,
            }  # fmt: skip


def target_of(row: int) -> Target:
    return Target("unreported_judgments", f"a:{row}", f"https://court.test/#{row}", "court.test")


async def measure(many: int, database_url: str) -> int:
    with tempfile.TemporaryDirectory() as place:
        data_dir = Path(place)
        (data_dir / "limpet.toml").write_text(CONFIG)
        settings = Settings(
            data_dir=data_dir, config=data_dir / "limpet.toml", port=0, database_url=database_url or None
        )
        async with assemble(settings) as house:
            targets = [target_of(row) for row in range(1, many + 1)]
            run = await house.ledger.plan_run(NewRun("judgments", "unreported_judgments"), targets)
            planned = await house.ledger.jobs(run.id, limit=many)
            await house.ledger.write(lambda connection: fill(connection, many, planned))
            return await ask(house, PATHS)


if __name__ == "__main__":
    words = [*sys.argv[1:], "", ""]
    raise SystemExit(asyncio.run(measure(int(words[0] or 100_000), words[1])))
