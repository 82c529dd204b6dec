"""A court's numbers from the command line to the files: what the registry has, what it saw, what is on record."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import sqlite3
from collections import Counter

import pytest

from limpet.apps.dockets.account import chronicle
from limpet.apps.dockets.account.checkpoint_file import load_checkpoint


async def test_a_batch_records_what_the_registry_has_and_what_it_has_not(court, journey) -> None:
    said = await court.limpet("run", "dockets", "--year", "25", "--start", "1115", "--max-cases", "30")

    async with court.open() as house:
        standing = dict(await court.rows(house, "SELECT case_id, status FROM docket_cases"))
        entries = await court.rows(house, "SELECT count(*) FROM docket_entries_now")
        await journey.prove(house)
    expected = {f"IMM-{n}-25": court.truth(f"IMM-{n}-25") for n in range(1115, 1145)}
    assert said.code == 0, said.err
    assert {c: "succeeded" if t else "no_record" for c, t in expected.items()} == standing
    assert Counter(standing.values())["no_record"] == 12
    assert entries == [(sum(len(t["entries"]) for t in expected.values() if t),)]
    assert set(court.asked().values()) == {1}


async def test_records_say_what_the_registry_says(court) -> None:
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=40, extras=("parties", "related"))
        saved = await court.rows(house, "SELECT saved_path FROM docket_case_versions ORDER BY id")

    for (path,) in saved:
        document = json.loads((court.data_dir / path).read_text())
        stated = court.truth(document["case_id"])
        assert stated is not None
        assert {
            "style_of_cause": stated["style_of_cause"],
            "case_type": stated["type"],
            "type_of_action": stated["type_of_action"],
            "nature_of_proceeding": stated["nature"],
            "filing_date": stated["filing_date"],
            "office": stated["office"],
            "language": stated["language"],
        }.items() <= document.items()
        assert [
            [
                e["id"],
                e["entry_date"],
                e["entry_office"],
                e["summary"],
                e["is_published"],
                e["is_confidential"],
            ]
            for e in document["docket_entries"]
        ] == [
            [e["id"], e["date"], e["office"], e["summary"], e["document"] is not None, e["is_confidential"]]
            for e in stated["entries"]
        ]
        assert [[p["name"], p["firm"], p["contact"]] for p in document["parties"]] == stated["parties"]
        assert (
            path
            == f"output/json/2025/{document['case_id']}-{document['scraped_at'][:10].replace('-', '')}.json"
        )
    assert len(saved) == 40


async def test_what_is_answered_is_not_asked_again_unless_forced(court) -> None:
    async with court.open() as house:
        await court.walk(house, year=2025, start=1118, end=1122)
        again = await court.walk(house, year=2025, start=1118, end=1122)
        before = court.asked().total()
        forced = await court.walk(house, year=2025, start=1118, end=1122, force=True)

    assert (before, again.planned, forced.planned) == (5, 0, 5)
    assert court.asked().total() == 10


async def test_a_failure_is_retried_after_its_cool_down_and_never_spoils_a_success(court) -> None:
    async with court.open(retry_max_attempts=1) as house:
        await court.walk(house, year=2025, start=1, end=1)
        court.pool.set_fault("registry", "server_error_500", path=court.SEARCH)
        failed = await court.walk(house, year=2025, start=1, end=3, force=True)
        court.pool.clear_faults()
        standing = await court.rows(house, "SELECT case_id, status FROM docket_cases ORDER BY number")
        cooling = await court.walk(house, year=2025, start=1, end=3)
        mended = await court.walk(house, year=2025, start=1, end=3, cool_down_seconds=0.0)

    assert failed.counts["failed"] == 3
    assert standing == [("IMM-1-25", "succeeded"), ("IMM-2-25", "failed"), ("IMM-3-25", "failed")]
    assert (cooling.planned, mended.planned, mended.counts["succeeded"]) == (0, 2, 2)


async def test_numbers_without_an_answer_give_alarm_until_they_have_one(court_anywhere) -> None:
    court = court_anywhere

    async def gaps() -> list[tuple[str, str]]:
        await house.alerts.heed()
        found = await house.ledger.alerts(is_alive=None)
        return [(each.status, each.details) for each in found if each.kind == "gaps"]

    async with court.open(retry_max_attempts=1) as house:
        await court.walk(house, year=2025, start=5, end=5)
        court.pool.set_fault("registry", "server_error_500", path=court.SEARCH)
        await court.walk(house, year=2025, start=1, end=3)
        noticed = await gaps()
        await court.walk(house, year=2025, start=1, end=3, force=True)
        again = await gaps()
        court.pool.clear_faults()
        await court.walk(house, year=2025, start=1, end=3, force=True)
        filled = await gaps()
        (alert,) = [each for each in await house.ledger.alerts(is_alive=None) if each.kind == "gaps"]

    words = "asked for and not answered: 1-3"
    assert noticed == again == [("open", words)]
    assert filled == [("resolved", words)]
    assert (alert.subject, alert.occurrences) == ("fct IMM of 2025", 1)
    assert alert.fix == "limpet dockets probe --year 25 --source fct"


async def test_an_edited_entry_is_a_new_version_and_a_withdrawn_one_is_remembered(
    court_anywhere, journey
) -> None:
    court = court_anywhere
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=60)
        court.pool.advance(6)
        await court.walk(house, year=2025, start=1, end=60, force=True)
        now = await court.rows(
            house,
            "SELECT c.case_id, e.entry_id, e.summary FROM docket_entries_now e "
            "JOIN docket_cases c ON c.id = e.docket_case_id ORDER BY c.number, e.entry_id",
        )
        kept = await court.rows(
            house, "SELECT max(version), sum(CASE WHEN is_removed THEN 1 ELSE 0 END) > 0 FROM docket_entries"
        )
        files = await court.rows(
            house, "SELECT count(*), count(DISTINCT saved_path) FROM docket_case_versions"
        )
        await journey.prove(house)

    stated = [court.truth(f"IMM-{n}-25") for n in range(1, 61)]
    assert now == [(t["court_number"], e["id"], e["summary"]) for t in stated if t for e in t["entries"]]
    assert kept == [(2, True)]
    assert files[0][0] == files[0][1] > 60


async def test_a_list_of_cases_is_read_with_comments_and_odd_spellings(court) -> None:
    wanted = court.folder / "wanted.txt"
    wanted.write_text("# of interest\nimm/0005/25\n\nIMM-7-25, # the same twice\nIMM-7-25\nT-3-25\n")

    said = await court.limpet("run", "dockets", "--cases", str(wanted))

    assert said.code == 0, said.err
    assert court.asked() == {"IMM-5-25": 1, "IMM-7-25": 1, "T-3-25": 1}


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (["--max-cases", "5"], "--year"),
        (["--year", "nineteen", "--max-cases", "5"], "such as 25 or 2025"),
        (["--year", "25"], "limpet dockets probe --year 25"),
        (["--year", "25", "--max-cases", "5", "--extras", "gossip"], "parties, related"),
        (["--cases", "nowhere.txt"], "one case a line"),
        (["--checkpoint", "nowhere"], "checkpoint.json"),
    ],
)
async def test_what_cannot_be_is_refused_with_its_fix(court, words, fix) -> None:
    said = await court.limpet("run", "dockets", *words)

    assert said.code == 2, said.out
    assert fix in said.err
    assert not court.asked()


async def test_the_account_of_a_batch_adds_up(court) -> None:
    court.pool.set_fault("registry", "server_error_500", path=court.SEARCH, times=6)

    async with court.open(retry_base_delay_seconds=0.01, circuit_breaker_threshold=50) as house:
        ended = await court.walk(house, year=2025, start=1110, end=1140)

    audit, lines = court.audit(), court.attempts()
    results = [line["result"] for line in lines if "result" in line]
    outcomes = Counter(result["outcome"] for result in results)
    assert (ended.counts["failed"], len(lines)) == (2, 31 + 4)
    assert audit["is_balanced"]
    assert (audit["start_id"], audit["end_id"]) == ("IMM-1110-25", "IMM-1140-25")
    assert audit["total_attempted"] == 31 == len({line["case_id"] for line in lines})
    assert (audit["success_count"], audit["no_record_count"], audit["failed_count"]) == (
        outcomes["succeeded"], outcomes["no_record"], outcomes["failed"],
    ) == (17, 12, 2)  # fmt: skip
    evidence = [result["html_snapshot"] for result in results if result["outcome"] == "failed"]
    assert all((court.data_dir / path).read_bytes() for path in evidence)


async def test_a_stop_leaves_an_exact_checkpoint_and_a_resume_goes_on_from_it(court) -> None:
    court.write_config(pace="requests_per_second = 60\nmin_delay_seconds = 0.016")
    batch = await court.start("run", "dockets", "--year", "25", "--start", "1", "--max-cases", "40")
    await court.until(lambda: len(court.asked()) > 8)
    batch.interrupt(signal.SIGTERM)
    stopped = await batch.ends()

    (folder,) = (court.data_dir / "output" / "checkpoints").iterdir()
    checkpoint = load_checkpoint(folder)
    done = [job for job in checkpoint.jobs if not job.is_open]
    unwritten = (folder / checkpoint.worker_state["journal"]).read_bytes()
    resumed = await court.limpet("resume")

    assert (stopped.code, resumed.code) == (1, 0), resumed.err
    assert checkpoint.cursor.last_job_index == len(done) - 1 >= 7
    assert unwritten == b""  # all of it stands in checkpoint.json
    assert {court.asked()[job.case_id] for job in done} == {1}
    assert court.asked().total() <= 41  # the one under way when the stop came had not succeeded
    assert load_checkpoint(folder).cursor.last_job_index == 39


async def test_a_checkpoint_keeps_up_by_itself_and_a_kill_at_any_point_finds_it_there(court) -> None:
    """Seven jobs are too few to be written for their number: the checkpoint holds them because time has passed."""
    court.pool.set_fault("registry", "latency", path=f"{court.SEARCH}?*IMM-8-25*", seconds=600)
    batch = await court.start("run", "dockets", "--year", "25", "--start", "1", "--max-cases", "20")

    def ended() -> int:
        found = sorted(court.output.glob("checkpoints/*/checkpoint.json"))
        return sum(not job.is_open for job in load_checkpoint(found[0].parent).jobs) if found else 0

    await court.until(lambda: ended() == 7)
    batch.interrupt(signal.SIGKILL)
    await batch.ends()

    with sqlite3.connect(court.data_dir / "limpet.db") as ledger:
        told = ledger.execute("SELECT case_id FROM docket_cases ORDER BY number").fetchall()
    (folder,) = (court.output / "checkpoints").iterdir()
    checkpoint = load_checkpoint(folder)
    assert [(job.case_id,) for job in checkpoint.jobs if not job.is_open] == told
    assert checkpoint.cursor.last_job_index == 6
    assert [job.case_id for job in checkpoint.jobs if job.state == "running"] == ["IMM-8-25"]


async def test_a_checkpoint_keeps_up_by_number_while_the_clock_never_strikes(court, monkeypatch) -> None:
    """Jobs alone bring the checkpoint up: a batch quicker than its clock is at most a hundred of them ahead."""
    monkeypatch.setattr(chronicle, "FLUSH_SECONDS", 600.0)
    court.pool.set_fault("registry", "latency", path=f"{court.SEARCH}?*IMM-110-25*", seconds=600)

    def behind() -> int:
        (folder,) = (court.output / "checkpoints").iterdir()
        written = sum(not job.is_open for job in load_checkpoint(folder).jobs)
        return 109 - written

    async with court.open() as house:
        batch = asyncio.create_task(court.walk(house, year=2025, start=1, end=120))
        await court.until(lambda: court.asked()["IMM-110-25"] == 1)
        await court.until(lambda: behind() <= 100 - chronicle.FLUSH_JOBS)
        batch.cancel()
        await asyncio.wait([batch])

    assert 2 * chronicle.FLUSH_JOBS <= 100  # as many may end while what ended before is being written
    assert behind() == 0  # and exact when it stops, however it stops


async def test_a_dry_run_tells_the_plan_and_asks_nobody(court) -> None:
    words = ("run", "dockets", "--year", "25", "--start", "1118", "--max-cases", "6")
    before = await court.limpet(*words, "--dry-run")
    nobody = court.asked().total()
    await court.limpet("run", "dockets", "--year", "25", "--start", "1118", "--max-cases", "2")
    after = await court.limpet(*words, "--dry-run")

    async with court.open() as house:
        runs = await house.ledger.runs()
    assert (before.code, after.code, nobody) == (0, 0, 0)
    assert "6 numbers, 6 to ask" in before.out
    assert "6 numbers, 4 to ask" in after.out and "left alone: 2" in after.out
    assert len(runs) == 1  # the real one
    assert court.asked().total() == 2


async def test_an_account_that_does_not_add_up_is_told_by_the_exit_code(court) -> None:
    court.write_config(pace="requests_per_second = 60\nmin_delay_seconds = 0.016")
    batch = await court.start("run", "dockets", "--year", "25", "--start", "1", "--max-cases", "30")
    await court.until(lambda: len(court.asked()) > 4)
    batch.interrupt(signal.SIGTERM)
    await batch.ends()
    (attempts,) = court.output.glob("attempts_*.ndjson")
    with attempts.open("a") as file:
        file.write('{"case_id": "IMM-99-25", "job_id": 999999}\n')  # a case nobody ever asked for

    resumed = await court.limpet("resume")

    assert resumed.code not in (0, 2)
    assert "30 cases were attempted, 30 have an outcome, 31 are told" in resumed.err
    assert "limpet verify" in resumed.err


async def test_a_checkpoint_goes_on_in_an_empty_ledger(court, migrated_ledger) -> None:
    court.write_config(pace="requests_per_second = 60\nmin_delay_seconds = 0.016")
    batch = await court.start("run", "dockets", "--year", "25", "--start", "1", "--max-cases", "30")
    await court.until(lambda: len(court.asked()) > 6)
    batch.interrupt(signal.SIGTERM)
    await batch.ends()
    (folder,) = (court.data_dir / "output" / "checkpoints").iterdir()
    kept = court.folder / "kept"
    shutil.move(folder, kept)
    shutil.rmtree(court.data_dir)
    court.data_dir.mkdir()
    shutil.copy(migrated_ledger, court.data_dir)

    resumed = await court.limpet("run", "dockets", "--checkpoint", str(kept))

    (folder,) = (court.data_dir / "output" / "checkpoints").iterdir()
    after = load_checkpoint(folder)
    async with court.open() as house:
        again = await court.walk(house, year=2025, start=1, end=30)
    assert resumed.code == 0, resumed.err
    assert {court.asked()[job.case_id] for job in after.jobs if "/" in job.job_id} == {1}
    assert court.asked().total() <= 31
    assert len(court.asked()) == len(after.jobs) == 30
    assert not any(job.is_open for job in after.jobs)
    assert again.planned == 0


async def test_published_documents_are_fetched_once_and_kept_as_files(court, journey) -> None:
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=25)
        first = await court.walk(house, year=2025, start=1, end=25, documents=True)
        again = await court.walk(house, year=2025, start=1, end=25, documents=True)
        kept = await court.rows(
            house,
            "SELECT c.case_id, d.document_number, d.path FROM docket_documents d "
            "JOIN docket_cases c ON c.id = d.docket_case_id ORDER BY c.number, d.entry_id",
        )
        await journey.prove(house)

    stated = [court.truth(f"IMM-{n}-25") for n in range(1, 26)]
    public = [(t["court_number"], e["document"]) for t in stated if t for e in t["entries"] if e["document"]]
    assert [(case_id, number) for case_id, number, _ in kept] == public
    assert (first.counts["succeeded"], again.planned) == (len(public), 0)
    assert all((court.data_dir / path).read_bytes().startswith(b"%PDF-") for _, _, path in kept)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("forbidden_403", "blocked"), ("rate_limited_bare", "rate_limited"), ("challenge_200", "blocked")],
)
async def test_a_court_that_says_no_is_left_at_once(court, fault, reason) -> None:
    court.write_config(extra='options = { reader = "json" }')
    async with court.open(retry_max_attempts=1) as house:
        await court.walk(house, year=2025, start=1, end=5)
        court.pool.set_fault("registry", fault, path="/CourtFilesAndDecisions/*")
        refused = await court.walk(house, year=2025, start=6, end=15)
        reasons = await house.ledger.reasons(refused.id)
        events = await court.rows(house, "SELECT event_type FROM events WHERE event_type = 'source_disabled'")
    court.pool.clear_faults()

    said = await court.limpet("run", "dockets", "--year", "25", "--start", "6", "--max-cases", "10")

    assert (refused.counts["failed"], refused.counts["skipped"]) == (1, 9)
    assert f"failed: {reason}" in reasons
    assert events
    assert said.code == 2
    assert "limpet sources enable fct" in said.err
    assert court.asked().total() == 6


async def test_an_export_holds_every_number_and_every_entry(court) -> None:
    async with court.open() as house:
        await court.walk(house, year=2025, start=1118, end=1140)
        await court.walk(house, year=2024, start=1, end=3)

    said = [
        await court.limpet("export", "dockets", "--year", "25", "--format", form, "-o", "out")
        for form in ("csv", "jsonl", "parquet")
    ]

    out = court.folder / "out"
    cases = [json.loads(line) for line in (out / "cases.jsonl").read_text().splitlines()]
    entries = [json.loads(line) for line in (out / "docket_entries.jsonl").read_text().splitlines()]
    stated = {f"IMM-{n}-25": court.truth(f"IMM-{n}-25") for n in range(1118, 1141)}
    assert [each.code for each in said] == [0, 0, 0], said
    assert [case["case_id"] for case in cases] == list(stated)
    assert [(e["case_id"], e["entry_id"], e["summary"]) for e in entries] == [
        (case_id, e["id"], e["summary"]) for case_id, t in stated.items() if t for e in t["entries"]
    ]
    assert len((out / "cases.csv").read_text("utf-8-sig").splitlines()) == 24
    assert (out / "cases.parquet").read_bytes().startswith(b"PAR1")


async def test_stats_add_up_over_every_batch(court) -> None:
    async with court.open() as house:
        await court.walk(house, year=2025, start=1118, end=1135)
        await court.walk(house, year=2024, start=5, end=6)

    said = await court.limpet("dockets", "stats", "--year", "25", "--json")
    shown = await court.limpet("dockets", "stats")

    (year,) = json.loads(said.out)
    assert (said.code, shown.code) == (0, 0), said.err
    assert (year["start_id"], year["end_id"], year["total_attempted"]) == ("IMM-1118-25", "IMM-1135-25", 18)
    assert (year["success_count"], year["no_record_count"], year["failed_count"]) == (6, 12, 0)
    assert "IMM-6-24" in shown.out


async def test_a_run_without_numbers_watches_a_range_and_what_is_on_record(court) -> None:
    court.write_config(extra='[sources.options]\nwatch = { year = "25", start = 1119, max_cases = 4 }')
    async with court.open() as house:
        first = await court.walk(house)
        second = await court.walk(house)

    absent = sum(court.truth(f"IMM-{n}-25") is None for n in range(1119, 1123))
    assert (first.planned, first.counts["no_record"]) == (4, absent)
    assert second.planned == 4 - absent  # what is there may change; what is not there is not asked again
