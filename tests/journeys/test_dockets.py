"""A court's numbers from the command line to the files: what the registry has, what it saw, what is on record."""

from __future__ import annotations

import json
import shutil
import signal
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from sqlalchemy import text

from limpet.apps.dockets.account.checkpoint_file import load_checkpoint
from limpet.apps.dockets.batch import Batch
from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun, Run

QUICK = "requests_per_second = 500\nmin_delay_seconds = 0.002\njitter = 0"
SEARCH = "/CourtFilesAndDecisions/proceedingQueriesCourtNumberList"


def court_source(shore: Any, *, pace: str = QUICK, extra: str = "") -> str:
    return (
        '[[sources]]\nid = "fct"\napp = "dockets"\nsite = "federal_court"\n'
        'hosts = ["registry.tidepool.localhost"]\nhttp_only = true\nallow_private_addresses = true\n'
        f'base_url = "{shore.pool.url("registry", "")}"\n{extra}\n'
        f'[sources.terms]\nreviewed_at = 2026-01-01\napproved_by = "the tests"\n[sources.pace]\n{pace}\n'
    )


@pytest.fixture
def court(shore: Any) -> Any:
    """The shore with one docket source."""
    shore.write_config(court_source(shore))
    return shore


def asked(shore: Any) -> Counter[str]:
    """How often the registry was asked for each number."""
    visits = [visit for visit in shore.pool.log if visit.path == SEARCH]
    return Counter(parse_qs(visit.query)["courtnumber"][0] for visit in visits)


def truth(shore: Any, case_id: str) -> dict[str, Any] | None:
    found: dict[str, Any] | None = shore.pool.site("registry").truth(case_id, tick=shore.pool.tick)
    return found


async def walk_batch(house: Any, watcher: Silence | None = None, **batch: Any) -> Run:
    new = NewRun(app="dockets", source_id="fct", params=Batch(**batch).to_params())
    ended: Run = await house.desk.walk(await house.desk.plan(new), house.app("dockets"), watcher or Silence())
    return ended


async def rows(house: Any, sql: str) -> list[Any]:
    return [tuple(row) for row in await house.ledger.read(lambda c: c.execute(text(sql)).all())]


def audit_of(folder: Path) -> dict[str, Any]:
    (path,) = sorted((folder / "output").glob("audit_*.json"))[-1:]
    audit: dict[str, Any] = json.loads(path.read_text())
    return audit


def lines_of(folder: Path) -> list[dict[str, Any]]:
    (path,) = sorted((folder / "output").glob("attempts_*.ndjson"))[-1:]
    return [json.loads(line) for line in path.read_text().splitlines()]


async def test_a_batch_records_what_the_registry_has_and_what_it_has_not(court, journey) -> None:
    said = await court.limpet("run", "dockets", "--year", "25", "--start", "1115", "--max-cases", "30")

    async with court.open() as house:
        standing = dict(await rows(house, "SELECT case_id, status FROM docket_cases"))
        entries = await rows(house, "SELECT count(*) FROM docket_entries_now")
        await journey.prove(house)
    expected = {f"IMM-{n}-25": truth(court, f"IMM-{n}-25") for n in range(1115, 1145)}
    assert said.code == 0, said.err
    assert {c: "succeeded" if t else "no_record" for c, t in expected.items()} == standing
    assert Counter(standing.values())["no_record"] == 12
    assert entries == [(sum(len(t["entries"]) for t in expected.values() if t),)]
    assert set(asked(court).values()) == {1}


async def test_records_say_what_the_registry_says(court) -> None:
    async with court.open() as house:
        await walk_batch(house, year=2025, start=1, end=40, extras=("parties", "related"))
        saved = await rows(house, "SELECT saved_path FROM docket_case_versions ORDER BY id")

    for (path,) in saved:
        document = json.loads((court.data_dir / path).read_text())
        stated = truth(court, document["case_id"])
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
        await walk_batch(house, year=2025, start=1118, end=1122)
        again = await walk_batch(house, year=2025, start=1118, end=1122)
        before = asked(court).total()
        forced = await walk_batch(house, year=2025, start=1118, end=1122, force=True)

    assert (before, again.planned, forced.planned) == (5, 0, 5)
    assert asked(court).total() == 10


async def test_a_failure_is_retried_after_its_cool_down_and_never_spoils_a_success(court) -> None:
    async with court.open(retry_max_attempts=1) as house:
        await walk_batch(house, year=2025, start=1, end=1)
        court.pool.set_fault("registry", "server_error_500", path=SEARCH)
        failed = await walk_batch(house, year=2025, start=1, end=3, force=True)
        court.pool.clear_faults()
        standing = await rows(house, "SELECT case_id, status FROM docket_cases ORDER BY number")
        cooling = await walk_batch(house, year=2025, start=1, end=3)
        mended = await walk_batch(house, year=2025, start=1, end=3, cool_down_seconds=0.0)

    assert failed.counts["failed"] == 3
    assert standing == [("IMM-1-25", "succeeded"), ("IMM-2-25", "failed"), ("IMM-3-25", "failed")]
    assert (cooling.planned, mended.planned, mended.counts["succeeded"]) == (0, 2, 2)


async def test_an_edited_entry_is_a_new_version_and_a_withdrawn_one_is_remembered(anywhere, journey) -> None:
    court = anywhere
    court.write_config(court_source(court))
    async with court.open() as house:
        await walk_batch(house, year=2025, start=1, end=60)
        court.pool.advance(6)
        await walk_batch(house, year=2025, start=1, end=60, force=True)
        now = await rows(
            house,
            "SELECT c.case_id, e.entry_id, e.summary FROM docket_entries_now e "
            "JOIN docket_cases c ON c.id = e.docket_case_id ORDER BY c.number, e.entry_id",
        )
        kept = await rows(
            house, "SELECT max(version), sum(CASE WHEN is_removed THEN 1 ELSE 0 END) > 0 FROM docket_entries"
        )
        files = await rows(house, "SELECT count(*), count(DISTINCT saved_path) FROM docket_case_versions")
        await journey.prove(house)

    stated = [truth(court, f"IMM-{n}-25") for n in range(1, 61)]
    assert now == [(t["court_number"], e["id"], e["summary"]) for t in stated if t for e in t["entries"]]
    assert kept == [(2, True)]
    assert files[0][0] == files[0][1] > 60


async def test_a_list_of_cases_is_read_with_comments_and_odd_spellings(court) -> None:
    wanted = court.folder / "wanted.txt"
    wanted.write_text("# of interest\nimm/0005/25\n\nIMM-7-25, # the same twice\nIMM-7-25\nT-3-25\n")

    said = await court.limpet("run", "dockets", "--cases", str(wanted))

    assert said.code == 0, said.err
    assert asked(court) == {"IMM-5-25": 1, "IMM-7-25": 1, "T-3-25": 1}


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (["--max-cases", "5"], "--year"),
        (["--year", "nineteen", "--max-cases", "5"], "IMM-231-25"),
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
    assert not asked(court)


async def test_the_account_of_a_batch_adds_up(court) -> None:
    court.pool.set_fault("registry", "server_error_500", path=SEARCH, times=6)

    async with court.open(retry_base_delay_seconds=0.01, circuit_breaker_threshold=50) as house:
        ended = await walk_batch(house, year=2025, start=1110, end=1140)

    audit, lines = audit_of(court.data_dir), lines_of(court.data_dir)
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
    court.write_config(court_source(court, pace="requests_per_second = 60\nmin_delay_seconds = 0.016"))
    batch = await court.start("run", "dockets", "--year", "25", "--start", "1", "--max-cases", "40")
    await court.until(lambda: len(asked(court)) > 8)
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
    assert {asked(court)[job.case_id] for job in done} == {1}
    assert asked(court).total() <= 41  # the one under way when the stop came had not succeeded
    assert load_checkpoint(folder).cursor.last_job_index == 39


async def test_a_checkpoint_goes_on_in_an_empty_ledger(court, migrated_ledger) -> None:
    court.write_config(court_source(court, pace="requests_per_second = 60\nmin_delay_seconds = 0.016"))
    batch = await court.start("run", "dockets", "--year", "25", "--start", "1", "--max-cases", "30")
    await court.until(lambda: len(asked(court)) > 6)
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
        again = await walk_batch(house, year=2025, start=1, end=30)
    assert resumed.code == 0, resumed.err
    assert {asked(court)[job.case_id] for job in after.jobs if "/" in job.job_id} == {1}
    assert asked(court).total() <= 31
    assert len(asked(court)) == len(after.jobs) == 30
    assert not any(job.is_open for job in after.jobs)
    assert again.planned == 0


async def test_published_documents_are_fetched_once_and_kept_as_files(court, journey) -> None:
    async with court.open() as house:
        await walk_batch(house, year=2025, start=1, end=25)
        first = await walk_batch(house, year=2025, start=1, end=25, documents=True)
        again = await walk_batch(house, year=2025, start=1, end=25, documents=True)
        kept = await rows(
            house,
            "SELECT c.case_id, d.document_number, d.path FROM docket_documents d "
            "JOIN docket_cases c ON c.id = d.docket_case_id ORDER BY c.number, d.entry_id",
        )
        await journey.prove(house)

    stated = [truth(court, f"IMM-{n}-25") for n in range(1, 26)]
    public = [(t["court_number"], e["document"]) for t in stated if t for e in t["entries"] if e["document"]]
    assert [(case_id, number) for case_id, number, _ in kept] == public
    assert (first.counts["succeeded"], again.planned) == (len(public), 0)
    assert all((court.data_dir / path).read_bytes().startswith(b"%PDF-") for _, _, path in kept)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("forbidden_403", "blocked"), ("rate_limited_bare", "rate_limited"), ("challenge_200", "blocked")],
)
async def test_a_court_that_says_no_is_left_at_once(court, fault, reason) -> None:
    court.write_config(court_source(court, extra='options = { reader = "json" }'))
    async with court.open(retry_max_attempts=1) as house:
        await walk_batch(house, year=2025, start=1, end=5)
        court.pool.set_fault("registry", fault, path="/CourtFilesAndDecisions/*")
        refused = await walk_batch(house, year=2025, start=6, end=15)
        reasons = await house.ledger.reasons(refused.id)
        events = await rows(house, "SELECT event_type FROM events WHERE event_type = 'source_disabled'")
    court.pool.clear_faults()

    said = await court.limpet("run", "dockets", "--year", "25", "--start", "6", "--max-cases", "10")

    assert (refused.counts["failed"], refused.counts["skipped"]) == (1, 9)
    assert f"failed: {reason}" in reasons
    assert events
    assert said.code == 2
    assert "limpet sources enable fct" in said.err
    assert asked(court).total() == 6


async def test_an_export_holds_every_number_and_every_entry(court) -> None:
    async with court.open() as house:
        await walk_batch(house, year=2025, start=1118, end=1140)
        await walk_batch(house, year=2024, start=1, end=3)

    said = [
        await court.limpet("export", "dockets", "--year", "25", "--format", form, "-o", "out")
        for form in ("csv", "jsonl", "parquet")
    ]

    out = court.folder / "out"
    cases = [json.loads(line) for line in (out / "cases.jsonl").read_text().splitlines()]
    entries = [json.loads(line) for line in (out / "docket_entries.jsonl").read_text().splitlines()]
    stated = {f"IMM-{n}-25": truth(court, f"IMM-{n}-25") for n in range(1118, 1141)}
    assert [each.code for each in said] == [0, 0, 0], said
    assert [case["case_id"] for case in cases] == list(stated)
    assert [(e["case_id"], e["entry_id"], e["summary"]) for e in entries] == [
        (case_id, e["id"], e["summary"]) for case_id, t in stated.items() if t for e in t["entries"]
    ]
    assert len((out / "cases.csv").read_text("utf-8-sig").splitlines()) == 24
    assert (out / "cases.parquet").read_bytes().startswith(b"PAR1")
