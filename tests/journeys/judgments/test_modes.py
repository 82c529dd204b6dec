"""Modes, strategies and limits: what a run goes over, and what it never goes over twice."""

from __future__ import annotations

import asyncio
import shutil
import time

import pytest

from limpet.apps.judgments.errors import CaseNotInIndex
from limpet.apps.judgments.params import ScrapeParams
from limpet.apps.judgments.scraping import run_scrape
from limpet.errors import DiskInsufficient, NothingToDo, SourceBusy
from limpet.record.artefacts import Draft
from limpet.record.database import unusable
from limpet.record.entry import NewRun
from limpet.target.outcome import Mode

AJAX = "/wp-admin/admin-ajax.php"
pytestmark = pytest.mark.parametrize("cases", [24], indirect=True)


def new_run(mode: Mode = Mode.FULL, **params: object) -> NewRun:
    return NewRun("judgments", "unreported_judgments", mode=mode, params=params)


async def stop_after(house, journey, count: int, **params: object) -> int:
    """Walk a run and stop it in good order after so many documents; return its id."""
    run = await house.desk.plan(new_run(**params))
    stopper = journey.Onlooker(lambda settled: house.desk.crew.stop.set() if settled == count else None)
    await journey.walk(house, run, stopper, app="judgments")
    return run.id


async def test_a_full_run_asks_only_for_what_is_not_on_the_disk(courthouse, archive) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        await archive.scrape(house, limit=5)
        whole = await archive.scrape(house)
        again = await archive.scrape(house)

    assert whole.cases_targeted == len(courthouse.wanted()) - 5
    assert (again.cases_targeted, again.downloads_completed) == (0, 0)
    assert set(courthouse.downloads().values()) == {1}


async def test_a_file_the_disk_lost_is_fetched_again_and_stands_where_it_stood(
    courthouse, archive, journey
) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        await archive.scrape(house)
        lost, *_ = sorted((courthouse.data_dir / "pdfs").iterdir())
        content = lost.read_bytes()
        lost.unlink()
        new = await archive.scrape(house, mode="new")
        healed = await archive.scrape(house)

        assert lost.read_bytes() == content
        await journey.prove(house)
    assert (new.cases_targeted, healed.downloads_completed) == (0, 1)


@pytest.mark.parametrize(
    "junk", [b"junk", b"%PDF-1.4" + b" " * 2_000 + b"%%EOF"], ids=["junk", "another_pdf"]
)
@pytest.mark.parametrize("by_token", [False, True], ids=["full", "token"])
async def test_a_file_of_another_size_is_as_good_as_lost(
    courthouse, archive, journey, junk, by_token
) -> None:
    courthouse.write_config()
    token = next(iter(courthouse.wanted()))

    async with courthouse.open() as house:
        await archive.scrape(house, tokens=(token,))
        (damaged,) = (courthouse.data_dir / "pdfs").iterdir()
        damaged.write_bytes(junk)
        plan = await archive.scrape(house, dry_run=True, tokens=(token,))
        assert damaged.read_bytes() == junk  # a dry run touches nothing
        healed = await archive.scrape(house, **({"tokens": (token,)} if by_token else {"limit": 100}))

        assert (await archive.archived(house))[token] == courthouse.wanted()[token]
        await journey.prove(house)
    assert plan.cases_targeted == 1
    assert healed.downloads_failed == 0
    (aside,) = damaged.parent.glob("*.damaged-*")
    assert aside.read_bytes() == junk


async def test_a_file_of_the_same_size_is_read_when_it_is_asked_for_by_name(
    courthouse, archive, journey
) -> None:
    courthouse.write_config()
    token = next(iter(courthouse.wanted()))

    async with courthouse.open() as house:
        await archive.scrape(house, tokens=(token,))
        (damaged,) = (courthouse.data_dir / "pdfs").iterdir()
        damaged.write_bytes(damaged.read_bytes().replace(b"%PDF-1", b"%PDF-2", 1))
        healed = await archive.scrape(house, tokens=(token,))
        again = await archive.scrape(house, tokens=(token,))

        assert await archive.archived(house) == {token: courthouse.wanted()[token]}
        await journey.prove(house)
    assert (healed.downloads_completed, again.cases_targeted) == (1, 0)


async def test_a_complete_file_without_its_row_is_adopted_not_fetched(courthouse, archive, journey) -> None:
    courthouse.write_config()
    async with courthouse.open() as house:
        await archive.scrape(house)
    kept = courthouse.data_dir / "pdfs"
    backup = courthouse.shore.folder / "backup"
    shutil.copytree(kept, backup)
    shutil.rmtree(courthouse.data_dir)
    shutil.copytree(backup, kept)  # an archive from elsewhere, and no ledger
    next(kept.iterdir()).write_bytes(b"%PDF-1.4 broken off in the midd")
    asked = courthouse.asked_at_the_desk()

    async with courthouse.open() as house:
        summary = await archive.scrape(house)
        adopted = await archive.rows(house, "SELECT count(*) AS n FROM case_files WHERE was_adopted")

        assert await archive.archived(house) == courthouse.wanted()
        await journey.prove(house)
    assert summary.downloads_completed == len(courthouse.wanted())
    assert adopted == [{"n": len(courthouse.wanted()) - 1}]
    assert courthouse.asked_at_the_desk() == asked + 1  # only for what was broken


async def test_new_means_never_tried_since_the_last_whole_run(courthouse, archive, fault) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        await archive.scrape(house)
        courthouse.court.move(add=6)
        limited = await archive.scrape(house, mode="new", limit=2)
        rest = await archive.scrape(house, mode="new")
        nothing = await archive.scrape(house, mode="new")

    assert (limited.downloads_completed, rest.downloads_completed, nothing.cases_targeted) == (2, 4, 0)


async def test_a_crash_does_not_make_new_cases_old(courthouse, archive, fault) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        await archive.scrape(house)
        courthouse.court.move(add=3)
        fault("court", "ajax_success_false", path=AJAX)
        failed = await archive.scrape(house, mode="new")
        courthouse.pool.clear_faults()
        again = await archive.scrape(house, mode="new")

    # All three failed, so that run was no completed one: what was new then is new now.
    assert (failed.downloads_failed, again.downloads_completed) == (3, 3)


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [("none", "all"), ("retry_failed_only", "failed"), ("redo_in_progress", "open"), ("auto", "both")],
)
async def test_each_strategy_takes_up_what_it_names(
    courthouse, archive, fault, journey, strategy, expected
) -> None:
    courthouse.write_config()
    wanted = len(courthouse.wanted())
    async with courthouse.open() as house:
        await archive.scrape(house, limit=4)
        fault("court", "ajax_success_false", path=AJAX, times=9)  # three documents, three tries each
        await stop_after(house, journey, 8, concurrency=1)
        courthouse.pool.clear_faults()

    async with courthouse.open() as house:
        left = await archive.rows(
            house, "SELECT status, count(*) AS n FROM downloads WHERE run_id = 2 GROUP BY status"
        )
        count = {row["status"]: row["n"] for row in left}
        summary = await archive.scrape(house, mode="resume", resume_strategy=strategy)
        taken_over = await house.ledger.run(2)
        await journey.prove(house)

    sizes = {
        "failed": count["failed"],
        "open": count["pending"],
        "both": count["failed"] + count["pending"],
        "all": wanted - 4 - count["downloaded"],
    }
    assert count["failed"] == 3
    assert summary.downloads_completed == summary.cases_targeted == sizes[expected]
    assert taken_over.state.value == "aborted"
    assert set(courthouse.downloads().values()) == {1}


async def test_resume_goes_on_with_the_very_run_that_was_stopped(courthouse, archive, journey) -> None:
    courthouse.write_config()
    async with courthouse.open() as house:
        run_id = await stop_after(house, journey, 5)

    said = await courthouse.limpet("resume")

    assert said.code == 0, said.err
    assert "Verdict: ok" in said.out
    async with courthouse.open() as house:
        run = await house.ledger.run(run_id)
        assert run.state.value == "completed"
        assert await archive.archived(house) == courthouse.wanted()
    assert set(courthouse.downloads().values()) == {1}


async def test_a_stop_while_a_file_is_being_kept_does_not_make_us_fetch_it_twice(
    courthouse, archive, journey, monkeypatch
) -> None:
    courthouse.write_config()
    async with courthouse.open() as house:
        loop, finish = asyncio.get_running_loop(), Draft.finish

        def while_stopping(draft: Draft, **key: str | None) -> object:
            if draft._kind == "pdfs":
                loop.call_soon_threadsafe(house.desk.crew.stop.set)
                time.sleep(0.2)  # a slow disk: the stop has all the time it needs to cut us short
            return finish(draft, **key)

        monkeypatch.setattr(Draft, "finish", while_stopping)
        run = await house.desk.plan(new_run())
        await journey.walk(house, run, app="judgments")
        begun = dict(courthouse.downloads())
        monkeypatch.undo()

    async with courthouse.open() as house:
        await journey.walk(house, await house.ledger.run(run.id), app="judgments")

        assert await archive.archived(house) == courthouse.wanted()
    assert 0 < len(begun) < len(courthouse.wanted())
    assert set(courthouse.downloads().values()) == {1}


async def test_there_is_one_run_per_source_at_a_time(courthouse, archive, journey) -> None:
    courthouse.write_config()
    async with courthouse.open() as house, courthouse.open() as other:
        run = await house.desk.plan(new_run())

        for mode in ("full", "new", "resume"):  # the first one lives: not even resume takes over from it
            with pytest.raises(SourceBusy) as refused:
                await archive.scrape(other, mode=mode)
            assert refused.value.run_id == run.id
        results = await asyncio.gather(
            *(each.desk.plan(new_run()) for each in (house, other, other)), return_exceptions=True
        )

        assert [type(result) for result in results] == [SourceBusy] * 3
        assert len(await house.ledger.runs()) == 1


async def test_two_sources_of_one_court_do_not_wait_for_each_other(courthouse, archive) -> None:
    courthouse.write_config(courthouse.source(), courthouse.source("public_registers"))

    async with courthouse.open() as house:
        judgments, registers = await asyncio.gather(
            archive.scrape(house), archive.scrape(house, target_source="public_registers")
        )
        paths = await archive.rows(house, "SELECT path FROM case_files")

    assert judgments.downloads_completed == len(courthouse.wanted())
    assert registers.downloads_completed == len(courthouse.court.registers.filings)
    assert len({row["path"] for row in paths}) == len(paths)


async def test_a_dry_run_asks_nobody_and_marks_nothing(courthouse, archive) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        with pytest.raises(NothingToDo, match="ever synced"):
            await archive.scrape(house, dry_run=True)
        await archive.scrape(house, limit=3)
        seen = len(list(courthouse.pool.log))
        plan = await archive.scrape(house, dry_run=True, limit=7)
        runs = await house.ledger.runs()

    assert (plan.run_id, plan.cases_targeted, plan.downloads_completed) == (0, 7, 0)
    assert len(list(courthouse.pool.log)) == seen
    assert len(runs) == 1


async def test_a_token_by_itself(courthouse, archive) -> None:
    courthouse.write_config()
    token = next(iter(courthouse.wanted()))

    async with courthouse.open() as house:
        summary = await archive.scrape(house, tokens=(token.lower(),))
        with pytest.raises(CaseNotInIndex):
            await archive.scrape(house, tokens=("NOSUCHTOKEN",))

        assert list(await archive.archived(house)) == [token]
    assert summary.downloads_completed == 1


async def test_a_run_may_be_slower_and_narrower_than_its_source_never_faster(courthouse, archive) -> None:
    pace = "requests_per_second = 0\nmin_delay_seconds = 0.05\njitter = 0\nmax_concurrent = 2"
    courthouse.write_config(courthouse.source(pace=pace))

    async with courthouse.open() as house:
        await archive.scrape(house, limit=3, concurrency=50, per_download_delay=0.0)
        assert courthouse.pool.access_log.most_concurrent("boxcdn.tidepool.localhost") <= 2
        assert courthouse.pool.access_log.smallest_gap("court.tidepool.localhost") >= 0.05

        courthouse.pool.access_log.clear()
        await archive.scrape(house, limit=3, concurrency=1, per_download_delay=0.15)
        assert courthouse.pool.access_log.smallest_gap("boxcdn.tidepool.localhost") >= 0.15


async def test_a_full_disk_ends_the_run_in_good_order_and_it_goes_on_once_there_is_room(
    courthouse, archive, journey, monkeypatch
) -> None:
    courthouse.write_config()
    written = Draft.write
    room = [60_000]

    def until_full(draft: Draft, chunk: bytes) -> None:
        room[0] -= len(chunk)
        if room[0] < 0 and draft._kind == "pdfs":
            draft.discard()
            raise unusable(draft._folder, OSError(28, "No space left on device"))
        written(draft, chunk)

    monkeypatch.setattr(Draft, "write", until_full)
    async with courthouse.open() as house:
        with pytest.raises(DiskInsufficient) as full:
            await archive.scrape(house)
        (run,) = await house.ledger.runs()
        told = await archive.rows(
            house, "SELECT count(*) AS n FROM events WHERE event_type = 'disk_insufficient'"
        )
        await journey.prove(house)

    assert full.value.fix.endswith(f"limpet resume {run.id}")
    assert run.state.value == "running"
    assert 0 < run.counts["succeeded"] < run.planned
    assert told == [{"n": 1}]
    monkeypatch.undo()
    async with courthouse.open() as house:
        await journey.walk(house, await house.ledger.run(run.id), app="judgments")

        assert await archive.archived(house) == courthouse.wanted()
        await journey.prove(house)
    assert not list((courthouse.data_dir / "pdfs").glob(".*"))


async def test_little_room_is_told_before_the_first_download(courthouse, archive) -> None:
    courthouse.write_config(courthouse.source(options="average_pdf_bytes = 1000000000000"))

    async with courthouse.open() as house:
        await archive.scrape(house, limit=2)
        (warning,) = await archive.rows(
            house, "SELECT payload FROM events WHERE event_type = 'alert_disk_low'"
        )

    assert '"targeted":2' in str(warning["payload"]).replace(" ", "").replace("'", '"')


async def test_run_scrape_is_what_the_seed_names(courthouse) -> None:
    courthouse.write_config()
    params = ScrapeParams("full", "unreported_judgments", 0.0, 3, 1, "none")

    async with courthouse.open() as house:
        summary = await run_scrape(params, desk=house.desk)

    assert summary.run_id == 1
    assert summary.cases_total == len(courthouse.court.published())
    assert summary.cases_targeted == summary.downloads_completed == len(courthouse.wanted())
    assert (summary.downloads_failed, summary.downloads_skipped, summary.error_counts) == (0, 0, {})
    assert summary.started_at < summary.ended_at
