"""Retention by the command line and by the service: shown before, audited afterwards, and everything still adds up."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from functools import partial
from typing import Any

from limpet.assembly.retaining import retention_work
from limpet.engine.service import Service
from limpet.engine.watcher import Silence
from limpet.record.logbook import list_audit

AT_ONCE = "retention_pages_days = 1e-9"
RULE = "[sources.retention]\npages_days = 1e-9\n"


async def four_days(shore, journey, settings: str = "", extra: str = "") -> None:
    """Fetch two products, one of them twice without a price, while their pages change."""
    shore.write_config(shore.source(shore.urls(2)) + extra, settings=settings)
    shore.pool.set_fault("shop", "price_zero", path=shore.paths(1)[0])
    async with shore.open() as house:
        for day in range(4):
            await journey.plan_and_walk(house)
            shore.pool.advance(50)
            if day == 1:
                shore.pool.clear_faults()


def kept_pages(shore) -> int:
    with sqlite3.connect(shore.data_dir / "limpet.db") as connection:
        return int(connection.execute("SELECT count(*) FROM snapshots WHERE purged_at IS NULL").fetchone()[0])


async def test_what_is_shown_is_what_goes_and_everything_still_adds_up(shore, journey) -> None:
    await four_days(shore, journey, settings=AT_ONCE)
    before = kept_pages(shore)

    shown = json.loads((await shore.limpet("retention", "show", "--json")).out)
    unasked = await shore.limpet("retention", "apply")
    untouched = kept_pages(shore)
    done = await shore.limpet("retention", "apply", "--yes", "--json")
    proof = await shore.limpet("verify")
    told = await shore.limpet("retention", "show")

    went, would_go = json.loads(done.out), shown["would_go"]
    assert unasked.code == 2 and "--yes" in unasked.err and untouched == before
    assert done.code == 0 and proof.code == 0, done.err + proof.out
    assert (went["pages"], went["page_bytes"]) == (would_go["pages"], would_go["page_bytes"])
    assert went["pages"] == before - kept_pages(shore) > 0
    assert would_go["pages_kept"]["quarantine"] == 1  # nobody has decided about it yet
    assert "last applied" in told.out and f"{went['pages']} pages" in told.out


async def test_without_a_rule_there_is_nothing_to_apply(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(1)))

    shown = await shore.limpet("retention", "show")
    done = await shore.limpet("retention", "apply", "--yes")

    assert shown.code == 0 and "pages for ever" in shown.out
    assert done.code == 2 and "kept for ever" in done.err


async def test_a_source_of_the_config_file_has_its_own_rule(shore, journey) -> None:
    await four_days(shore, journey, extra=RULE)

    shown = json.loads((await shore.limpet("retention", "show", "--json")).out)

    assert shown["rules"]["house"]["pages"] is None
    assert shown["rules"]["source shop"]["pages"] == 1e-9
    assert shown["would_go"]["pages"] > 0


async def test_a_key_that_is_no_rule_is_refused_with_those_that_are(shore) -> None:
    shore.write_config(shore.source(shore.urls(1)) + "[sources.retention]\npage_days = 1\n")

    said = await shore.limpet("retention", "show")

    assert said.code == 2
    assert 'did you mean "pages_days"' in said.err


async def test_pages_of_corrected_prices_and_ignored_runs_stay(shore, journey) -> None:
    await four_days(shore, journey)
    correction = ("--scope", "source", "--id", "shop", "--factor", "0.01", "--reason", "in cents")
    corrected = await shore.limpet("prices", "correct", "MULTIPLIER", *correction)
    async with shore.open(retention_pages_days=1e-9) as house:
        work = retention_work(house.settings, house.config, house.ledger)
        held = await work.survey()
    await shore.limpet("prices", "revoke", "1", "--reason", "was right")
    ignored = await shore.limpet("prices", "ignore-run", "2", "--reason", "wrong currency")
    async with shore.open(retention_pages_days=1e-9) as house:
        after = await retention_work(house.settings, house.config, house.ledger).survey()

    assert (corrected.code, ignored.code) == (0, 0), corrected.err + ignored.err
    assert held.pages == 0 and held.pages_kept["correction"] > 0
    assert after.pages > 0 and after.pages_kept["ignored_run"] > 0


async def test_the_service_applies_the_rules_once_a_day(anywhere, journey) -> None:
    shore: Any = anywhere
    shore.write_config(shore.source(shore.urls(2)), settings=AT_ONCE)
    async with shore.open() as house:
        for _ in range(3):
            await journey.plan_and_walk(house)
            shore.pool.advance(50)
    entries: list[Any] = []

    async with shore.open() as first, shore.open() as second:
        stop, audited = asyncio.Event(), partial(list_audit, subject="retention")
        services = [
            Service(house.desk, house.apps, Silence(), house.clock, retention=house.retention)
            for house in (first, second)
        ]
        async with asyncio.TaskGroup() as group:
            for service in services:
                group.create_task(service.serve(stop))
            async with asyncio.timeout(60):
                while len(entries) < 2:
                    await asyncio.sleep(0.02)
                    entries = await first.ledger.read(audited)
            stop.set()
        await journey.prove(first)
        entries = await first.ledger.read(audited)

    assert [entry.action for entry in entries] == ["retention_applied", "retention_begun"]
    assert entries[0].details["pages"] == 4
