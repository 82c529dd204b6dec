"""Discovery: a table of addresses found on a source's terms; nothing else is left behind."""

from __future__ import annotations

import csv
import hashlib
import io
from datetime import UTC, datetime
from itertools import pairwise

from sqlalchemy import func, select

from limpet.apps.prices.tables import prices
from limpet.fetch.policy.robots_keeper import StoredRobots
from limpet.record.robots_memory import LedgerRobotsMemory
from limpet.record.tables import runs, targets


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


async def discover(shore, *words: str):
    return await shore.limpet("discover", "--source", "shop", *words)


async def from_sitemap(shore, *words: str):
    return await discover(shore, "--sitemap", shore.pool.url("shop", "/sitemap.xml"), *words)


async def from_listing(shore, *words: str):
    return await discover(shore, "--listing", shore.pool.url("shop", "/"), *words)


async def counted(house) -> list[int]:
    def count(connection) -> list[int]:
        return [
            connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (targets, prices, runs)
        ]

    return await house.ledger.read(count)


async def forbid(shore, path: str) -> None:
    """Make the newest robots.txt we remember of the shop disallow one path."""
    origin = shore.pool.url("shop", "").rstrip("/")
    sitemap = shore.pool.url("shop", "/sitemap.xml")
    body = f"User-agent: *\nDisallow: {path}\nSitemap: {sitemap}\n".encode()
    stored = StoredRobots(origin, 200, body, hashlib.sha256(body).hexdigest(), datetime.now(UTC))
    async with shore.open() as house:
        await LedgerRobotsMemory(house.ledger).save(stored)


async def test_a_sitemap_becomes_a_table_that_can_be_imported(shore) -> None:
    shore.write_config(shore.source(shore.urls(1)))
    found = shore.folder / "found.csv"

    said = await shore.limpet(
        "discover", "--source", "shop", "--sitemap", shore.pool.url("shop", "/sitemap.xml"), "-o", str(found)
    )
    async with shore.open() as house:
        after_discovery = await counted(house)
        manners = await house.ledger.politeness()
    imported = await shore.limpet("targets", "import", str(found))
    async with shore.open() as house:
        after_import = await counted(house)

    assert said.code == 0, said.err
    assert {row["url"] for row in rows(found.read_text())} == set(shore.urls(60))
    assert "60 addresses from 2 pages" in said.err
    assert after_discovery == [1, 0, 0]  # the one the config names; no price, no run
    assert manners[0].requests == 3 and shore.visits() == []  # robots.txt, the index, its part: no product
    assert imported.code == 0 and after_import == [60, 0, 0]


async def test_sitemaps_named_by_robots_are_found_and_disallowed_addresses_left_out(shore) -> None:
    shore.write_config(shore.source(shore.urls(1)))
    # The healthy shop's robots.txt names its sitemap; the memory of another one disallows a product.
    named = await discover(shore, "--sitemap", "auto")
    await forbid(shore, shore.paths(1)[0])

    said = await discover(shore, "--sitemap", "auto")

    assert named.code == 0 and len(rows(named.out)) == 60, named.err
    assert said.code == 0, said.err
    assert len(rows(said.out)) == 59 and shore.urls(1)[0] not in said.out
    assert "1 left out: disallowed by robots.txt" in said.err


async def test_a_listing_is_walked_and_only_what_is_shaped_like_a_product_kept(shore) -> None:
    shore.write_config(shore.source(shore.urls(1)))

    said = await from_listing(shore)

    assert said.code == 0, said.err
    assert {row["url"] for row in rows(said.out)} == set(shore.urls(48))


async def test_a_listing_without_anything_to_go_by_asks_what_a_product_looks_like(shore) -> None:
    shore.write_config(shore.source([]))

    vague = await from_listing(shore)
    clear = await shore.limpet(
        "discover", "--source", "shop", "--listing", shore.pool.url("shop", "/"), "--match", "/product/"
    )

    assert vague.code == 2 and "--match" in vague.err
    assert clear.code == 0 and len(rows(clear.out)) == 48


async def test_a_cap_that_is_met_ends_it_and_nothing_is_written(shore) -> None:
    shore.write_config(shore.source(shore.urls(1)))
    found = shore.folder / "found.csv"

    said = await shore.limpet(
        "discover",
        "--source",
        "shop",
        "--sitemap",
        shore.pool.url("shop", "/sitemap.xml"),
        "--limit",
        "20",
        "-o",
        str(found),
    )
    few = await shore.limpet(
        "discover",
        "--source",
        "shop",
        "--sitemap",
        shore.pool.url("shop", "/sitemap.xml"),
        "--pages",
        "1",
        "-o",
        str(found),
    )

    assert said.code == 2 and "more than 20 addresses" in said.err and "--match" in said.err
    assert few.code == 2 and "There are more than 1 page;" in few.err
    assert not found.exists()


async def test_verifying_visits_each_at_the_pace_and_keeps_products_only(shore) -> None:
    shore.write_config(shore.source(shore.urls(1)))
    shore.pool.set_fault("shop", "not_found_404", path=shore.paths(2)[1])

    said = await shore.limpet(
        "discover", "--source", "shop", "--sitemap", shore.pool.url("shop", "/sitemap.xml"), "--verify"
    )

    assert said.code == 0, said.err
    assert len(rows(said.out)) == 59 and len(shore.visits()) == 60
    assert "$" not in said.out and "price" not in said.out
    arrivals = [visit.arrived_monotonic for visit in shore.visits()]
    gaps = [later - earlier for earlier, later in pairwise(arrivals)]
    assert min(gaps) >= 0.004


async def test_gates_hold_for_discovery_too(shore) -> None:
    shore.write_config(shore.source(shore.urls(1), terms=""))

    unapproved = await shore.limpet(
        "discover", "--source", "shop", "--sitemap", shore.pool.url("shop", "/sitemap.xml")
    )
    shore.write_config(shore.source(shore.urls(1)))
    shore.pool.set_fault("shop", "robots_deny_all")
    disallowed = await shore.limpet(
        "discover", "--source", "shop", "--sitemap", shore.pool.url("shop", "/sitemap.xml")
    )
    elsewhere = await shore.limpet(
        "discover", "--source", "shop", "--sitemap", "https://example.org/sitemap.xml"
    )

    assert unapproved.code == 1 and "terms" in unapproved.err.lower()
    assert disallowed.code == 1 and "robots" in disallowed.err
    assert elsewhere.code == 1 and "not one of the hosts" in elsewhere.err
    assert [visit.path for visit in shore.pool.log] == ["/robots.txt"]
