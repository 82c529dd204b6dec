"""The browser reads the court's page as the same record its JSON tells, past every trap on the way."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.docket import Docket
from limpet.apps.dockets.feed import target_of
from limpet.assembly import House
from limpet.engine.watcher import Silence
from limpet.errors import BadResponse, PageBlocked, RateLimited
from limpet.extract import Extraction, Missing, Unreadable
from limpet.fetch import Trail
from limpet.record.entry import NewRun, Run
from limpet.target import JobState
from tidepool import Tidepool
from tidepool.registry import Registry
from tidepool.registry.court_file import Oddity

pytestmark = pytest.mark.browser
CASES = int(os.environ.get("SOAK_BROWSER_CASES", "12"))
NO_PAUSE = "requests_per_second = 0\nmin_delay_seconds = 0\njitter = 0"


@dataclass
class Court:
    """A pretend registry, and both readers of it."""

    pool: Tidepool
    house: House

    @property
    def registry(self) -> Registry:
        site = self.pool.site("registry")
        assert isinstance(site, Registry)
        return site

    async def read(self, case: str, by: str) -> Extraction[Docket] | Unreadable:
        source = self.house.catalogue.get(by)
        site = self.house.sites.get(source.site)
        target = target_of(source, case)
        page = await site.route(self.house.desk.way(source, site, Trail()), source, target)
        return site.page_model.read(page, target)

    async def docket(self, case: str, by: str = "browser") -> dict[str, Any]:
        reading = await self.read(case, by)
        assert isinstance(reading, Extraction), reading
        return reading.record.content()

    async def walk(self, source: str, **batch: Any) -> Run:
        new = NewRun(app="dockets", source_id=source, params=Batch(**batch).to_params())
        run = await self.house.desk.plan(new)
        return await self.house.desk.walk(run, self.house.app("dockets"), Silence())

    async def rows(self, sql: str) -> list[Any]:
        return await self.house.ledger.read(lambda connection: list(connection.execute(text(sql)).all()))

    @asynccontextmanager
    async def page_that_stands_open(self) -> AsyncIterator[Any]:
        source = self.house.catalogue.get("browser")
        way = self.house.desk.way(source, self.house.sites.get(source.site), Trail())
        async with way.plain.browser()._pool.page(source, Trail(), stays_open=True) as lease:  # type: ignore[attr-defined]
            yield lease.page

    def number_of(self, oddity: Oddity) -> str:
        numbers = map(str, self.registry.files.numbers.of_year("25"))
        return next(one for one in numbers if self.registry.truth(one, tick=0)["kind"] == oddity)  # type: ignore[index]

    def pages_loaded(self) -> int:
        return sum(visit.path.startswith("/en/court-files") for visit in self.pool.log)


def opened(shore, chromium: str, pool: Tidepool) -> AbstractAsyncContextManager[House]:
    sources = [
        f'[[sources]]\nid = "{reader}"\napp = "dockets"\nsite = "federal_court"\nfetcher = "{reader}"\n'
        f'hosts = ["registry.tidepool.localhost"]\nbase_url = "{pool.url("registry", "")}"\nhttp_only = true\n'
        f"allow_private_addresses = true\npatience_seconds = 15\n"
        f'[sources.terms]\nreviewed_at = 2026-01-01\napproved_by = "the tests"\n[sources.pace]\n{NO_PAUSE}\n'
        for reader in ("http", "browser")
    ]
    shore.write_config(*sources)
    return shore.open(chromium=chromium)


@asynccontextmanager
async def a_court(shore, chromium: Path, **world: Any) -> AsyncIterator[Court]:
    async with Tidepool(**world) as pool, opened(shore, str(chromium), pool) as house:
        yield Court(pool, house)


@pytest.fixture
async def court(shore, chromium) -> AsyncIterator[Court]:
    async with a_court(shore, chromium, late_milliseconds=60) as court:
        yield court


@pytest.mark.timeout(180 + 3 * CASES)
async def test_both_readers_give_the_same_record(court: Court) -> None:
    numbers = [str(one) for one in court.registry.files.numbers.of_year("25")]
    odd = [court.number_of(oddity) for oddity in Oddity]
    cases = list(dict.fromkeys([*odd, "IMM-33-25", *numbers[:: max(1, len(numbers) // CASES)]]))[:CASES]

    by_page = {case: await court.docket(case) for case in cases}
    by_json = {case: await court.docket(case, "http") for case in cases}

    assert by_page == by_json
    assert len(by_page) == CASES
    assert court.pages_loaded() == 1 + (CASES - 1) // 200


async def test_parties_related_cases_and_documents_come_by_the_page_too(court: Court) -> None:
    truth = court.registry.truth
    numbers = [str(one) for one in court.registry.files.numbers.of_year("25")][:60]
    related = next(
        one for one in numbers if court.registry.files.related(court.registry.files.find(one, tick=0), tick=0)
    )
    published = next(
        one for one in numbers if any(entry["document"] for entry in truth(one, tick=0)["entries"])
    )  # type: ignore[index]
    hole = f"IMM-{court.registry.files.numbers.holes('25')[0][0]}-25"
    cases = tuple(dict.fromkeys((numbers[0], related, published, hole)))

    for source in ("browser", "http"):
        await court.walk(source, cases=cases, extras=("parties", "related"))
    papers = await court.walk("browser", cases=cases, documents=True)
    alone = await court.docket(related)

    rows = await court.rows(
        "SELECT c.source_id, c.case_id, v.parties, v.related_cases FROM docket_case_versions v "
        "JOIN docket_cases c ON c.id = v.docket_case_id"
    )
    told = {
        source: sorted(tuple(map(str, row[1:])) for row in rows if row[0] == source)
        for source in ("browser", "http")
    }
    assert told["browser"] == told["http"]
    assert len(told["http"]) == len(cases) - 1  # the hole has no record, and nobody asked for its parties
    assert any(row[2] not in ("[]", "None") for row in told["browser"])
    assert papers.counts["succeeded"] == papers.planned > 0
    assert "parties" not in alone


async def test_a_number_without_a_record_is_told_by_the_tables_own_word(court: Court) -> None:
    hole = court.registry.files.numbers.holes("25")[1]
    before, after = f"IMM-{hole[0] - 1}-25", f"IMM-{hole[-1] + 1}-25"

    there = await court.docket(before)
    nothing = [await court.read(f"IMM-{number}-25", "browser") for number in hole[:3]]
    there_again = await court.docket(after)

    assert [one.reason for one in nothing if isinstance(one, Unreadable)] == [Missing.NO_RECORD] * 3
    assert (there["header"]["case_id"], there_again["header"]["case_id"]) == (before, after)


async def test_the_same_case_asked_again_shows_what_changed(court: Court) -> None:
    numbers = map(str, court.registry.files.numbers.of_year("25"))
    truth = court.registry.truth
    changing = next(one for one in numbers if truth(one, tick=0)["entries"] != truth(one, tick=3)["entries"])  # type: ignore[index]
    before = await court.docket(changing)

    court.pool.advance(3)
    after = await court.docket(changing)

    assert before != after
    assert after == await court.docket(changing, "http")


async def test_late_answers_are_waited_for_and_never_replaced_by_old_ones(court: Court) -> None:
    first = await court.docket("IMM-1-25")
    for endpoint in ("proceedingQueriesCourtNumberList", "proceedingQueriesAddInfo", "proceedingQueriesRE"):
        court.pool.set_fault("registry", "latency", path=f"/*/{endpoint}", seconds=0.7)

    second = await court.docket("IMM-2-25")

    assert second != first
    assert second == await court.docket("IMM-2-25", "http")


async def test_a_dropped_session_is_an_error_and_the_next_try_opens_a_new_page(court: Court) -> None:
    await court.docket("IMM-1-25")
    court.pool.set_fault("registry", "session_dropped", path="/CourtFilesAndDecisions/*", times=1)

    with pytest.raises(BadResponse) as dropped:
        await court.docket("IMM-2-25")

    assert dropped.value.retryable
    assert (await court.docket("IMM-2-25"))["header"]["case_id"] == "IMM-2-25"
    assert court.pages_loaded() == 3  # the first, the one a dropped session leads to, and a new one


@pytest.mark.parametrize("fault", ["forbidden_403", "challenge_200"])
async def test_a_refusal_to_the_page_or_its_script_is_a_block(court: Court, fault: str) -> None:
    court.pool.set_fault("registry", fault, path="/CourtFilesAndDecisions/*")

    with pytest.raises(PageBlocked) as blocked:
        await court.docket("IMM-1-25")

    assert blocked.value.screenshot is not None
    assert b"selectCourtNumber" in blocked.value.page.body  # type: ignore[union-attr]


async def test_the_french_page_is_left_for_the_english_one(court: Court) -> None:
    await court.docket("IMM-1-25")
    async with court.page_that_stands_open() as page:
        await page.click("#ModalForm .modal-footer [data-dismiss=modal]")
        await page.click("#lnkLanguageToggle")
        await page.wait_for_url("**/fr/**")

    docket = await court.docket("IMM-2-25")

    assert docket == await court.docket("IMM-2-25", "http")
    assert court.pages_loaded() == 2


async def test_elements_that_went_stale_cost_a_new_page_and_no_case(
    court: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limpet.apps.dockets.sites.federal_court.look_up.ACTION_MILLISECONDS", 3_000)
    await court.docket("IMM-1-25")
    async with court.page_that_stands_open() as page:
        await page.evaluate("document.querySelector('#tab02').remove()")

    docket = await court.docket("IMM-2-25")

    assert docket == await court.docket("IMM-2-25", "http")
    assert court.pages_loaded() == 2


async def test_where_the_json_is_refused_the_page_is_read_and_stays_the_way(court: Court) -> None:
    by_json = [await court.docket(f"IMM-{number}-25", "http") for number in (1, 2, 3)]
    # The script of the page asks with its own address as referrer; who asks without a browser is refused.
    court.pool.set_fault(
        "registry", "forbidden_403", path="/CourtFiles*List?division=t&courtnumber=*", times=1
    )
    court.pool.access_log.clear()

    by_page = [await court.docket(f"IMM-{number}-25", "http") for number in (1, 2, 3)]

    assert by_page == by_json
    refused = [visit for visit in court.pool.log if visit.status == 403]
    assert len(refused) == 1
    assert court.pages_loaded() == 1


@pytest.mark.parametrize("fault", ["challenge_403", "captcha_403", "access_denied_403", "rate_limited_bare"])
async def test_who_is_shown_a_challenge_or_told_to_slow_down_takes_no_detour(
    court: Court, fault: str
) -> None:
    court.pool.set_fault("registry", fault, path="/CourtFilesAndDecisions/*")

    with pytest.raises((PageBlocked, RateLimited)):
        await court.docket("IMM-1-25", "http")

    assert court.pages_loaded() == 0


async def test_a_failed_errand_leaves_its_page_and_a_screenshot_in_the_ledger(court: Court) -> None:
    court.pool.set_fault("registry", "forbidden_403", path="/CourtFilesAndDecisions/*")
    params = Batch(year=2025, start=1, end=3).to_params()
    run = await court.house.desk.plan(NewRun(app="dockets", source_id="browser", params=params))

    ended = await court.house.desk.walk(run, court.house.app("dockets"), Silence())

    kept = await court.house.ledger.read(
        lambda connection: connection.execute(
            text("SELECT path, media_type FROM artefacts WHERE kind = 'screenshots'")
        ).all()
    )
    (failed,) = await court.house.ledger.jobs(run.id, state=JobState.FAILED)
    assert ended.counts["failed"] == 1
    pages = list((court.house.ledger.data_dir / "output" / "html_failed").glob("*/*.html"))
    assert [page.stem for page in pages] == ["IMM-1-25"]
    assert failed.snapshot is not None
    assert await court.house.ledger.recall(failed.snapshot) == pages[0].read_bytes()
    assert {row.media_type for row in kept} == {"image/png"}
    assert all((court.house.ledger.data_dir / row.path).read_bytes().startswith(b"\x89PNG") for row in kept)
    verified = await court.house.ledger.verify()
    assert verified.is_sound, verified.problems
