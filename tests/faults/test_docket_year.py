"""A whole year by JSON, holes and oddities included: every number's outcome is what the registry's own data says."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from sqlalchemy import text

from limpet.apps.dockets.batch import Batch
from limpet.assembly import app_checks, assemble
from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun
from limpet.settings import load_settings
from tidepool import Tidepool

NUMBERS = 10_000 if "SOAK_KILLS" in os.environ else 330
CONFIG = """
[[sources]]
id = "fct"
app = "dockets"
site = "federal_court"
hosts = ["registry.tidepool.localhost"]
http_only = true
allow_private_addresses = true
base_url = "{base}"
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tests"
[sources.pace]
requests_per_second = 0
min_delay_seconds = 0
"""


@pytest.mark.timeout(120 + NUMBERS)
async def test_a_year_of_numbers_ends_as_the_registry_has_it(tmp_path: Path) -> None:
    config = tmp_path / "limpet.toml"
    async with Tidepool(files=NUMBERS, page_cache=0) as pool:
        config.write_text(CONFIG.format(base=pool.url("registry", "")))
        async with assemble(load_settings(data_dir=tmp_path / "data", config=config)) as house:
            params = Batch(year=2025, start=1, end=NUMBERS).to_params()
            run = await house.desk.plan(NewRun(app="dockets", source_id="fct", params=params))
            ended = await house.desk.walk(run, house.app("dockets"), Silence())
            found = await house.ledger.verify(app_checks=app_checks())
            rows = await house.ledger.read(
                lambda connection: connection.execute(
                    text(
                        "SELECT c.case_id, c.status, v.style_of_cause, v.filing_date, v.entry_count, "
                        "v.saved_path FROM docket_cases c LEFT JOIN docket_case_versions v "
                        "ON v.docket_case_id = c.id AND v.version = c.version ORDER BY c.number"
                    )
                ).all()
            )
        registry = pool.site("registry")
        visits = Counter(
            parse_qs(visit.query)["courtnumber"][0]
            for visit in pool.log
            if visit.path.endswith("proceedingQueriesCourtNumberList")
        )
        stated = {row.case_id: registry.truth(row.case_id, tick=0) for row in rows}

    assert found.is_sound, found.problems[:5]
    assert [row.case_id for row in rows] == [f"IMM-{number}-25" for number in range(1, NUMBERS + 1)]
    for row in rows:
        truth = stated[row.case_id]
        if truth is None:
            assert (row.status, row.entry_count) == ("no_record", None)
        else:
            assert (row.status, row.style_of_cause, row.filing_date, row.entry_count) == (
                "succeeded", truth["style_of_cause"], truth["filing_date"], len(truth["entries"]),
            )  # fmt: skip
            assert (tmp_path / "data" / row.saved_path).is_file()
    holes = sum(truth is None for truth in stated.values())
    assert (ended.counts["no_record"], ended.counts["failed"]) == (holes, 0)
    assert holes >= 73
    assert set(visits.values()) == {1}
