"""Backups: whole, proven, and never half of one."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from limpet.errors import FileUnreadable, UsageError
from limpet.record.backing_up import back_up, check_backup, restore
from limpet.record.entry import NewRun
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import Target


async def ledger_with_a_run(place: Path) -> None:
    async with await Ledger.open(place) as ledger:
        await ledger.put_source(Source(id="shop", app="prices", site="x", hosts=("shop.test",)))
        target = Target("shop", "https://shop.test/1", "https://shop.test/1", "shop.test")
        await ledger.plan_run(NewRun("prices", "shop"), [target])
    (place / "pdfs").mkdir()
    (place / "pdfs" / "a.pdf").write_bytes(b"%PDF")
    (place / "logs").mkdir(exist_ok=True)
    (place / "logs" / "latest.log").write_text("noise")


async def test_what_is_restored_is_what_was_backed_up_while_others_wrote(tmp_path: Path) -> None:
    place, again, file = tmp_path / "data", tmp_path / "again", tmp_path / "limpet.tar"
    await ledger_with_a_run(place)

    async with await Ledger.open(place) as busy:
        await busy.log_event("something")
        back_up(place, file)
        await busy.log_event("later")
    restore(file, again)

    async with await Ledger.open(again) as restored:
        assert (await restored.run(1)).planned == 1
        assert [event.event_type for event in await restored.events()] == ["something"]
        assert (await restored.verify()).is_sound
    assert (again / "pdfs" / "a.pdf").read_bytes() == b"%PDF"
    assert not (again / "logs").exists()


async def test_a_damaged_backup_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    place, file = tmp_path / "data", tmp_path / "limpet.tar"
    await ledger_with_a_run(place)
    back_up(place, file)
    with tarfile.open(file) as archive:
        at = archive.getmember("pdfs/a.pdf").offset_data
    body = bytearray(file.read_bytes())
    body[at] ^= 1
    file.write_bytes(body)

    with pytest.raises(FileUnreadable, match=r"pdfs/a\.pdf"):
        check_backup(file)
    with pytest.raises(FileUnreadable):
        restore(file, tmp_path / "again")

    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("length", [0, 10, 5_000])
async def test_a_backup_cut_off_is_refused(tmp_path: Path, length: int) -> None:
    place, file = tmp_path / "data", tmp_path / "limpet.tar"
    await ledger_with_a_run(place)
    back_up(place, file)
    file.write_bytes(file.read_bytes()[:length])

    with pytest.raises(FileUnreadable):
        check_backup(file)


async def test_nothing_is_overwritten(tmp_path: Path) -> None:
    place, file = tmp_path / "data", tmp_path / "limpet.tar"
    await ledger_with_a_run(place)
    back_up(place, file)

    with pytest.raises(UsageError, match="already"):
        back_up(place, file)
    with pytest.raises(UsageError, match="not empty"):
        restore(file, place)
    with pytest.raises(UsageError, match="no ledger"):
        back_up(tmp_path / "pdfs", tmp_path / "other.tar")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "limpet.tar"]
