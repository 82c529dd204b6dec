"""What went wrong in a scraper of this very site, one test each: none of it can happen here.

Traps of the page itself are in the browser's tests, those of searching a year's end and of purging in theirs.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from itertools import pairwise

import pytest

from limpet.apps.dockets.account.checkpoint_file import load_checkpoint
from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.case_identifier import CaseIdentifier
from limpet.extract.parse.case_number import CaseNumber


def test_numbers_of_later_years_were_rejected_by_a_pattern_of_known_ones() -> None:
    assert [CaseIdentifier.parse(f"IMM-7-{year}").year for year in (26, 27, 45)] == ["26", "27", "45"]


def test_the_place_to_go_on_from_was_found_by_sorting_numbers_as_text() -> None:
    numbers = [CaseNumber("IMM", 2025, number) for number in (99, 1000, 9, 100)]

    assert [case.number for case in sorted(numbers)] == [9, 99, 100, 1000]


def test_a_batch_of_fifty_from_thirty_ended_at_sixty_or_eighty() -> None:
    assert [case.number for case in Batch(year=2025, start=30, end=79).numbers()][-1] == 79


async def test_a_gap_of_ten_numbers_halted_everything(court) -> None:
    """No-record counted as failure, and ten failures in a row were an emergency."""
    async with court.open() as house:
        ended = await court.walk(house, year=2025, start=1116, end=1136)

    assert (ended.counts["no_record"], ended.counts["succeeded"], ended.counts["failed"]) == (12, 9, 0)
    assert len(court.asked()) == 21


async def test_success_was_written_without_a_filing_date_that_could_not_be_read(court) -> None:
    """969 rows. A date stated as absent is an answer; one that is missing or unreadable is a failure."""
    absent = next(
        n for n in range(1, 200) if (court.truth(f"IMM-{n}-25") or {}).get("kind") == "no_filing_date"
    )

    async with court.open() as house:
        ended = await court.walk(house, year=2025, start=absent, end=absent)
        dates = await court.rows(house, "SELECT filing_date, saved_path FROM docket_case_versions")

    assert ended.counts["succeeded"] == 1
    assert dates[0][0] is None
    assert dates[0][1].startswith("output/json/2025/")  # the year is the number's, not the filing date's


async def test_success_was_written_without_entries_that_never_came(court) -> None:
    """345 rows. A docket is only believed when its entries were answered, or stated as none."""
    court.pool.set_fault("registry", "server_error_500", path=court.ENTRIES)

    async with court.open(retry_max_attempts=1) as house:
        ended = await court.walk(house, year=2025, start=1, end=2)
        on_record = await court.rows(house, "SELECT count(*) FROM docket_case_versions")
        standing = await court.rows(house, "SELECT status FROM docket_cases")

    assert ended.counts["failed"] == 2
    assert on_record == [(0,)]
    assert standing == [("failed",), ("failed",)]


async def test_entry_ids_were_taken_from_the_place_in_the_list(court) -> None:
    """411,161 rows inverted: the court lists the highest ID first."""
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=12)
        found = await court.rows(
            house,
            "SELECT c.case_id, e.entry_id, e.summary FROM docket_entries_now e "
            "JOIN docket_cases c ON c.id = e.docket_case_id",
        )

    stated = {f"IMM-{n}-25": court.truth(f"IMM-{n}-25") for n in range(1, 13)}
    truths = {(case, e["id"]): e["summary"] for case, t in stated.items() if t for e in t["entries"]}
    assert {(case, entry_id): summary for case, entry_id, summary in found} == truths


async def test_an_edited_entry_was_ignored_because_its_id_was_known(court) -> None:
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=30)
        court.pool.advance(6)
        await court.walk(house, year=2025, start=1, end=30, force=True)
        edited = await court.rows(
            house,
            "SELECT c.case_id, e.entry_id, e.summary FROM docket_entries_now e JOIN docket_cases c "
            "ON c.id = e.docket_case_id WHERE e.version > 1",
        )
        kept = await court.rows(house, "SELECT count(*) FROM docket_entries WHERE version = 1")

    assert edited
    for case_id, entry_id, summary in edited:
        stated = court.truth(case_id)
        assert stated is not None
        assert summary in [entry["summary"] for entry in stated["entries"] if entry["id"] == entry_id]
    assert kept[0][0] > len(edited)


async def test_a_failure_left_the_case_pending_or_took_a_success_away(court) -> None:
    async with court.open(retry_max_attempts=1) as house:
        await court.walk(house, year=2025, start=1, end=1)
        court.pool.set_fault("registry", "server_error_500", path=court.SEARCH)
        await court.walk(house, year=2025, start=1, end=2, force=True)
        standing = await court.rows(
            house, "SELECT case_id, status, last_error IS NULL FROM docket_cases ORDER BY number"
        )

    assert standing == [("IMM-1-25", "succeeded", 0), ("IMM-2-25", "failed", 0)]


async def test_failures_were_invisible_and_counters_wrong(court) -> None:
    court.pool.set_fault("registry", "server_error_500", path=court.SEARCH, times=4)

    async with court.open(retry_max_attempts=1, circuit_breaker_threshold=50) as house:
        await court.walk(house, year=2025, start=1, end=10)

    audit = court.audit()
    told = Counter(line["outcome"] for line in court.attempts())
    assert (audit["failed_count"], audit["success_count"], audit["total_attempted"]) == (4, 6, 10)
    assert told == {"failed": 4, "succeeded": 6}


async def test_an_audit_was_only_written_when_somebody_had_asked_for_it(court) -> None:
    said = await court.limpet("run", "dockets", "--year", "25", "--start", "1", "--max-cases", "2")

    assert said.code == 0
    assert court.audit()["total_attempted"] == 2
    assert len(list(court.output.glob("checkpoints/*/checkpoint.json"))) == 1


async def test_the_file_of_a_case_had_a_made_up_date_and_was_overwritten(court) -> None:
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=30)
        court.pool.advance(6)
        await court.walk(house, year=2025, start=1, end=30, force=True)
        files = await court.rows(
            house,
            "SELECT c.case_id, v.version, v.saved_path FROM docket_case_versions v "
            "JOIN docket_cases c ON c.id = v.docket_case_id ORDER BY v.id",
        )
        today = house.clock.now().strftime("%Y%m%d")

    assert {version for _, version, _ in files} == {1, 2}
    for case_id, version, path in files:
        suffix = "" if version == 1 else "-1"
        assert path == f"output/json/2025/{case_id}-{today}{suffix}.json"
        assert json.loads((court.data_dir / path).read_text())["version"] == version


async def test_everything_was_scraped_again_while_the_database_was_away(court) -> None:
    """It asked whether a case was known, got an error, and took that for no."""
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=3)
    (court.data_dir / "limpet.db").rename(court.data_dir / "elsewhere.db")
    (court.data_dir / "limpet.db").write_bytes(b"this is no database" * 100)

    said = await court.limpet("run", "dockets", "--year", "25", "--start", "1", "--max-cases", "3")

    assert said.code == 2
    assert court.asked().total() == 3


async def test_a_value_of_zero_was_taken_for_not_given(court) -> None:
    court.pool.set_fault("registry", "server_error_500", path=court.SEARCH, times=1)
    async with court.open(retry_max_attempts=1) as house:
        await court.walk(house, year=2025, start=1, end=1)

    words = ("--year", "25", "--start", "1", "--max-cases", "1", "--cool-down", "0")
    said = await court.limpet("run", "dockets", *words)
    zero = await court.limpet("run", "dockets", "--year", "25", "--start", "0", "--max-cases", "1")

    assert (said.code, zero.code) == (0, 0), said.err
    assert court.asked() == {"IMM-1-25": 2, "IMM-0-25": 1}


async def test_a_refusal_was_only_logged(court) -> None:
    court.write_config(extra='options = { reader = "json" }')
    court.pool.set_fault("registry", "challenge_403", path="/CourtFilesAndDecisions/*")

    said = await court.limpet("run", "dockets", "--year", "25", "--start", "1", "--max-cases", "20")

    assert said.code == 1
    assert court.asked().total() == 1
    with sqlite3.connect(court.data_dir / "limpet.db") as ledger:
        assert ledger.execute("SELECT reason FROM source_switches").fetchall() == [("BLOCKED",)]
    assert sorted((court.output / "html_failed").rglob("*.html"))


async def test_a_notice_of_maintenance_was_read_as_an_answer(court) -> None:
    court.pool.set_fault("registry", "maintenance_200", path=court.SEARCH)

    async with court.open(retry_max_attempts=1) as house:
        ended = await court.walk(house, year=2025, start=1, end=1)

    assert (ended.counts["failed"], ended.counts["no_record"]) == (1, 0)


@pytest.mark.parametrize("fault", ["empty_body", "session_dropped"])
async def test_a_page_instead_of_json_was_taken_for_no_record(court, fault) -> None:
    """Only the court's explicit word counts; a dropped session is asked again."""
    court.pool.set_fault("registry", fault, path=court.SEARCH, times=1)

    async with court.open(retry_base_delay_seconds=0.01) as house:
        ended = await court.walk(house, year=2025, start=1, end=1)

    assert ended.counts["succeeded"] == 1
    assert court.asked() == {"IMM-1-25": 2}


async def test_numbers_that_were_skipped_filled_the_memory_and_the_report(court) -> None:
    """What is left alone is counted, not listed."""
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=30)
        again = await court.walk(house, year=2025, start=1, end=31)
        told = await court.rows(
            house, f"SELECT payload FROM events WHERE event_type = 'batch_surveyed' AND run_id = {again.id}"
        )

    assert again.planned == 1
    assert "succeeded_before" in str(told)
    assert len(str(told)) < 300


async def test_the_whole_batch_was_written_again_at_its_end(court) -> None:
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=5)
        await court.walk(house, year=2025, start=6, end=8)

    assert len(list(court.output.rglob("IMM-*.json"))) == 8
    assert len({path.parent for path in court.output.rglob("IMM-*.json")}) == 1


async def test_requests_came_in_bursts_without_a_rest(court) -> None:
    court.write_config(
        pace="requests_per_second = 500\nmin_delay_seconds = 0.002\njitter = 0\nrest_after = 5\nrest_seconds = 0.4"
    )
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=8)

    arrivals = [visit.arrived_monotonic for visit in court.pool.log]
    rests = [later - earlier for earlier, later in pairwise(arrivals)]
    assert sum(gap >= 0.4 for gap in rests) == (len(arrivals) - 1) // 5
    assert court.pool.access_log.most_concurrent("registry.tidepool.localhost") == 1


async def test_a_checkpoint_was_only_ever_specified(court) -> None:
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=5)

    (folder,) = (court.output / "checkpoints").iterdir()
    raw = json.loads((folder / "checkpoint.json").read_text())
    assert raw["schema_version"] == 1
    assert raw["run_id"] == folder.name
    assert raw["cursor"] == {"last_job_id": raw["jobs"][-1]["job_id"], "last_job_index": 4}
    assert {tuple(sorted(job)) for job in raw["jobs"]} == {
        ("attempts", "case_id", "job_id", "last_error", "state")
    }
    assert [job.case_id for job in load_checkpoint(folder).jobs] == [f"IMM-{n}-25" for n in range(1, 6)]
