"""A year taken out: proven backup first, nothing of another year, nothing at all on any doubt."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import tarfile
from pathlib import Path
from typing import Any

import pytest

from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.errors import PurgeRefused
from limpet.apps.dockets.purging import purge as purging
from limpet.apps.dockets.purging import removal
from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun

WORDS = ("--confirm", "PURGE 2025")


def with_source(shore) -> Any:
    """Return the shore with a docket source."""
    shore.write_config(
        '[[sources]]\nid = "court"\napp = "dockets"\nsite = "federal_court"\n'
        'hosts = ["registry.tidepool.localhost"]\nhttp_only = true\nallow_private_addresses = true\n'
        f'base_url = "{shore.pool.url("registry", "")}"\noptions = {{ reader = "json" }}\n'
        '[sources.terms]\nreviewed_at = 2026-01-01\napproved_by = "the tests"\n'
        "[sources.pace]\nrequests_per_second = 0\nmin_delay_seconds = 0\njitter = 0\n"
    )
    return shore


@pytest.fixture
def court(shore) -> Any:
    return with_source(shore)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the archive is kept once it was built: most tests never ask the court again."""
    return tmp_path_factory.mktemp("archive") / "data"


async def build(shore) -> None:
    """Fetch a few dockets of 2024 and 2025, documents, and the page of a failure."""
    shore.pool.set_fault("registry", "no_content_204", path="/*RE?*IMM-3-25*")
    batches = (Batch(year=2024, end=6), Batch(year=2025, end=12), Batch(year=2025, end=12, documents=True))
    async with shore.open() as house:
        for batch in batches:
            run = await house.desk.plan(NewRun(app="dockets", source_id="court", params=batch.to_params()))
            await house.desk.walk(run, house.app("dockets"), Silence())
    shore.pool.clear_faults()


@pytest.fixture
async def archive(court, built: Path) -> Any:
    """A data directory with dockets of 2024 and 2025."""
    if not built.exists():
        await build(court)
        shutil.copytree(court.data_dir, built)
    else:
        shutil.rmtree(court.data_dir)
        shutil.copytree(built, court.data_dir)
    return court


def rows(shore, sql: str) -> list[Any]:
    with sqlite3.connect(shore.data_dir / "limpet.db") as connection:
        return connection.execute(sql).fetchall()


def cases(shore, year: int) -> int:
    return rows(shore, f"SELECT count(*) FROM docket_cases WHERE year = {year}")[0][0]


def files(shore) -> dict[str, str]:
    """Every file outside the ledger itself, with its hash."""
    return {
        str(path.relative_to(shore.data_dir)): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in ("output", "docket_documents", "pdfs", "documents")
        for path in sorted((shore.data_dir / folder).rglob("*"))
        if path.is_file()
    }


def of_year(names: Any, suffix: str) -> set[str]:
    return {
        name for name in names if f"-{suffix}" in Path(name).name.split("20", 1)[0] or f"/20{suffix}/" in name
    }


async def test_a_dry_run_shows_what_the_purge_then_does(archive) -> None:
    before = files(archive)

    shown = json.loads((await archive.limpet("dockets", "purge", "25", "--dry-run", "--json")).out)
    untouched = files(archive)
    done = await archive.limpet("dockets", "purge", "25", *WORDS, "--json")

    assert done.code == 0, done.err
    report = json.loads(done.out)
    assert untouched == before
    assert report["counts"] == shown["counts"]
    assert report["files_removed"] == shown["counts"]["files"] > 0
    assert shown["counts"]["docket_documents"] > 0
    assert shown["counts"]["snapshots"] > 0
    assert report["phase"] == "done"


async def test_a_purge_leaves_the_other_year_and_a_sound_ledger(archive) -> None:
    before = files(archive)
    kept = cases(archive, 2024)

    done = await archive.limpet("dockets", "purge", "2025", *WORDS)
    proof = await archive.limpet("verify")

    after = files(archive)
    assert done.code == 0, done.err
    assert (cases(archive, 2024), cases(archive, 2025)) == (kept, 0)
    assert of_year(after, "25") - of_year(after, "24") == {
        name for name in of_year(after, "25") if "purge_audit" in name or "backups" in name
    }
    assert of_year(before, "24") <= set(after)
    assert {name: after[name] for name in of_year(before, "24")} == {
        name: before[name] for name in of_year(before, "24")
    }
    assert not (archive.data_dir / "output" / "json" / "2025").exists()
    assert proof.code == 0, proof.out


async def test_the_backup_holds_every_row_and_file_that_went(archive, tmp_path: Path) -> None:
    before = files(archive)
    count = cases(archive, 2025)
    place = tmp_path / "elsewhere"

    await archive.limpet("dockets", "purge", "25", *WORDS, "--backup", str(place))

    [path] = place.iterdir()
    with tarfile.open(path) as archived:
        members = {one.name: archived.extractfile(one).read() for one in archived}  # type: ignore[union-attr]
    gone = set(before) - set(files(archive))
    assert gone
    assert {name.removeprefix("files/") for name in members if name.startswith("files/")} == gone
    assert all(hashlib.sha256(members[f"files/{name}"]).hexdigest() == before[name] for name in gone)
    assert members["rows/docket_cases.jsonl"].count(b"\n") == count


async def test_what_was_purged_can_be_fetched_again(court) -> None:
    archive = court
    await build(archive)
    first = rows(
        archive, "SELECT case_id, content_sha256 FROM docket_cases WHERE year = 2025 ORDER BY number"
    )
    await archive.limpet("dockets", "purge", "25", *WORDS)

    watched = await archive.limpet("run", "dockets")
    after_watching = cases(archive, 2025)
    await archive.limpet("run", "dockets", "--year", "25", "--max-cases", "12")
    await archive.limpet("run", "dockets", "--year", "25", "--documents")
    proof = await archive.limpet("verify")

    again = rows(
        archive, "SELECT case_id, content_sha256 FROM docket_cases WHERE year = 2025 ORDER BY number"
    )
    assert watched.code == 0, watched.err
    assert after_watching == 0
    assert [row for row in again if row[0] != "IMM-3-25"] == [row for row in first if row[0] != "IMM-3-25"]
    assert rows(archive, "SELECT count(*) FROM docket_documents")[0][0] > 0
    assert proof.code == 0, proof.out


@pytest.mark.parametrize("words", [(), ("--confirm", "PURGE 2024")])
async def test_without_the_very_words_nothing_goes(archive, words: tuple[str, ...]) -> None:
    before, count = files(archive), cases(archive, 2025)

    said = await archive.limpet("dockets", "purge", "25", *words)

    assert said.code == 2
    assert "PURGE 2025" in said.err
    assert (files(archive), cases(archive, 2025)) == (before, count)


def a_stranger(shore) -> None:
    (shore.data_dir / "output" / "json" / "2025" / "notes.txt").write_text("mine")


def a_changed_file(shore) -> None:
    path = next((shore.data_dir / "output" / "json" / "2025").iterdir())
    path.write_text(path.read_text() + " ")


def a_lost_file(shore) -> None:
    next((shore.data_dir / "output" / "json" / "2025").iterdir()).unlink()


def a_link_out(shore) -> None:
    path = next((shore.data_dir / "output" / "json" / "2025").iterdir())
    outside = shore.folder / "outside.json"
    path.rename(outside)
    path.symlink_to(outside)


def an_unfinished_run(shore) -> None:
    with sqlite3.connect(shore.data_dir / "limpet.db") as connection:
        connection.execute("UPDATE runs SET state = 'running' WHERE id = 1")


@pytest.mark.parametrize("doubt", [a_stranger, a_changed_file, a_lost_file, a_link_out, an_unfinished_run])
async def test_on_any_doubt_nothing_goes(archive, doubt) -> None:
    doubt(archive)
    before, count = files(archive), cases(archive, 2025)

    async with archive.open() as house:
        work = purging.Purge(house.ledger, "court", 2025)
        plan = await work.plan()
        with pytest.raises(PurgeRefused):
            await work.carry_out(plan)

    assert plan.doubts
    assert (files(archive), cases(archive, 2025)) == (before, count)


async def test_a_dry_run_tells_the_doubts(archive) -> None:
    a_stranger(archive)

    shown = await archive.limpet("dockets", "purge", "25", "--dry-run")

    assert shown.code == 1
    assert "doubt: output/json/2025/notes.txt" in shown.out


async def test_a_place_for_the_backup_that_cannot_be_keeps_everything(archive) -> None:
    count = cases(archive, 2025)
    blocked = archive.folder / "a file"
    blocked.write_text("in the way")

    said = await archive.limpet("dockets", "purge", "25", *WORDS, "--backup", str(blocked))

    assert said.code in (1, 2)
    assert cases(archive, 2025) == count


async def test_an_interrupted_purge_is_finished_by_the_next(archive, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    async with archive.open() as house:
        work = purging.Purge(house.ledger, "court", 2025)
        plan = await work.plan()
        monkeypatch.setattr(purging, "remove_files", dies)
        with pytest.raises(KeyboardInterrupt):
            await work.carry_out(plan)
    left = (archive.data_dir / "output" / "json" / "2025").exists()
    monkeypatch.setattr(purging, "remove_files", removal.remove_files)

    again = await archive.limpet("dockets", "purge", "25")

    assert left
    assert again.code == 0, again.err
    assert not (archive.data_dir / "output" / "json" / "2025").exists()
    assert (await archive.limpet("verify")).code == 0


async def test_a_year_that_is_not_there_is_said_so(archive) -> None:
    said = await archive.limpet("dockets", "purge", "22", *WORDS)

    assert said.code == 2
    assert "2022" in said.err


async def test_a_year_goes_and_comes_again_on_either_database(anywhere, journey) -> None:
    court = with_source(anywhere)
    await build(court)
    async with court.open() as house:
        work = purging.Purge(house.ledger, "court", 2025)
        plan = await work.plan()
        report = await work.carry_out(plan)
        after = await work.plan()
        await journey.prove(house)
    await build(court)
    async with court.open() as house:
        again = await purging.Purge(house.ledger, "court", 2025).plan()
        await journey.prove(house)

    assert report["phase"] == "done"
    assert after.is_empty
    assert again.counts()["docket_cases"] == plan.counts()["docket_cases"] == 12
