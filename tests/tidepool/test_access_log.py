"""What the origin saw, judged from the origin's side."""

from __future__ import annotations

import asyncio
import json

from tidepool import Tidepool


async def test_a_visit_is_noted_with_who_what_when_and_how_it_ended(pool, visitor, product_path) -> None:
    async with visitor.get(
        pool.url("shop", product_path) + "?a=1", headers={"User-Agent": "limpet/1"}
    ) as response:
        await response.read()

    [visit] = pool.log
    assert (visit.site, visit.method, visit.path, visit.query) == ("shop", "GET", product_path, "a=1")
    assert visit.host == "shop.tidepool.localhost"
    assert (visit.user_agent, visit.status, visit.fault) == ("limpet/1", 200, None)
    assert visit.finished_monotonic >= visit.arrived_monotonic


async def test_requests_open_at_once_are_counted(pool, visitor) -> None:
    pool.set_fault("shop", "never_answers", times=3)
    waiting = [
        asyncio.create_task(visitor.get(pool.url("shop", f"/{number}")).__aenter__()) for number in range(3)
    ]
    while len(pool.log) < 3:
        await asyncio.sleep(0.01)

    async with visitor.get(pool.url("shop", "/robots.txt")) as response:
        await response.read()
    for task in waiting:
        task.cancel()

    assert sorted(visit.concurrent for visit in pool.log) == [1, 2, 3, 4]
    assert pool.access_log.most_concurrent("shop.tidepool.localhost") == 4


async def test_a_visitor_who_leaves_early_is_no_longer_counted(pool, visitor) -> None:
    pool.set_fault("shop", "never_answers", times=1)
    impatient = asyncio.create_task(visitor.get(pool.url("shop", "/")).__aenter__())
    while not pool.log:
        await asyncio.sleep(0.01)

    impatient.cancel()
    while pool.log[0].finished_monotonic is None:
        await asyncio.sleep(0.01)
    async with visitor.get(pool.url("shop", "/robots.txt")) as response:
        await response.read()

    assert pool.log[1].concurrent == 1
    assert pool.log[0].status is None


async def test_the_file_has_each_visit_as_soon_as_it_ends(visitor, tmp_path) -> None:
    file = tmp_path / "access.jsonl"
    async with Tidepool(access_log=file) as pool:
        pool.set_fault("shop", "server_error_500", path="/1")
        for number in range(3):
            async with visitor.get(pool.url("shop", f"/{number}")) as response:
                await response.read()
            assert len(file.read_text().splitlines()) == number + 1

    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["status"] for line in lines] == [404, 500, 404]
    assert [line["fault"] for line in lines] == [None, "server_error_500", None]


async def test_gaps_are_measured_between_arrivals_at_one_host(pool, visitor) -> None:
    for zone in ("tidepool.localhost", "reef.localhost", "tidepool.localhost"):
        async with visitor.get(pool.url("shop", "/robots.txt", zone=zone)) as response:
            await response.read()

    first, _, last = pool.log
    assert (
        pool.access_log.smallest_gap("shop.tidepool.localhost")
        == last.arrived_monotonic - first.arrived_monotonic
    )
    assert pool.access_log.smallest_gap("shop.reef.localhost") is None
