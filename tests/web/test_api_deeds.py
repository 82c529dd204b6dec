"""What programs do by the API, over real HTTP: accounts, tokens, quarantine, corrections, files of targets."""

from __future__ import annotations

import json
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import select, update

from limpet.apps.prices.review import list_quarantined
from limpet.apps.prices.tables import prices

CSV = """url,source,priority,tags
{0}/product/uploaded/one/,shop,7,spring;sale
nonsense,shop,,
,,,
{0}/product/uploaded/one/,,,
"""


def base_of(playground: Any) -> str:
    target = playground.get("/api/v1/targets?source=shop&limit=1").json()["items"][0]
    return str(target["url"].partition("/product/")[0])


def multipart(files: dict[str, tuple[str, bytes]], **fields: str) -> tuple[dict[str, str], bytes]:
    """Return headers and body as a browser sends them."""
    edge = "----limpet"
    parts = [
        f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    for name, (filename, body) in files.items():
        head = f'--{edge}\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"\r\n'
        parts.append(head.encode() + b"Content-Type: text/csv\r\n\r\n" + body + b"\r\n")
    body = b"".join(parts) + f"--{edge}--\r\n".encode()
    return {"Content-Type": f"multipart/form-data; boundary={edge}"}, body


def speak(playground: Any, token: str, path: str, body: Any = None, **headers: str) -> Any:
    said = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers
    return playground.ask("POST", path, headers=said, body=json.dumps(body or {}).encode())


# -- files of targets -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["api", "page"])
def test_a_file_of_targets_gets_an_answer_for_every_line(playground: Any, way: str) -> None:
    base = base_of(playground)
    table = CSV.format(base).replace("uploaded", f"uploaded-{way}").encode("utf-8-sig")
    fields = {"source": "shop"} | ({"csrf": playground.csrf, "table": ""} if way == "page" else {})
    headers, body = multipart({"file": ("targets.csv", table)}, **fields)
    if way == "page":
        headers |= {"Cookie": f"limpet_session={playground.session}", "Origin": playground.base}
        answer = playground.ask("POST", "/targets/import", headers=headers, body=body)
        told = [answer.text.count(word) for word in (">created", ">duplicate", 'bad">error')]
    else:
        headers |= {"Authorization": f"Bearer {playground.token}"}
        answer = playground.ask("POST", "/api/v1/targets/upload", headers=headers, body=body)
        results = [line["result"] for line in answer.json()["lines"]]
        told = [results.count(word) for word in ("created", "duplicate", "error")]
    kept = playground.get(f"/api/v1/targets?search=uploaded-{way}").json()["items"]

    assert answer.status == 200
    assert [len(kept), kept[0]["priority"], kept[0]["tags"]] == [1, 7, ["spring", "sale"]]
    assert told == [1, 1, 1]


@pytest.mark.parametrize(
    ("body", "word"),
    [(b"\xff\xfe\x00", "UTF-8"), (b"url\n" + b"x" * 4_000_001, "longer"), (b'url\n"a', "line")],
)
def test_a_file_that_is_no_table_is_refused_with_what_to_do(playground: Any, body: bytes, word: str) -> None:
    headers, sent = multipart({"file": ("t.csv", body)}, source="shop")

    answer = playground.ask(
        "POST",
        "/api/v1/targets/upload",
        headers=headers | {"Authorization": f"Bearer {playground.token}"},
        body=sent,
    )

    assert answer.status == 400 and word in answer.json()["detail"] and answer.json()["fix"]


def test_one_target_is_told_with_its_history(playground: Any) -> None:
    chosen = playground.get("/api/v1/targets?source=shop&limit=1").json()["items"][0]

    told = playground.get(f"/api/v1/targets/{chosen['id']}").json()

    assert told["target"] == chosen and told["jobs"][0]["target_id"] == chosen["id"]
    assert playground.get(f"/api/v1/targets/{2**62}").status == 404


# -- who may come in ------------------------------------------------------------------------------------------


def test_an_account_is_added_changed_and_removed(playground: Any) -> None:
    added = playground.post("/api/v1/accounts", {"name": "robot", "role": "viewer"})
    entered = playground.ask("GET", added.json()["path"])
    changed = playground.post("/api/v1/accounts/robot/role", {"role": "operator"})
    again = playground.post("/api/v1/accounts/robot/link")
    listed = {each["name"]: each for each in playground.get("/api/v1/accounts").json()["items"]}
    removed = playground.post("/api/v1/accounts/robot/remove", {"reason": "no longer needed"})

    assert added.status == again.status == 201 and added.headers["cache-control"] == "no-store"
    assert entered.status == 303 and "limpet_session" in entered.headers["set-cookie"]
    assert changed.json()["role"] == listed["robot"]["role"] == "operator"
    assert removed.json() == {"ok": True, "count": 1}
    assert playground.post("/api/v1/accounts/robot/link").status == 404
    assert "robot" not in str(playground.get("/api/v1/accounts").json())


def test_a_token_is_shown_once_even_to_whoever_repeats_the_request(playground: Any) -> None:
    key = {"Idempotency-Key": "token-once"}
    first = playground.post("/api/v1/account/tokens", {"name": "export", "scope": "read"}, **key)
    second = playground.post("/api/v1/account/tokens", {"name": "export", "scope": "read"}, **key)
    listed = playground.get("/api/v1/account/tokens").json()["items"]
    ended = playground.post(f"/api/v1/account/tokens/{first.json()['id']}/revoke", {"reason": "done"})

    async def kept(house: Any) -> Any:
        ask = "SELECT count(*) FROM idempotency_keys WHERE body LIKE '%lmp_%'"
        return await house.ledger.read(
            lambda connection: connection.exec_driver_sql(ask.replace("%", "%%")).scalar()
        )

    assert first.status == 201 and second.status == 409 and "secret" in second.json()["detail"]
    assert [each["name"] for each in listed].count("export") == 1
    assert ended.status == 200
    assert playground.do(kept) == 0


def test_no_token_makes_itself_mightier(playground: Any) -> None:
    made = {
        scope: playground.post("/api/v1/account/tokens", {"name": scope, "scope": scope}).json()["token"]
        for scope in ("read", "operate")
    }

    by_reader = speak(playground, made["read"], "/api/v1/account/tokens", {"name": "x", "scope": "read"})
    by_operator = speak(
        playground, made["operate"], "/api/v1/account/tokens", {"name": "x", "scope": "admin"}
    )
    by_form = playground.ask(
        "POST",
        "/account/tokens",
        headers={
            "Authorization": f"Bearer {made['operate']}",
            "Content-Type": "application/x-www-form-urlencoded",
        },
        body=b"name=x&scope=admin",
    )
    equal = speak(playground, made["operate"], "/api/v1/account/tokens", {"name": "x", "scope": "operate"})
    password = speak(
        playground, made["operate"], "/api/v1/account/password", {"old": "", "new": "four words in a row"}
    )

    assert [by_reader.status, by_operator.status, by_form.status, equal.status] == [403, 403, 403, 201]
    assert password.status == 403  # the account has none yet: a found token must not take it over
    assert (
        speak(playground, made["operate"], "/api/v1/accounts", {"name": "y", "role": "admin"}).status == 403
    )


# -- what people decide about records -------------------------------------------------------------------------


def test_quarantine_is_listed_and_decided(playground: Any) -> None:
    async def read(house: Any) -> Any:
        return await house.ledger.read(partial(list_quarantined, limit=3))

    waiting = playground.do(read)
    listed = playground.get("/api/v1/quarantine?limit=3").json()["items"]
    one = listed[-1]["id"]
    wordless = playground.post(f"/api/v1/quarantine/{one}/reject", {"reason": "  "})
    rejected = playground.post(f"/api/v1/quarantine/{one}/reject", {"reason": "no offer at all"})
    twice = playground.post(f"/api/v1/quarantine/{one}/accept", {"reason": "on second thought"})

    assert [each["id"] for each in listed] == [each.id for each in waiting]
    assert wordless.status == 422
    assert rejected.json()["status"] == "rejected"
    assert twice.status == 400 and "already" in twice.json()["detail"]
    assert playground.get(f"/api/v1/quarantine/{one}").json()["status"] == "rejected"


def test_a_quarantined_record_is_corrected(playground: Any) -> None:
    one = playground.get("/api/v1/quarantine").json()["items"][0]["id"]
    meant = {
        "price_cents": 1999,
        "availability": "in_stock",
        "title": "As the page means it",
        "currency": "USD",
    }

    answer = playground.post(f"/api/v1/quarantine/{one}/correct", {"reason": "the sale price"} | meant)

    assert answer.status == 200, answer.text
    assert answer.json()["status"] == "corrected"


def test_a_correction_is_previewed_laid_over_and_revoked(playground: Any) -> None:
    wanted = {"action": "IGNORE", "scope": "source", "scope_id": "shop", "reason": "a test"}

    effect = playground.post("/api/v1/prices/corrections/preview", wanted).json()
    untouched = playground.get("/api/v1/prices/corrections").json()["items"]
    applied = playground.post("/api/v1/prices/corrections", wanted)
    revoked = playground.post(f"/api/v1/prices/corrections/{applied.json()['id']}/revoke", {"reason": "over"})
    listed = playground.get("/api/v1/prices/corrections").json()["items"]

    assert effect["changed"] > 0 and effect["hidden"] == effect["changed"]
    assert len(listed) == len(untouched) + 1
    assert applied.status == 201 and revoked.status == 200 and listed[0]["revoked_by"] == "tester"


@pytest.mark.parametrize(
    "wrong", [{"action": "MULTIPLIER"}, {"factor": "2"}, {"scope": "planet"}, {"starts_at": "yesterday"}]
)
def test_a_correction_nobody_can_mean_is_refused(playground: Any, wrong: dict[str, str]) -> None:
    body = {"action": "IGNORE", "scope": "source", "scope_id": "shop", "reason": "a test"} | wrong

    assert playground.post("/api/v1/prices/corrections", body).status == 422


def test_a_run_is_ignored_and_heeded_and_a_source_trusted(playground: Any) -> None:
    path = f"/api/v1/prices/corrections/runs/{playground.hostile_run.id}"
    trust = {"source": "hostile", "visible": False, "reason": "never"}

    ignored = playground.post(f"{path}/ignore", {"reason": "a test"})
    listed = playground.get("/api/v1/prices/ignored-runs").json()["items"]
    heeded = playground.post(f"{path}/heed", {"reason": "over"})
    told = playground.post("/api/v1/prices/corrections/trust", trust)

    assert ignored.status == heeded.status == told.status == 200
    assert listed[0]["run_id"] == playground.hostile_run.id and listed[0]["revoked_at"] is None
    assert {each["source_id"] for each in playground.get("/api/v1/prices/trust").json()["items"]} >= {
        "hostile"
    }


# -- what is to be seen ---------------------------------------------------------------------------------------


def test_evidence_of_a_job_is_told_and_its_page_given_as_text(playground: Any) -> None:
    told = playground.get(f"/api/v1/jobs/{playground.hostile_job}/evidence").json()
    page = playground.get(f"/api/v1/jobs/{playground.hostile_job}/evidence/source")

    assert told["job"]["id"] == playground.hostile_job and told["requests"][0]["url"]
    assert told["snapshot"]["raw_bytes"] == len(page.body)
    assert page.headers["content-type"] == "text/plain; charset=utf-8"


def test_an_adapter_is_tried_on_its_recorded_pages_and_the_last_time_is_told(playground: Any) -> None:
    flown = playground.post("/api/v1/adapters/tidepool_shop/canary", {"pages": 5}).json()
    kept = playground.get("/api/v1/adapters/tidepool_shop/canary").json()
    page = playground.get("/adapters/tidepool_shop").text

    assert flown["pages"] == 5 == sum(flown["changes"].values())
    # Its page was made up, and never said what is on record of it.
    assert [each["job_id"] for each in flown["worse"]] == [playground.hostile_job] and not flown["is_good"]
    assert {name: kept[name] for name in flown} == flown and kept["at"] and kept["by"]
    assert flown["sentence"] in page
    assert playground.get("/api/v1/adapters/midwayusa/canary").status == 404
    assert playground.post("/api/v1/adapters/crex/canary", {}).status == 400


def test_recorded_pages_are_read_again_by_a_program(playground: Any) -> None:
    report = playground.post("/api/v1/reextractions", {"app": "prices", "limit": 20}).json()
    refused = playground.post("/api/v1/reextractions", {"app": "judgments"})
    run_id = playground.get("/api/v1/runs").json()["items"][0]["id"]

    assert report["pages"] == 20 == sum(report["changes"].values()) and report["recorded"] == 0
    assert refused.status == 400 and "keeps the PDFs themselves" in refused.json()["detail"]
    assert playground.get(f"/api/v1/runs/{run_id}/rereading").status == 404


def test_a_rereading_is_shown_before_and_after_by_page_and_by_program(playground: Any) -> None:
    with playground.house.ledger.engine.begin() as connection:
        row = connection.execute(select(prices).where(prices.c.source_id == "shop").limit(1)).one()
        connection.execute(update(prices).where(prices.c.id == row.id).values(price_cents=123))
    wish = {
        "app": "prices",
        "run": row.ingestion_run_id,
        "source": "shop",
        "apply": True,
        "reason": "misread",
    }

    report = playground.post("/api/v1/reextractions", wish).json()
    run_id = report["runs"][0]["run_id"]
    told = playground.get(f"/api/v1/runs/{run_id}/rereading").json()
    page = playground.get(f"/runs/{run_id}").text
    earlier = playground.get(f"/runs/{row.ingestion_run_id}").text
    job = playground.get(f"/api/v1/jobs/{told['items'][0]['job_id']}/evidence").json()["job"]
    history = playground.get(f"/prices/shop/{quote(row.identity_key, safe='')}").text

    assert report["fields"] == {"price_cents": 1} and report["recorded"] == 1
    (pair,) = told["items"]
    assert pair["fields"] == {"price_cents": [123, row.price_cents]} and pair["observed_by"] == row.job_id
    assert told["outcomes"] == [{"before": "succeeded", "after": "succeeded", "pages": 1}]
    assert "Before and after" in page and "$1.23" in page and "misread" in page
    assert f'<a href="/runs/{run_id}">run {run_id}</a>' in earlier
    assert job["rereads"] == row.job_id and "read again" in history and "$1.23" not in history


def test_adapters_alerts_politeness_and_stops_are_told(playground: Any) -> None:
    adapters = {each["adapter_id"] for each in playground.get("/api/v1/adapters").json()["items"]}
    adapter = playground.get("/api/v1/adapters/tidepool_shop").json()
    audience = playground.get("/api/v1/alerts/audience").json()
    domains = [each["domain"] for each in playground.get("/api/v1/politeness").json()["items"]]

    assert "tidepool_shop" in adapters and "shop" in adapter["sources"] and adapter["version"]
    assert audience == {"destinations": [], "quiet_hours": None, "is_quiet_now": False}
    assert playground.get(f"/api/v1/politeness/{domains[0]}").json()["items"][0]["requests"] > 0
    assert playground.get("/api/v1/stop").json() == {"items": [], "next": None}
    assert playground.get("/api/v1/prices/changes?visibility=operator&days=30").status == 200
