from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from limpet.errors import SnapshotDamaged
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger
from limpet.record.packs import PackWriter

Make = Callable[..., Any]
DAY = date(2026, 1, 1)


async def snapshots_of(ledger: Ledger, run: Run) -> list[str | None]:
    return [job.snapshot for job in await ledger.jobs(run.id)]


async def settle_bodies(
    ledger: Ledger, leases: list[Any], bodies: list[bytes], make: Make, page_of: Make
) -> None:
    await asyncio.gather(
        *(
            ledger.settle(make(lease, page=page_of(lease, body)))
            for lease, body in zip(leases, bodies, strict=True)
        )
    )


async def test_the_same_body_is_kept_once(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, page_of: Make, tmp_path: Path
) -> None:
    leases = await lease_all(run)
    same = b"<html>same</html>" * 1_000

    await settle_bodies(ledger, leases[:3], [same] * 3, settlement_of, page_of)
    await settle_bodies(ledger, leases[3:], [same, b"<html>other</html>"], settlement_of, page_of)

    assert len(set(await snapshots_of(ledger, run))) == 2
    assert sum(pack.stat().st_size for pack in (tmp_path / "snapshots").iterdir()) < 1_000
    assert (await ledger.verify()).counts["snapshots"] == 2


async def test_a_body_known_from_an_earlier_process_is_not_written_again(
    ledger: Ledger,
    run: Run,
    lease_all: Make,
    settlement_of: Make,
    page_of: Make,
    open_ledger: Make,
    tmp_path: Path,
) -> None:
    leases = await lease_all(run, worker="w1")
    await settle_bodies(ledger, leases[:1], [b"same"], settlement_of, page_of)

    async with await open_ledger() as second:
        await settle_bodies(second, leases[1:2], [b"same"], settlement_of, page_of)

    assert len(list((tmp_path / "snapshots").iterdir())) == 1


@pytest.mark.parametrize("body", [b"", b"x", bytes(range(256)) * 5_000])
async def test_a_body_comes_back_byte_for_byte(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, page_of: Make, body: bytes
) -> None:
    (lease, *_) = await lease_all(run)

    await settle_bodies(ledger, [lease], [body], settlement_of, page_of)

    sha256 = (await snapshots_of(ledger, run))[0]
    assert sha256 is not None
    assert await ledger.read_snapshot(sha256) == body


async def test_an_unmodified_page_points_at_the_evidence_we_hold(
    ledger: Ledger,
    run: Run,
    lease_all: Make,
    settlement_of: Make,
    page_of: Make,
    targets: Make,
    new_run: NewRun,
) -> None:
    (lease, *_) = await lease_all(run)
    await settle_bodies(ledger, [lease], [b"the page"], settlement_of, page_of)
    held = (await snapshots_of(ledger, run))[0]

    again = await ledger.plan_run(new_run, targets(1))
    (lease,) = await lease_all(again)
    await ledger.settle(settlement_of(lease, page=page_of(lease, b"", status=304)))

    assert lease.last_snapshot == held
    assert await snapshots_of(ledger, again) == [held]


async def test_a_damaged_frame_is_refused(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, tmp_path: Path
) -> None:
    (lease, *_) = await lease_all(run)
    await ledger.settle(settlement_of(lease))
    (pack,) = (tmp_path / "snapshots").iterdir()
    content = bytearray(pack.read_bytes())
    content[-3] ^= 0xFF
    pack.write_bytes(content)

    sha256 = (await snapshots_of(ledger, run))[0]

    assert sha256 is not None
    with pytest.raises(SnapshotDamaged):
        await ledger.read_snapshot(sha256)
    assert await ledger.recall(sha256) is None
    assert [problem.kind for problem in (await ledger.verify()).problems] == ["snapshot"]


async def test_a_missing_snapshot_is_refused(ledger: Ledger) -> None:
    with pytest.raises(SnapshotDamaged):
        await ledger.read_snapshot("0" * 64)


async def test_a_torn_tail_is_harmless(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, tmp_path: Path
) -> None:
    (lease, *_) = await lease_all(run)
    await ledger.settle(settlement_of(lease))
    (pack,) = (tmp_path / "snapshots").iterdir()
    with pack.open("ab") as file:
        file.write(b"half a fra")

    found = await ledger.verify()

    assert found.is_sound
    assert found.notes == [f"10 bytes of {pack.name} belong to no row"]


def test_a_pack_ends_with_its_day_or_at_its_limit(tmp_path: Path) -> None:
    packs = PackWriter(tmp_path, limit_bytes=10)

    first = packs.append([b"12345", b"67890"], DAY)
    second = packs.append([b"abc"], DAY)
    third = packs.append([b"d"], DAY)
    next_day = packs.append([b"e"], date(2026, 1, 2))
    packs.close()

    assert [place.offset for place in first] == [0, 5]
    assert second[0].pack == third[0].pack != first[0].pack
    assert third[0].offset == 3
    assert next_day[0].pack.startswith("20260102-")
    assert len(list(tmp_path.iterdir())) == 3


async def test_bodies_that_hosts_share_are_read_by_one_who_has_none_of_the_files(
    ledger: Ledger,
    run: Run,
    lease_all: Make,
    settlement_of: Make,
    page_of: Make,
    database_url: str | None,
    tmp_path: Path,
) -> None:
    leases, place = await lease_all(run, worker="w1"), database_url or str(tmp_path / "limpet.db")

    async with await Ledger.open(tmp_path / "one", database_url=_url(place), shares_bodies=True) as one:
        await settle_bodies(one, leases[:2], [b"here", b"here"], settlement_of, page_of)
    async with await Ledger.open(tmp_path / "other", database_url=_url(place), shares_bodies=True) as other:
        found = await other.verify()
        (sha256, *_) = await snapshots_of(other, run)
        assert sha256 is not None
        body = await other.read_snapshot(sha256)

    assert (body, found.counts["snapshots"], found.problems) == (b"here", 1, [])
    assert not list((tmp_path / "one" / "snapshots").glob("*.pack"))


def _url(place: str) -> str:
    return place if "://" in place else f"sqlite:///{place}"
