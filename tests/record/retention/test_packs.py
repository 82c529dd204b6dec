"""Space comes back, while others read and write, and a kill anywhere loses nothing."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, select

from limpet.record.backing_up import back_up, restore
from limpet.record.ledger import Ledger
from limpet.record.log_tables import leaving_packs
from limpet.record.pack_locks import reading_many
from limpet.record.retention.leaving import remove_leaving
from limpet.record.tables import leaderships

WORKER = Path(__file__).with_name("retention_worker.py")
POINTS = ("before_repoint", "after_repoint", "before_pack_removal", "after_pack_removal")
PAGES = 12


def packs(tmp_path: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in (tmp_path / "snapshots").glob("*.pack")}


def pages_of(day: int, count: int = PAGES) -> list[bytes]:
    return [f"<html>{number} on day {day}</html>".encode() * 20 for number in range(count)]


async def hashes(ledger: Ledger) -> set[str]:
    """Return the pages the ledger says it keeps, each of them read."""
    problems = (await ledger.verify()).problems
    assert problems == []
    runs = await ledger.runs(limit=100)
    found = {job.snapshot for run in runs for job in await ledger.jobs(run.id) if job.snapshot}
    return {sha256 for sha256 in found if await ledger.recall(sha256) is not None}


@pytest.fixture
async def history(past, ledger: Ledger) -> Any:
    """Three days of pages in a pack each, which nobody fills any more; half of each pack is out of date."""
    for day in range(3):
        await past.day([*pages_of(0)[: PAGES // 2], *pages_of(day)[PAGES // 2 :]])
    ledger.snapshots.close()
    return past


async def test_space_comes_back_and_every_page_that_stays_is_there(history, ledger: Ledger, tmp_path) -> None:
    before = packs(tmp_path)

    account = await history.work().apply(by="ann")

    after = packs(tmp_path)
    assert account.pages == PAGES
    assert account.bytes_given_back == sum(before.values()) - sum(after.values()) > 0
    assert len(await hashes(ledger)) == PAGES
    assert (await ledger.verify()).notes == []


async def test_a_pack_somebody_fills_is_left_alone(past, ledger: Ledger, tmp_path) -> None:
    for day in range(3):
        await past.day(pages_of(day, 2))
    before = packs(tmp_path)

    account = await past.work().apply(by="ann")

    assert (account.pages, len(before)) == (4, 3)
    assert set(before) & set(packs(tmp_path))  # today's
    assert (await ledger.verify()).problems == []


async def test_a_page_can_be_read_at_any_moment_of_the_rewriting(
    history, ledger: Ledger, open_ledger
) -> None:
    kept = sorted(await hashes(ledger) - {None})
    going = await history.work().survey()
    done = asyncio.Event()

    async def read_on(reader: Ledger) -> int:
        looks = 0
        while not done.is_set():
            for job in await reader.jobs((await reader.runs(limit=1))[0].id):
                assert await reader.read_snapshot(job.snapshot)
                looks += 1
        return looks

    async with await open_ledger() as reader:
        reading = asyncio.create_task(read_on(reader))
        account = await history.work().apply(by="ann")
        done.set()
        looks = await reading

    assert looks and account.packs_rewritten >= 2
    assert len(await hashes(ledger)) == len(kept) - going.pages


async def test_what_is_settled_during_the_rewriting_is_kept(history, ledger: Ledger, open_ledger) -> None:
    async with await open_ledger() as elsewhere:
        account, run = await asyncio.gather(
            history.work(ledger=elsewhere).apply(by="ann"), history.day(pages_of(0))
        )

    assert account.pages <= PAGES
    assert all([await history.is_kept(run, number) for number in range(PAGES)])
    assert (await ledger.verify()).problems == []


async def test_no_pack_is_removed_under_one_who_reads_many(
    history, ledger: Ledger, tmp_path, open_ledger
) -> None:
    before = packs(tmp_path)

    with reading_many(tmp_path):
        held = await history.work().apply(by="ann")
        during = packs(tmp_path)
    async with await open_ledger():
        after = packs(tmp_path)

    assert held.bytes_given_back == 0
    assert set(before) <= set(during)
    assert set(before) & set(after) == {max(before)}  # all of its pages are needed
    assert len(await hashes(ledger)) == PAGES


async def test_a_pack_of_another_database_is_never_touched(
    history, ledger: Ledger, tmp_path, open_ledger
) -> None:
    stranger = tmp_path / "snapshots" / "20200101-aaaaaaaaaaaa.pack"
    stranger.write_bytes(b"not known here")

    await history.work().apply(by="ann")
    async with await open_ledger():
        assert stranger.exists()


async def test_a_pack_that_is_cut_short_is_left_as_it_is(history, ledger: Ledger, tmp_path) -> None:
    biggest = max((tmp_path / "snapshots").glob("*.pack"), key=lambda path: path.stat().st_size)
    biggest.write_bytes(biggest.read_bytes()[:40])

    await history.work().apply(by="ann")

    assert biggest.exists()


@pytest.mark.parametrize("point", POINTS)
async def test_death_in_the_middle_of_a_rewrite_loses_nothing(
    history, ledger: Ledger, tmp_path, database_url: str | None, point: str
) -> None:
    going = (await history.work().survey()).pages
    when = history.clock.now().isoformat()

    command = [sys.executable, str(WORKER), str(tmp_path), database_url or "-", when, point]
    doomed = subprocess.run(command, check=False, timeout=60)

    assert doomed.returncode == -signal.SIGKILL
    assert going == len(await hashes(ledger)) == PAGES  # what may go went before; all that stays is there
    # Its lead would run out within a minute.
    await ledger.write(lambda connection: connection.execute(delete(leaderships)))
    await history.work().apply(by="ann")
    assert len(await hashes(ledger)) == PAGES
    assert (await ledger.verify()).notes == []
    noted = select(func.count()).select_from(leaving_packs)
    assert await ledger.read(lambda connection: connection.execute(noted).scalar()) == 0


async def test_a_backup_of_what_is_left_is_whole(history, ledger: Ledger, tmp_path, database_url) -> None:
    if database_url:
        pytest.skip("a backup file is for the embedded ledger")
    await history.work().apply(by="ann")

    back_up(tmp_path, tmp_path.parent / f"{tmp_path.name}.tar")
    restore(tmp_path.parent / f"{tmp_path.name}.tar", tmp_path / "elsewhere")

    async with await Ledger.open(tmp_path / "elsewhere") as restored:
        assert len(await hashes(restored)) == PAGES


async def test_sweeping_without_anything_noted_does_nothing(ledger: Ledger, tmp_path: Path) -> None:
    assert await ledger.write(partial(remove_leaving, data_dir=tmp_path)) == 0
