"""What went wrong in an earlier archive of this court, one test per bug: here it does not.

The earlier one had 135 tests and a dead core, because every test stood in for the court. These go to the (pretend)
court over real sockets and ask the origin what it saw.
"""

from __future__ import annotations

import asyncio
import re
import socket
from pathlib import Path

import aiohttp
import pytest

from limpet.apps.judgments.court.ajax import read_answer
from limpet.apps.judgments.errors import AjaxFault
from limpet.cli.admission import newcomers_link
from limpet.fetch.page import Page
from limpet.web.portal import portal_for
from limpet.web.server import serve_portal

AJAX = "/wp-admin/admin-ajax.php"
LISTING = "/judgments/unreported-judgments/"
DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture
def cases(request: pytest.FixtureRequest) -> int:
    """A small court, unless a test needs its oddities."""
    return getattr(request, "param", 24)


async def test_bug_1_the_documented_command_really_runs(courthouse, archive) -> None:
    """A name was used that nobody had imported: no live run worked for a month, and no test noticed."""
    courthouse.write_config()

    said = await courthouse.limpet("run", "judgments", "--mode", "full")

    assert said.code == 0, said.err
    async with courthouse.open() as house:
        assert await archive.archived(house) == courthouse.wanted()


async def test_bug_2_not_only_the_last_page_of_the_table_is_archived(courthouse, archive) -> None:
    """The loop over rows stood behind the loop over pages: only the last page's rows were seen."""
    courthouse.write_config()
    courthouse.court.set_habits(rows_on_a_page=4)

    async with courthouse.open() as house:
        await archive.scrape(house)
        found = await archive.archived(house)

    pages = [courthouse.court.docket.rows[at : at + 4] for at in range(0, 24, 4)]
    assert all(any(token in found for row in page for token in row.tokens) for page in pages)
    assert found == courthouse.wanted()


async def test_bug_3_a_refusal_of_the_desk_has_a_row_a_code_and_further_tries(
    courthouse, archive, fault
) -> None:
    """Failures of AJAX only raised a counter: no row, no code, no fresh nonce, no second try."""
    courthouse.write_config()
    fault("court", "ajax_html_200", path=AJAX)

    async with courthouse.open() as house:
        await archive.scrape(house, limit=2, max_retries=3)
        rows = await archive.rows(
            house, "SELECT status, attempt_count, error_code, error_message FROM downloads"
        )

    assert [(row["status"], row["attempt_count"], row["error_code"]) for row in rows] == [
        ("failed", 3, "ajax_parse_error")
    ] * 2
    assert all("no JSON" in row["error_message"] for row in rows)
    assert courthouse.asked_at_the_desk() == 6


async def test_bug_4_a_court_that_cannot_be_reached_is_no_completed_run(courthouse, fault) -> None:
    """When the page did not open, the run was marked completed."""
    courthouse.write_config()
    fault("court", "server_error_500", path=LISTING)

    said = await courthouse.limpet("run", "judgments", "--limit", "2", "--max-retries", "1")

    assert said.code == 1
    async with courthouse.open() as house:
        (run,) = await house.ledger.runs()
    assert (run.state.value, run.counts["failed"]) == ("failed", 2)


@pytest.mark.parametrize("cases", [60], indirect=True)
async def test_bug_5_two_judgments_of_one_title_are_two_files(courthouse, archive) -> None:
    """Files were named by title alone: the second of two equal titles was taken for the first."""
    courthouse.write_config()

    async with courthouse.open() as house:
        await archive.scrape(house)
        shared = await archive.rows(
            house,
            "SELECT title, count(*) AS n, count(DISTINCT path) AS files FROM cases "
            "JOIN case_files ON case_files.case_id = cases.id GROUP BY title HAVING count(*) > 1",
        )

        assert await archive.archived(house) == courthouse.wanted()
    assert shared
    assert all(row["n"] == row["files"] for row in shared)


async def test_bug_6_neither_resume_nor_new_loses_a_case(courthouse, archive, fault, journey) -> None:
    """Every sync made a new version, so that resume found nothing and what was new before a crash never was again."""
    courthouse.write_config()
    async with courthouse.open() as house:
        await archive.scrape(house)
        moved = courthouse.court.move(add=8)
        command = await courthouse.shore.start("run", "judgments", "--mode", "new", "--delay", "0.1")
        await courthouse.shore.until(lambda: len(courthouse.downloads()) >= len(courthouse.wanted()) - 6)
        command.process.kill()
        await asyncio.to_thread(command.process.join)

    async with courthouse.open() as house:
        resumed = await archive.scrape(house, mode="resume")
        new = await archive.scrape(house, mode="new")
        versions = await archive.rows(house, "SELECT id FROM csv_versions")

        assert set(moved["added"]) <= set(await archive.archived(house))
        await journey.prove(house)
    assert resumed.downloads_completed > 0
    assert new.cases_targeted == 0
    assert (
        len(versions) == 2
    )  # the first, and the one with the eight: a sync that finds nothing new makes none


async def test_bug_7_a_later_run_never_takes_away_where_a_file_is(courthouse, archive) -> None:
    """A case that was skipped later lost the path of its file."""
    courthouse.write_config()

    async with courthouse.open() as house:
        await archive.scrape(house)
        before = await archive.rows(
            house, "SELECT case_id, file_path, file_size_bytes FROM downloads ORDER BY id"
        )
        await archive.scrape(house)
        await archive.scrape(house, mode="new")
        after = await archive.rows(
            house, "SELECT case_id, file_path, file_size_bytes FROM downloads ORDER BY id"
        )

    assert after == before
    assert all(row["file_path"] for row in after)


@pytest.mark.parametrize("mode", ["full", "new", "resume"])
async def test_bug_8_a_limit_is_a_limit_in_every_mode(courthouse, archive, fault, mode) -> None:
    """A limit on the command line was overwritten by another one."""
    courthouse.write_config()
    async with courthouse.open() as house:
        fault("court", "ajax_success_false", path=AJAX)
        await archive.scrape(house, max_retries=1)  # so that there is something to resume
        courthouse.pool.clear_faults()

    said = await courthouse.limpet("run", "judgments", "--mode", mode, "--limit", "3")

    assert said.code == 0, said.err
    assert len(courthouse.downloads()) == 3


async def test_bug_9_resume_runs_in_mode_resume(courthouse, archive, fault) -> None:
    """Asked to resume, it ran in mode new."""
    courthouse.write_config()
    async with courthouse.open() as house:
        await archive.scrape(house, limit=2)
        fault("court", "ajax_success_false", path=AJAX, times=2)
        await archive.scrape(house, max_retries=1, concurrency=1)

        summary = await archive.scrape(house, mode="resume", resume_strategy="retry_failed_only")
        rows = await archive.rows(
            house, "SELECT id, mode, params_json FROM judgment_scrapes ORDER BY id DESC"
        )

    assert (rows[0]["id"], rows[0]["mode"]) == (summary.run_id, "resume")
    assert "retry_failed_only" in rows[0]["params_json"]
    assert summary.cases_targeted == summary.downloads_completed == 2


async def test_bug_10_the_report_shows_what_is_stored_without_any_script(courthouse, archive) -> None:
    """A bad merge left a brace open in the report's script, and nothing was shown at all."""
    courthouse.write_config()

    async with courthouse.open() as house:
        await archive.scrape(house)
        door = socket.create_server(("127.0.0.1", 0))
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(serve_portal(portal_for(house), door, stop))
            try:
                async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
                    port = door.getsockname()[1]
                    address = f"http://127.0.0.1:{port}/report?limit=5000"
                    async with http.get(await newcomers_link(house, port), allow_redirects=False):
                        pass  # signed in
                    async with http.get(address) as answer:
                        told = await answer.json()
            finally:
                stop.set()

    assert {row["actions_token"] for row in told["cases"]} == set(courthouse.wanted())


async def test_bug_11_the_registers_are_asked_at_the_registers(courthouse, archive) -> None:
    """Asked for the registers, it still opened the page of the judgments."""
    courthouse.write_config(courthouse.source(), courthouse.source("public_registers"))

    async with courthouse.open() as house:
        await archive.scrape(house, mode="new", target_source="public_registers", limit=3)

    asked = {visit.path for visit in courthouse.visits("court")}
    assert asked == {"/robots.txt", "/public-registers/", AJAX}


@pytest.mark.parametrize("cases", [20], indirect=True)
async def test_bug_12_two_processes_never_run_one_source_at_once(courthouse, archive) -> None:
    """Nothing kept a person and a webhook from running at once, on a database that could not bear it."""
    courthouse.write_config()
    first = await courthouse.shore.start("run", "judgments", "--delay", "0.2")
    await courthouse.shore.until(courthouse.downloads)

    second = await courthouse.limpet("run", "judgments")

    assert second.code != 0
    assert "one at a time" in second.err
    first.interrupt()
    await first.ends()
    assert (await courthouse.limpet("resume")).code == 0
    assert set(courthouse.downloads().values()) == {1}


@pytest.mark.parametrize("success", ["false", "0", "null", '"true"', "{}"])
async def test_bug_13_an_answer_that_claims_no_success_is_none(courthouse, success) -> None:
    """The flag was never looked at: whatever stood under `fid` was fetched."""
    body = f'{{"success":{success},"data":{{"fid":"http://boxcdn.tidepool.localhost/d/1/1/x/download"}}}}'

    with pytest.raises(AjaxFault):
        read_answer(Page("u", "u", 200, {}, body.encode(), fetched_at=None))  # type: ignore[arg-type]


async def test_bug_14_the_documentation_names_every_option_there_is(courthouse) -> None:
    """The README spoke of options that did not exist, and not of those that did."""
    said = await courthouse.limpet("run", "judgments", "--help")

    options = set(re.findall(r"--[a-z][a-z-]+", said.out)) - {"--help", "--data-dir", "--config"}
    documented = (DOCS / "cli.md").read_text()
    assert {"--mode", "--resume-strategy", "--limit", "--dry-run"} <= options
    assert [option for option in sorted(options) if option not in documented] == []


@pytest.mark.parametrize("cases", [120], indirect=True)
async def test_bug_15_long_titles_odd_tokens_and_403s_are_no_obstacle(courthouse, archive, fault) -> None:
    """A long history of file names too long, tokens that matched no row, false "already processed", and 403s."""
    courthouse.write_config()
    fault("court", "ajax_minus_one_403", path=AJAX, times=1)

    async with courthouse.open() as house:
        summary = await archive.scrape(house)
        found = await archive.archived(house)
        longest = await archive.rows(house, "SELECT max(length(title)) AS n FROM cases")

    assert longest[0]["n"] >= 300
    assert any("&" in token for token in found)
    assert found == courthouse.wanted()
    assert summary.downloads_skipped == 0
    assert all(len(path.name) <= 100 for path in (courthouse.data_dir / "pdfs").iterdir())
