"""The archive over HTTP, with the whole service behind it: started, watched, read and taken away."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import hmac
import io
import json
import socket
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest

from limpet.assembly import House
from limpet.engine.service import Service
from limpet.engine.watcher import Silence
from limpet.logs import LATEST
from limpet.record.access.accounts import add_account
from limpet.record.access.roles import Role, Scope
from limpet.record.access.tokens import create_token
from limpet.web.portal import portal_for
from limpet.web.server import serve_portal

SECRET = "a-secret-long-enough-to-guess-not"
HOOK = "/webhook/changedetection"
REPORT_ROW = {
    "actions_token",
    "title",
    "subject",
    "court",
    "category",
    "judgment_date",
    "sort_judgment_date",
    "cause_number",
    "downloaded_at",
    "saved_path",
    "filename",
    "size_kb",
    "source",
}


@dataclass
class Portal:
    """The running portal and a program that talks to it."""

    house: House
    base: str
    http: aiohttp.ClientSession

    async def get(self, path: str) -> tuple[int, Any]:
        async with self.http.get(self.base + path) as response:
            return response.status, json.loads(await response.read())

    async def raw(self, path: str) -> tuple[int, bytes, Any]:
        async with self.http.get(self.base + path) as response:
            return response.status, await response.read(), response.headers

    async def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        sent = {"json": body} if not isinstance(body, bytes | str) else {"data": body}
        async with self.http.post(self.base + path, headers=headers, **sent) as response:
            return response.status, json.loads(await response.read())

    async def ring(self, body: Any = None, path: str = HOOK, **headers: str) -> tuple[int, Any]:
        return await self.post(path, body, **({"X-Webhook-Token": SECRET} | headers))

    async def ended(self, run_id: int) -> dict[str, Any]:
        """Return the run once it has ended."""
        async with asyncio.timeout(60):
            while True:
                _, told = await self.get(f"/api/db/runs/{run_id}/summary")
                if told["run"]["status"] != "running":
                    return told["run"]
                await asyncio.sleep(0.02)

    async def runs(self) -> list[dict[str, Any]]:
        return (await self.get("/api/db/runs"))[1]["runs"]


async def token_of_an_operator(house: House) -> str:
    now = house.clock.now()

    def make(connection: Any) -> str:
        add_account(connection, "clerk", role=Role.OPERATOR, password_hash=None, by="test", now=now)
        terms = {"account": "clerk", "scope": Scope.OPERATE, "days": None}
        return create_token(connection, "tests", **terms, by="test", now=now)[1]

    return await house.ledger.write(make)


@asynccontextmanager
async def serving(courthouse, *, with_service: bool = True, **settings: Any) -> AsyncIterator[Portal]:
    async with courthouse.open(**settings) as house:
        door = socket.create_server(("127.0.0.1", 0))
        stop = house.desk.crew.stop
        base = f"http://127.0.0.1:{door.getsockname()[1]}"
        async with asyncio.TaskGroup() as group:
            group.create_task(serve_portal(portal_for(house), door, stop))
            if with_service:
                service = Service(house.desk, house.apps, Silence(), house.clock, look_every_seconds=0.1)
                group.create_task(service.serve(stop))
            key = {"Authorization": f"Bearer {await token_of_an_operator(house)}"}
            async with aiohttp.ClientSession(headers=key) as http:
                yield Portal(house, base, http)
            stop.set()


@pytest.fixture
async def portal(courthouse) -> AsyncIterator[Portal]:
    courthouse.write_config()
    async with serving(courthouse, webhook_secret=SECRET) as portal:
        yield portal


@pytest.fixture
async def portal_anywhere(anywhere, courthouse) -> AsyncIterator[Portal]:
    """The same on SQLite and files, and on Postgres and Redis."""
    courthouse.write_config()
    async with serving(courthouse, webhook_secret=SECRET) as portal:
        yield portal


@pytest.fixture
async def idle_portal(courthouse) -> AsyncIterator[Portal]:
    """A portal whose runs nobody walks."""
    courthouse.write_config()
    async with serving(courthouse, with_service=False, webhook_secret=SECRET) as portal:
        yield portal


# -- starting and resuming ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cases", [40], indirect=True)
async def test_a_scrape_started_over_http_archives_everything_and_is_told_in_full(
    portal_anywhere, courthouse, archive
) -> None:
    portal, wanted = portal_anywhere, courthouse.wanted()

    status, begun = await portal.post("/start", {"mode": "full"})
    run = await portal.ended(begun["run_id"])

    assert (status, begun["mode"], begun["target_source"]) == (202, "full", "unreported_judgments")
    assert await archive.archived(portal.house) == wanted
    assert (run["trigger"], run["mode"], run["run_health"]) == ("ui", "full", "ok")
    assert run["downloads_completed"] == run["coverage"]["downloaded"] == len(wanted)

    _, report = await portal.get("/report")
    _, latest = await portal.get("/api/runs/latest")
    _, in_db = await portal.get("/api/db/runs/latest")
    _, health = await portal.get(f"/api/db/runs/{run['id']}/health")
    _, short = await portal.get(f"/api/db/runs/{run['id']}/download-summary")
    _, shortest = await portal.get("/api/db/runs/latest/download-summary")
    _, cases = await portal.get("/api/downloaded-cases")
    _, of_run = await portal.get(f"/api/db/runs/{run['id']}/downloaded-cases?limit=3")
    _, failed = await portal.get("/api/db/downloaded-cases?status=failed")
    _, diff = await portal.get("/api/db/csv_versions/1/case-diff")

    assert report["run"] == latest["run"] == in_db["run"] == run
    assert {row["actions_token"] for row in report["cases"]} == set(wanted)
    assert all(set(row) == REPORT_ROW for row in report["cases"])
    assert (health["run_health"], health["ratio"], health["failed"]) == ("ok", 1.0, 0)
    assert short == shortest
    assert short["status_counts"] == {
        "pending": 0,
        "in_progress": 0,
        "downloaded": len(wanted),
        "failed": 0,
        "skipped": 0,
    }
    assert cases["total"] == len(wanted)
    assert (len(of_run["cases"]), of_run["total"]) == (3, len(wanted))
    assert of_run["next"] is not None
    assert failed["cases"] == []
    assert diff["counts"]["new"] == len(diff["new"]) == 40

    await the_archive_can_be_taken_away(portal, courthouse, wanted)


async def the_archive_can_be_taken_away(portal, courthouse, wanted) -> None:
    _, table, headers = await portal.raw("/export/csv?downloaded=true")
    _, lines, _ = await portal.raw("/export/jsonl")
    _, book, _ = await portal.raw("/api/exports/latest.xlsx")
    _, bundle, _ = await portal.raw("/download/all.zip")

    rows = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline="")))
    assert {row["action_token_raw"].removeprefix("'") for row in rows} == set(wanted)
    assert headers["content-disposition"] == 'attachment; filename="judgments.csv"'
    assert len(lines.splitlines()) == 40
    assert zipfile.ZipFile(io.BytesIO(book)).testzip() is None
    with zipfile.ZipFile(io.BytesIO(bundle)) as packed:
        documents = [packed.read(name) for name in packed.namelist() if name.endswith(".pdf")]
    assert sorted(documents) == sorted(courthouse.court.pdf(token) for token in wanted)

    _, one, kind = await portal.raw(f"/files/{rows[0]['path']}")
    assert one == courthouse.court.pdf(rows[0]["action_token_raw"])
    assert kind["content-type"] == "application/pdf"
    for outside in (
        "/files/ledger.sqlite3",
        "/files/pdfs/../ledger.db",
        "/files//etc/passwd",
        "/files/%2e%2e/x",
    ):
        assert (await portal.raw(outside))[0] == 404


async def test_resume_runs_in_mode_resume_and_a_second_run_of_a_source_is_refused(idle_portal) -> None:
    status, begun = await idle_portal.post("/resume", {"resume_strategy": "retry_failed_only"})
    busy, refused = await idle_portal.post("/start", {"mode": "full"})

    run = (await idle_portal.runs())[0]

    assert status == 202
    assert (run["mode"], run["params"]["resume_strategy"]) == ("resume", "retry_failed_only")
    assert (busy, refused["error"], refused["run_id"]) == (409, "run.source_busy", begun["run_id"])


async def test_a_form_is_as_good_as_json(idle_portal) -> None:
    status, begun = await idle_portal.post(
        "/start", "mode=full&limit=5&max_retries=", **{"Content-Type": "application/x-www-form-urlencoded"}
    )

    run = (await idle_portal.runs())[0]

    assert (status, run["id"]) == (202, begun["run_id"])
    assert (run["mode"], run["params"]["limit"]) == ("full", 5)


async def test_a_dry_run_without_an_index_says_so_and_asks_nobody(idle_portal, courthouse) -> None:
    status, told = await idle_portal.post("/start", {"mode": "full", "dry_run": True})

    assert (status, told["detail"]) == (400, "No index of 'unreported_judgments' was ever synced.")
    assert told["fix"].startswith("limpet judgments sync")
    assert await idle_portal.runs() == []
    assert courthouse.pool.log == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"mode": "everything"}, 422),
        ({"limit": 0}, 422),
        ({"modus": "full"}, 422),
        ({"target_source": "elsewhere"}, 400),
        (["full"], 400),
        ("{", 400),
        ("x" * 300_000, 400),
    ],
)
async def test_what_cannot_be_started_is_said_in_one_sentence(idle_portal, body, status) -> None:
    answered, told = await idle_portal.post("/start", body, **{"Content-Type": "application/json"})

    assert answered == status
    assert told["detail"]
    assert await idle_portal.runs() == []


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.test"}, {"Sec-Fetch-Site": "cross-site"}, {"Host": "evil.test"}]
)
async def test_no_page_of_another_site_can_start_a_scrape(idle_portal, headers) -> None:
    status, _ = await idle_portal.post("/start", {"mode": "full"}, **headers)

    assert status in (400, 403)
    assert await idle_portal.runs() == []


async def test_nothing_is_said_of_runs_that_are_not_there(idle_portal) -> None:
    for path in ("/api/runs/latest", "/api/db/runs/77/summary", "/api/db/csv_versions/9/case-diff"):
        status, told = await idle_portal.get(path)

        assert (status, bool(told["detail"])) == (404, True), path
    status, report = await idle_portal.get("/report")
    assert (status, report["run"], report["cases"]) == (200, None, [])


# -- the webhook -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cases", [30], indirect=True)
async def test_a_ring_starts_one_new_run_with_a_limit_and_answers_at_once(portal, courthouse) -> None:
    status, told = await portal.ring({"mode": "new", "new_limit": 7})
    run = await portal.ended(told["run_id"])

    assert (status, told["status"], told["mode"], told["entrypoint"]) == (202, "accepted", "new", "webhook")
    assert (run["trigger"], run["mode"], run["downloads_completed"]) == ("webhook", "new", 7)
    assert run["params"]["resume_strategy"] == "none"


async def test_without_a_secret_there_is_no_webhook(courthouse) -> None:
    courthouse.write_config()
    async with serving(courthouse, with_service=False) as portal:
        status, told = await portal.ring({})

    assert (status, told["error"]) == (404, "webhook_disabled")


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (HOOK, {"X-Webhook-Token": "wrong"}),
        (HOOK, {"X-Webhook-Token": ""}),
        (f"{HOOK}?token={SECRET}", {"X-Webhook-Token": ""}),
        (HOOK, {"X-Webhook-Token": "", "X-Webhook-Signature": "sha256=00"}),
    ],
)
async def test_a_wrong_secret_is_refused_and_nothing_starts(idle_portal, path, headers) -> None:
    status, told = await idle_portal.ring({}, path, **headers)

    assert (status, told["error"]) == (403, "invalid_token")
    assert await idle_portal.runs() == []


async def test_the_secret_may_sign_the_body_or_stand_in_the_address_when_allowed(courthouse) -> None:
    courthouse.write_config()
    body = b'{"mode": "new"}'
    signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    async with serving(
        courthouse, with_service=False, webhook_secret=SECRET, webhook_query_token=True
    ) as portal:
        signed, one = await portal.post(HOOK, body, **{"X-Webhook-Signature": f"sha256={signature}"})
        queried, other = await portal.post(f"{HOOK}?token={SECRET}", {"other": "body"})

    assert (signed, queried) == (202, 202)
    assert one["run_id"] == other["run_id"]


@pytest.mark.parametrize(("wish", "limit"), [(None, 50), (0, 1), (-3, 1), (999, 50), ("12", 12)])
async def test_the_limit_is_clamped(idle_portal, wish, limit) -> None:
    _, told = await idle_portal.ring({} if wish is None else {"new_limit": wish})

    assert told["limit"] == limit


@pytest.mark.parametrize(
    "body", [{"mode": "full"}, {"new_limit": "many"}, {"target_source": "nowhere"}, ["new"], "not json"]
)
async def test_what_a_webhook_may_not_ask_for_is_refused(idle_portal, body) -> None:
    status, told = await idle_portal.ring(body, **{"Content-Type": "application/json"})

    assert (status, told["error"]) == (400, "invalid_params")
    assert await idle_portal.runs() == []


async def test_a_burst_of_rings_makes_one_run(idle_portal) -> None:
    answers = await asyncio.gather(*(idle_portal.ring({"event": number}) for number in range(20)))

    runs = await idle_portal.runs()

    assert {status for status, _ in answers} == {202}
    assert {told["run_id"] for _, told in answers} == {runs[0]["id"]}
    assert sorted(told["status"] for _, told in answers) == ["accepted", *["joined"] * 19]
    assert len(runs) == 1


@pytest.mark.parametrize("cases", [20], indirect=True)
async def test_a_replayed_ring_makes_no_further_run(portal, courthouse) -> None:
    _, first = await portal.ring({"event": "abc"})
    await portal.ended(first["run_id"])
    seen = len(courthouse.pool.log)

    _, again = await portal.ring({"event": "abc"})

    assert (again["run_id"], again["status"]) == (first["run_id"], "replayed")
    assert len(await portal.runs()) == 1
    assert len(courthouse.pool.log) == seen


@pytest.mark.parametrize("cases", [20], indirect=True)
async def test_a_ring_that_comes_too_late_for_a_run_makes_one_more_after_it(courthouse) -> None:
    courthouse.write_config()
    courthouse.pool.set_fault("boxcdn", "latency", times=1, seconds=1.0)
    async with serving(courthouse, webhook_secret=SECRET, webhook_burst_seconds=0) as portal:
        _, first = await portal.ring({"event": 1})
        await courthouse.shore.until(lambda: courthouse.visits("boxcdn"))
        added = courthouse.court.move(add=2)["added"]
        late = [await portal.ring({"event": number}) for number in (2, 3)]
        await courthouse.shore.until(
            lambda: (
                {courthouse.court.docket.document_of(token) for token in added}
                <= courthouse.downloads().keys()
            )
        )
        runs = await portal.runs()

    assert [told["status"] for _, told in late] == ["queued", "queued"]
    assert {told["run_id"] for _, told in late} == {first["run_id"]}
    assert len(runs) == 2


@pytest.mark.parametrize(
    ("begun", "status"),
    [
        ({"mode": "full"}, "joined"),
        ({"mode": "new", "limit": 50}, "joined"),
        ({"mode": "full", "limit": 5}, "queued"),
        ({"mode": "resume"}, "queued"),
    ],
)
async def test_a_ring_joins_only_a_run_that_will_fetch_what_rang(idle_portal, begun, status) -> None:
    _, run = await idle_portal.post("/start", begun)

    _, told = await idle_portal.ring({})

    assert (told["status"], told["run_id"]) == (status, run["run_id"])


@pytest.mark.parametrize("cases", [20], indirect=True)
async def test_a_ring_for_the_registers_goes_to_the_registers_alone(courthouse) -> None:
    courthouse.write_config(courthouse.source(), courthouse.source("public_registers"))
    async with serving(courthouse, webhook_secret=SECRET) as portal:
        _, told = await portal.ring({"target_source": "public_registers", "new_limit": 2})
        run = await portal.ended(told["run_id"])

    assert (run["source"], run["downloads_completed"]) == ("public_registers", 2)
    assert courthouse.visits("court", "/public-registers/")
    assert not courthouse.visits("court", "/judgments/") + courthouse.visits("court", "/wp-content/")


@pytest.mark.parametrize("cases", [20], indirect=True)
async def test_what_failed_is_told_with_its_code_and_the_run_is_not_called_good(portal, courthouse) -> None:
    courthouse.pool.set_fault("court", "ajax_foreign_address", times=1)

    _, begun = await portal.post("/start", {"mode": "full", "max_retries": 1})
    run = await portal.ended(begun["run_id"])
    _, failed = await portal.get("/api/db/downloaded-cases?status=failed")
    _, of_run = await portal.get(
        f"/api/db/downloaded-cases?status=failed&run_id={run['id']}&source=elsewhere"
    )

    assert (run["run_health"], run["error_counts"]) == ("partial", {"invalid_box_url": 1})
    assert [case["error_code"] for case in failed["cases"]] == ["invalid_box_url"]
    assert of_run["cases"] == []


async def test_a_watchers_own_message_is_enough(idle_portal) -> None:
    status, told = await idle_portal.ring(
        "Something changed at https://court.test/",
        f"{HOOK}?mode=new&new_limit=3",
        **{"Content-Type": "text/plain"},
    )

    assert (status, told["limit"]) == (202, 3)


async def test_the_secret_is_nowhere_to_be_read(idle_portal) -> None:
    await idle_portal.ring({})

    runs = json.dumps(await idle_portal.runs())

    assert SECRET not in runs
    assert SECRET not in repr(idle_portal.house.settings)


# -- the log -----------------------------------------------------------------------------------------------


async def test_the_log_is_streamed_as_it_is_written_even_when_its_file_is_moved(idle_portal) -> None:
    log = idle_portal.house.settings.logs_dir / LATEST
    log.parent.mkdir(exist_ok=True)
    log.write_text('{"event": "one"}\n{"event": "two"}\n{"event": "un')

    heard: list[str] = []
    async with (
        asyncio.timeout(20),
        idle_portal.http.get(idle_portal.base + "/logs/stream?lines=1") as response,
    ):
        assert response.headers["content-type"].startswith("text/event-stream")
        async for line in response.content:
            if line.startswith(b"data: "):
                heard.append(json.loads(line[6:])["event"])
            if heard == ["two"]:
                log.write_text(log.read_text() + 'finished"}\n')
                heard.append("-")
            if heard[-1:] == ["unfinished"]:
                log.rename(log.with_suffix(".old"))
                log.write_text('{"event": "three"}\n')
            if heard[-1:] == ["three"]:
                break

    assert heard == ["two", "-", "unfinished", "three"]


async def test_how_many_lines_of_the_log_must_be_a_number(idle_portal) -> None:
    status, told = await idle_portal.get("/logs/stream?lines=all")

    assert (status, "lines" in told["detail"]) == (422, True)
