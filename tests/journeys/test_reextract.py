"""The past read again: a shop drifts, its adapter is mended, and lost prices come back under their own dates."""

from __future__ import annotations

import asyncio
import json
import runpy
import signal
import socket
from datetime import timedelta
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from limpet.apps.prices.overlays import heed_run, ignore_run, trust
from limpet.apps.prices.review import STATUSES, Correction, correct, list_quarantined, reject
from limpet.apps.prices.tables import prices
from limpet.apps.prices.views import latest_offers, price_history
from limpet.apps.prices.visible import current_visible_prices
from limpet.cli.rereading import open_rereader
from limpet.engine.comparing import Change
from limpet.extract.parse.stock import Availability
from limpet.record.log_tables import requests
from limpet.record.recorded_pages import PageWish
from limpet.record.rereadings import Rereading
from limpet.record.tables import attempts, targets
from limpet.settings import load_settings
from limpet.target.outcome import Mode, Trigger

OLD, NEW = "tidepool-content-single-product", "pdp-x7f3"
FIRST = {"product": f"div.{OLD}", "stock": "p.stock"}
MENDED = {"product": f"div.{OLD}, div.{NEW}", "stock": "p.stock, p.avl-2"}


def describe(
    shore: Any, version: str, places: dict[str, str], *, count: int = 4, price: str = "", and_also: str = ""
) -> None:
    """Describe the shop; `price` cuts its price short, `and_also` is a second witness of it."""
    shown = f'{{css: "[class$=__price] bdi"{price}}}{and_also}'
    shore.describe_shop(version, count, price=shown, **places)


async def a_good_day_and_a_bad_one(shore: Any, journey: Any, *, count: int = 4) -> tuple[Any, Any]:
    """Walk the shop as it was, and again after its redesign; return both runs."""
    describe(shore, "1.0.0", FIRST, count=count)
    async with shore.open() as house:
        good = await journey.plan_and_walk(house)
        shore.pool.set_fault("shop", "redesigned")
        bad = await journey.plan_and_walk(house)
    assert (good.counts["succeeded"], bad.counts["failed"]) == (count, count)
    return good, bad


async def reextract(shore: Any, *words: str) -> dict[str, Any]:
    said = await shore.limpet("reextract", "prices", "--json", *words)
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


async def table_of(house: Any, table: Any) -> list[Any]:
    return await house.ledger.read(
        lambda connection: connection.execute(select(table).order_by(table.c.id)).all()
    )


async def test_lost_prices_come_back_under_the_dates_of_their_pages(anywhere, journey) -> None:
    shore = anywhere
    _, bad = await a_good_day_and_a_bad_one(shore, journey)
    describe(shore, "1.1.0", MENDED)
    visits = len(shore.visits("/"))
    async with shore.open() as house:
        before = {table.name: await table_of(house, table) for table in (targets, attempts, requests)}
        bad_jobs = await house.ledger.jobs(bad.id)

    looked = await reextract(shore)
    applied = await reextract(shore, "--apply", "--reason", "selectors mended in 1.1.0")
    again = await reextract(shore, "--apply")

    assert looked["changes"]["newly_readable"] == 4 and looked["changes"]["same"] == 4
    assert looked["recorded"] == 0 and looked["runs"] == []
    assert applied["recorded"] == 4 and [each["rereads"] for each in applied["runs"]] == [bad.id]
    assert again["changes"]["same"] == 8 and (again["recorded"], again["runs"]) == (0, [])
    assert len(shore.visits("/")) == visits
    async with shore.open() as house:
        await journey.prove(house)
        run = await house.ledger.run(applied["runs"][0]["run_id"])
        rows = await table_of(house, prices)
        offers = await house.ledger.read(
            partial(latest_offers, visibility="operator", now=house.clock.now(), limit=9)
        )
        after = {table.name: await table_of(house, table) for table in (targets, attempts, requests)}
        audit = await house.ledger.audit_entries(subject=f"run {run.id}")
    assert (run.mode, run.state, run.planned, run.counts["succeeded"]) == ("reread", "completed", 4, 4)
    assert [entry.reason for entry in audit] == ["selectors mended in 1.1.0"]
    recovered = [row for row in rows if row.rereads]
    assert {row.rereads for row in recovered} == {job.id for job in bad_jobs}
    assert all(row.ingestion_run_id == bad.id and row.adapter_version == "1.1.0" for row in recovered)
    by_id = {job.id: job for job in bad_jobs}
    for row in recovered:
        assert by_id[row.rereads].started_at <= row.observed_at <= by_id[row.rereads].ended_at
    assert len(rows) == 8 and len(offers) == 4
    assert {offer.latest.observed_at for offer in offers} == {row.observed_at for row in recovered}
    # Neither visited, nor tried, nor graded: nothing but the ledger's memory of the pages has changed.
    assert after == before


async def test_a_price_read_wrongly_is_superseded_and_can_be_had_back(anywhere, journey) -> None:
    shore = anywhere
    describe(shore, "1.0.0", FIRST, count=2, price=r", regex: '(\$\d)'")  # one digit of many
    async with shore.open() as house:
        run = await journey.plan_and_walk(house)
        seen = await table_of(house, prices)
        by = {"by": "Ada", "now": house.clock.now(), "reason": "known shop"}
        await house.ledger.write(partial(trust, source_id="shop", visible=True, upc_trusted=False, **by))
    describe(shore, "1.1.0", FIRST, count=2)

    applied = await reextract(shore, "--apply")

    assert applied["changes"]["changed"] == 2 and applied["fields"] == {"price_cents": 2}
    example = applied["examples"][0]
    assert example["field"] == "price_cents" and example["before"] == seen[0].price_cents
    cut = {row.identity_key: row.price_cents for row in seen}
    rereading = applied["runs"][0]["run_id"]
    async with shore.open() as house:
        ask = partial(current_visible_prices, visibility="consumer", now=house.clock.now())
        shown = await house.ledger.read(ask)
        history = await house.ledger.read(
            partial(
                price_history,
                source_id="shop",
                identity_key=seen[0].identity_key,
                visibility="operator",
                now=house.clock.now(),
            )
        )
        await house.ledger.write(partial(ignore_run, run_id=rereading, **by))
        taken_back = await house.ledger.read(ask)
    repeated = await reextract(shore, "--apply")
    async with shore.open() as house:
        await house.ledger.write(partial(heed_run, run_id=rereading, **by))
        await house.ledger.write(partial(ignore_run, run_id=run.id, **by))
        hidden = await house.ledger.read(ask)
        rows = await table_of(house, prices)
        await journey.prove(house)
    assert len(shown) == 2 and all(price.price_cents > cut[price.identity_key] for price in shown)
    assert {price.observed_at for price in shown} == {row.observed_at for row in seen}
    assert [point.price_cents for point in history.points] == [example["after"]]
    assert {price.identity_key: price.price_cents for price in taken_back} == cut
    # What a person took back is not done again by the same adapter.
    assert repeated["changes"]["decided"] == 2 and repeated["recorded"] == 0
    # Whoever ignores the run that saw the pages ignores every reading of them.
    assert hidden == []
    assert len(rows) == 4 and rows[:2] == seen


async def test_an_adapter_that_forgot_the_old_layout_loses_nothing_unless_it_is_asked_to(
    anywhere, journey
) -> None:
    shore = anywhere
    good, _ = await a_good_day_and_a_bad_one(shore, journey, count=2)
    only_new = MENDED | {"product": f"div.{NEW}"}
    describe(shore, "2.0.0", only_new, count=2)

    kept = await reextract(shore, "--apply")
    async with shore.open() as house:
        ask = partial(latest_offers, visibility="operator", now=house.clock.now(), limit=9)
        before = [len(await table_of(house, prices)), len(await house.ledger.read(ask))]
    lost = await reextract(shore, "--apply", "--with-losses")
    repeated = await reextract(shore, "--apply", "--with-losses")

    assert (kept["changes"]["no_longer_readable"], kept["recorded"]) == (2, 2)
    assert kept["outcomes"][0]["before"].startswith(("failed", "succeeded"))
    assert (lost["changes"]["no_longer_readable"], lost["recorded"]) == (2, 2)
    assert [each["rereads"] for each in lost["runs"]] == [good.id]
    assert repeated["recorded"] == 0 and repeated["changes"]["same"] == 4
    async with shore.open() as house:
        rows = await table_of(house, prices)
        history = await house.ledger.read(
            partial(
                price_history,
                source_id="shop",
                identity_key=rows[0].identity_key,
                visibility="operator",
                now=house.clock.now(),
            )
        )
        await journey.prove(house)
    assert before == [4, 2] and len(rows) == 4
    assert [point.run_id for point in history.points] == [rows[2].ingestion_run_id]


async def test_what_a_person_decided_stays_and_what_waited_for_one_is_closed(anywhere, journey) -> None:
    shore = anywhere
    describe(shore, "1.0.0", FIRST, count=3, and_also=", {json_ld: offers.price}")
    shore.pool.set_fault("shop", "prices_disagree")
    async with shore.open() as house:
        run = await journey.plan_and_walk(house)
        waiting = await house.ledger.read(list_quarantined)
        by = {"by": "Ada", "now": house.clock.now(), "reason": "looked at the page"}
        source = house.catalogue.get("shop")
        said = Correction(price_cents=4321, availability=Availability.IN_STOCK, title="Box", currency="USD")
        decided, rejected, left = waiting
        await house.ledger.write(partial(correct, record_id=decided.id, source=source, correction=said, **by))
        await house.ledger.write(partial(reject, record_id=rejected.id, **by))
    describe(shore, "1.1.0", FIRST, count=3)

    applied = await reextract(shore, "--apply")

    async with shore.open() as house:
        after = {
            status: [each.id for each in await house.ledger.read(partial(list_quarantined, status=status))]
            for status in STATUSES
        }
        rows = await table_of(house, prices)
        await journey.prove(house)
    assert run.counts["quarantined"] == 3
    assert (applied["changes"]["decided"], applied["changes"]["newly_readable"]) == (2, 1)
    assert after == {
        "open": [],
        "accepted": [],
        "corrected": [decided.id],
        "rejected": [rejected.id],
        "superseded": [left.id],
    }
    assert [(row.price_cents == 4321, row.rereads) for row in rows] == [(True, None), (False, left.job_id)]


async def test_a_price_in_doubt_after_all_is_withdrawn_and_a_person_may_answer(anywhere, journey) -> None:
    shore = anywhere
    describe(shore, "1.0.0", FIRST, count=1)
    shore.pool.set_fault("shop", "prices_disagree")
    async with shore.open() as house:
        run = await journey.plan_and_walk(house)
    describe(shore, "1.1.0", FIRST, count=1, and_also=", {json_ld: offers.price}")

    lost = await reextract(shore, "--apply", "--with-losses")

    async with shore.open() as house:
        (doubt,) = await house.ledger.read(list_quarantined)
        ask = partial(latest_offers, visibility="operator", now=house.clock.now())
        withdrawn = await house.ledger.read(ask)
        said = Correction(price_cents=4321, availability=Availability.IN_STOCK, title="Box", currency="USD")
        by = {"by": "Ada", "now": house.clock.now(), "reason": "looked at the page"}
        source = house.catalogue.get("shop")
        await house.ledger.write(partial(correct, record_id=doubt.id, source=source, correction=said, **by))
        (answered,) = await house.ledger.read(ask)
        (seen, _) = rows = await table_of(house, prices)
        await journey.prove(house)
    assert lost["outcomes"][0]["after"] == "quarantined: ambiguous_price" and withdrawn == []
    assert answered.latest.price_cents == 4321 and answered.latest.rereads == seen.job_id
    assert answered.latest.observed_at == seen.observed_at
    assert {row.ingestion_run_id for row in rows} == {run.id} == {answered.latest.run_id}


@pytest.mark.parametrize(("crash", "hits", "safe"), [("before_commit", 2, 2), ("after_commit", 2, 6)])
async def test_a_rereading_killed_half_way_goes_on_when_it_is_said_again(
    anywhere, journey, crash: str, hits: int, safe: int
) -> None:
    shore = anywhere
    _, bad = await a_good_day_and_a_bad_one(shore, journey, count=6)
    describe(shore, "1.1.0", MENDED, count=6)

    code = await killed(shore, crash, hits)
    async with shore.open() as house:
        some = [row.rereads for row in await table_of(house, prices) if row.rereads]
        await journey.prove(house)
    rest = await reextract(shore, "--apply")

    async with shore.open() as house:
        recovered = [row.rereads for row in await table_of(house, prices) if row.rereads]
        walked = await house.ledger.jobs(bad.id)
        await journey.prove(house)
    assert code == -signal.SIGKILL
    assert len(some) == safe and rest["recorded"] == 6 - safe
    assert sorted(recovered) == sorted(job.id for job in walked)


async def test_two_that_read_the_same_pages_again_record_each_once(anywhere, journey) -> None:
    shore = anywhere
    await a_good_day_and_a_bad_one(shore, journey)
    describe(shore, "1.1.0", MENDED)
    settings = settings_of(shore)

    async with open_rereader(settings, "prices") as one, open_rereader(settings, "prices") as two:
        wish = PageWish("prices", ("shop",))
        errands = [Rereading("prices", name, "mended", Trigger.CLI) for name in ("Ada", "Bob")]
        reports = await asyncio.gather(
            one.report(wish, errand=errands[0]), two.report(wish, errand=errands[1])
        )

    async with shore.open() as house:
        recovered = [row.rereads for row in await table_of(house, prices) if row.rereads]
        run_ids = [run.id for run in await house.ledger.runs() if run.mode is Mode.REREAD]
        shown = await shore.limpet("show", str(run_ids[0]))
        await journey.prove(house)
    assert sum(report.recorded for report in reports) == 4 == len(set(recovered)) == len(recovered)
    assert sorted(run_ids) == sorted(new for report in reports for new in report.runs.values())
    assert "read again; nobody was visited" in shown.out


def settings_of(shore: Any) -> Any:
    asked = {name.removeprefix("LIMPET_").lower(): value for name, value in shore.environment.items()}
    return load_settings(data_dir=shore.data_dir, config=shore.config, **asked)


async def killed(shore: Any, crash: str, hits: int) -> int | None:
    """Read again until the process dies, and return how it ended."""
    asked = {name.removeprefix("LIMPET_").lower(): value for name, value in shore.environment.items()}
    settings = asked | {"data_dir": str(shore.data_dir), "config": str(shore.config)}
    known = {"settings": settings, "crash": crash, "hits": hits}
    script = str(Path(__file__).with_name("rereading_killed.py"))
    process = get_context("forkserver").Process(target=runpy.run_path, args=(script, known))
    await asyncio.to_thread(process.start)
    await asyncio.to_thread(process.join, 60)
    return process.exitcode


async def test_reading_again_opens_no_socket(shore, journey, monkeypatch) -> None:
    await a_good_day_and_a_bad_one(shore, journey, count=2)
    describe(shore, "1.1.0", MENDED, count=2)

    async with open_rereader(settings_of(shore), "prices") as rereader:
        monkeypatch.setattr(socket.socket, "connect", refuse)
        monkeypatch.setattr(socket, "getaddrinfo", refuse)
        report = await rereader.report(PageWish("prices", ("shop",)))

    assert (report.pages, report.count(Change.NEWLY_READABLE)) == (4, 2)


def refuse(*_: Any) -> None:
    raise AssertionError("somebody wants to go out")


async def test_only_the_pages_asked_for_are_read_again(shore, journey) -> None:
    _, bad = await a_good_day_and_a_bad_one(shore, journey, count=3)
    describe(shore, "1.1.0", MENDED, count=3)
    noon = (bad.started_at + timedelta(days=1)).strftime("%Y-%m-%d")

    by_run = await reextract(shore, "--run", str(bad.id), "--limit", "2")
    later = await reextract(shore, "--since", noon)
    earlier = await reextract(shore, "--until", noon, "--source", "shop", "--site", "drifty")
    said = await shore.limpet("reextract", "prices", "--run", str(bad.id))

    assert (by_run["pages"], by_run["changes"]["newly_readable"]) == (2, 2)
    assert later["pages"] == 0 and earlier["pages"] == 6
    assert "3  newly readable" in said.out and "--apply records 3 newer versions" in said.out
    assert "failed: " in said.out and "-> succeeded" in said.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("judgments",), "keeps the PDFs themselves"),
        (("matches",), "put together from many answers"),
        (("weather",), "There is no app 'weather'"),
        (("prices", "--source", "nobody"), "No source of 'prices' goes with source 'nobody'"),
        (("prices", "--site", "drifti"), "There is no site 'drifti'"),
        (("prices", "--with-losses"), "says what --apply records"),
        (("dockets", "--apply"), "but not rewritten"),
    ],
)
async def test_what_cannot_be_read_again_is_refused_with_the_reason(shore, words, sentence: str) -> None:
    describe(shore, "1.0.0", FIRST, count=1)

    said = await shore.limpet("reextract", *words)

    assert said.code == 2 and sentence in said.err and "fix:" in said.err
