"""What people take away by command: the archive as files, and what it lacks."""

from __future__ import annotations

import csv
import gc
import io
import json
import zipfile

import pytest

from limpet.apps.judgments.case_filter import CaseFilter
from limpet.apps.judgments.exports import Archive, export

INDEX = "/wp-content/uploads/box_files/judgments.csv"


@pytest.mark.parametrize("cases", [120], indirect=True)
async def test_the_archive_is_exported_and_its_gaps_are_named_with_the_command_to_fill_them(
    courthouse,
) -> None:
    courthouse.write_config()
    wanted = courthouse.wanted()

    run = await courthouse.limpet("run", "judgments", "--limit", "15")
    table = await courthouse.limpet("export", "judgments", "--downloaded")
    lines = await courthouse.limpet("export", "judgments", "--format", "jsonl", "-o", "cases.jsonl")
    bundle = await courthouse.limpet("export", "judgments", "--format", "zip")
    gaps = await courthouse.limpet("gaps", "judgments", "--json", "--strict")
    next((courthouse.data_dir / "pdfs").iterdir()).unlink()
    poorer = await courthouse.limpet("export", "judgments", "--format", "zip", "--force")

    assert "Verdict: ok" in run.out
    rows = list(csv.DictReader(io.StringIO(table.out.removeprefix("\ufeff"))))
    assert len(rows) == 15
    assert {row["sha256"] for row in rows} <= set(wanted.values())
    folder = courthouse.data_dir.parent
    assert len((folder / "cases.jsonl").read_text().splitlines()) == 120
    assert (lines.code, bundle.code, bundle.err) == (0, 0, "")
    assert "Of 15 stored PDFs 1 are missing on the disk and 0 damaged" in poorer.err
    with zipfile.ZipFile(folder / "judgments.zip") as packed:
        assert len(packed.namelist()) == 15
    (found,) = json.loads(gaps.out)
    assert gaps.code == 1
    assert found["not_downloaded"] == len(wanted) - 15
    assert found["backfill"] == "limpet run judgments --source unreported_judgments --mode full"
    assert not list(folder.glob(".judgments*"))


@pytest.mark.parametrize("cases", [24], indirect=True)
async def test_an_index_that_could_not_be_had_is_no_success(courthouse, fault) -> None:
    courthouse.write_config()
    first = await courthouse.limpet("run", "judgments")
    fault("court", "server_error_500", path=INDEX)

    idle = await courthouse.limpet("run", "judgments")
    synced = await courthouse.limpet("judgments", "sync")

    assert (first.code, idle.code, synced.code) == (0, 1, 1)
    assert "Verdict: partial" in idle.out


@pytest.mark.parametrize("cases", [24], indirect=True)
async def test_how_to_accept_a_held_index_names_its_source(courthouse) -> None:
    courthouse.write_config(courthouse.source(), courthouse.source("public_registers"))
    asked = ("judgments", "sync", "--source", "unreported_judgments")
    await courthouse.limpet(*asked)
    courthouse.court.move(remove=12)

    held = await courthouse.limpet(*asked)
    (command,) = [line for line in held.out.splitlines() if line.startswith("If that is right: limpet ")]
    accepted = await courthouse.limpet(*command.removeprefix("If that is right: limpet ").split())

    assert (held.code, accepted.code) == (1, 0)
    assert "12 removed" in accepted.out


@pytest.mark.parametrize("form", ["zip", "xlsx"])
async def test_a_download_broken_off_half_way_leaves_nothing_open(courthouse, archive, form) -> None:
    courthouse.write_config()
    async with courthouse.open() as house:
        await archive.scrape(house, limit=3)

        pieces = export(Archive(house.ledger, courthouse.data_dir), form, CaseFilter())
        first = await anext(pieces)
        begun = zips_being_written()
        await pieces.aclose()
        left = zips_being_written()

    assert first.startswith(b"PK")
    assert (begun, left) == (1, 0)


def zips_being_written() -> int:
    # Whichever is collected while an entry is open may complain on the standard error stream.
    known = [each for each in gc.get_objects() if isinstance(each, zipfile.ZipFile)]
    return sum(each.mode == "w" and each.fp is not None for each in known)
