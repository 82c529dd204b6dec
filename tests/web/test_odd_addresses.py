"""Every route of the running app, asked for nonsense: a clear refusal, never a failure of ours."""

from __future__ import annotations

import itertools
import os
import re
from typing import Any
from urllib.parse import quote

import pytest

from limpet.web.portal import portal_for

ODD = [
    *("0", "-1", "99999999", "9223372036854775807", "9223372036854775808", "9" * 60, "1.5", "1e9", "0x10"),
    *(
        "abc",
        " ",
        "%",
        "%00",
        "\x00",
        "null",
        "NaN",
        "é",
        "\u202e",
        "\U0001f600",
    ),
    *(
        "..",
        "../../etc/passwd",
        "..\\..\\x",
        "a/b/c",
        "'; DROP TABLE jobs; --",
        "' OR 1=1 --",
        "1); DELETE FROM targets; --",
        "' UNION SELECT name FROM sqlite_master --",
        "${7*7}",
        "{{7*7}}",
    ),
    *("<script>alert(1)</script>", "javascript:alert(1)", "\r\nSet-Cookie: a=b", "a" * 4_000),
]
ODD_BYTES = ["%ff%fe", "%c0%ae%c0%ae", "%ED%A0%80", "%F5%80%80%80"]
# Every question meets every third oddity, each another third; `make soak` asks them all.
STRIDE = 1 if "SOAK_REQUESTS" in os.environ else 3
ENDLESS = {"/logs/stream"}  # an answer that is understood never ends


def routes(portal: Any) -> dict[str, list[str]]:
    """Every address of the running app, with the questions it says it understands."""

    async def listed(house: Any) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}

        def walk(some: Any) -> None:
            for route in some:
                if hasattr(route, "path") and "GET" in (getattr(route, "methods", None) or ()):
                    asked = getattr(route, "dependant", None)
                    found[route.path] = [each.name for each in asked.query_params] if asked else []
                for name in ("routes", "original_router"):
                    inner = getattr(route, name, None)
                    if inner is not None:
                        walk(getattr(inner, "routes", inner))

        walk(portal_for(house).router.routes)
        # Whoever is signed in is sent on from there; test_access looks at the entrance.
        return {path: asked for path, asked in found.items() if not path.startswith(("/enter/", "/login"))}

    return portal.do(listed)


def filled(path: str, value: str) -> str:
    return re.sub(r"\{[^}]+\}", lambda _: value, path)


def test_routes_are_found(portal: Any) -> None:
    found = routes(portal)

    assert {"/", "/runs/{run_id}", "/jobs/{job_id}/evidence", "/api/v1/runs/{run_id}/jobs"} <= set(found)
    assert {"after", "limit", "state"} <= set(found["/api/v1/runs/{run_id}/jobs"])


def test_odd_path_is_refused_and_never_fails(portal: Any) -> None:
    patterned = [path for path in routes(portal) if "{" in path]
    values = [quote(value, safe="") for value in ODD] + ODD_BYTES

    for path, value in itertools.product(patterned, values):
        answer = portal.get(filled(path, value))
        assert 400 <= answer.status < 500, (path, value, answer.status)
        is_machine = path.startswith(
            ("/api/", "/matches/", "/cricket-data/", "/files/", "/export/", "/download/")
        )
        wanted = "application/problem+json" if is_machine else "text/html; charset=utf-8"
        assert answer.headers["content-type"] == wanted, (path, value)


def test_odd_secret_opens_nothing(portal: Any) -> None:
    for value in [quote(value, safe="") for value in ODD] + ODD_BYTES:
        answer = portal.ask("GET", f"/enter/{value}")
        assert answer.status in (303, 403, 404) and "set-cookie" not in answer.headers, value


def rows(portal: Any) -> dict[str, int]:
    """How many rows the tables hold that nothing here may change."""

    async def count(house: Any) -> dict[str, int]:
        def ask(connection: Any) -> dict[str, int]:
            return {
                name: connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar()
                for name in ("targets", "jobs", "runs", "prices", "accounts", "sources")
            }

        return await house.ledger.read(ask)

    return portal.do(count)


def test_odd_question_never_fails(portal: Any) -> None:
    before = rows(portal)
    understood = [
        (path, name) for path, names in routes(portal).items() for name in names if path not in ENDLESS
    ]
    asked = [(path.replace("{run_id}", str(portal.run.id)), name) for path, name in understood]
    plain = [("/", "unheard_of"), ("/static/limpet.css", "v"), ("/health", "unheard_of")]
    values = [quote(value, safe="") for value in ODD] + ODD_BYTES

    for place, (path, name) in enumerate([*asked, *plain]):
        for value in values[place % STRIDE :: STRIDE]:
            answer = portal.get(f"{path}?{name}={value}")
            assert answer.status in (200, 303, 404, 422), (path, name, value, answer.status)
            # A search that means one case leads to it, never elsewhere.
            assert re.match(r"/[^/\\]", answer.headers.get("location", "/x")), (path, name, value)
    assert rows(portal) == before


@pytest.mark.parametrize(
    "path", ["//evil.test/", "/runs/", "/RUNS", "/static/", "/static/../portal.py", "/api/v2/runs"]
)
def test_address_that_is_nothing_is_not_found(portal: Any, path: str) -> None:
    answer = portal.get(path)

    assert answer.status == 404
    assert "location" not in answer.headers


@pytest.mark.parametrize("path", ["/api/v1/adapters/nope", "/api/v1/sources/nope", "/api/v1/runs/99999"])
def test_a_thing_that_is_not_there_is_not_found_whatever_its_kind(portal: Any, path: str) -> None:
    answer = portal.get(path)

    assert (answer.status, answer.json()["status"]) == (404, 404)


@pytest.mark.parametrize("path", ["/targets", "/prices", "/audit", "/dockets/cases"])
def test_control_characters_of_a_search_are_not_echoed(portal: Any, path: str) -> None:
    answer = portal.get(f"{path}?search=%00%1Bteal%07")

    assert answer.status == 200
    assert 'value="teal"' in answer.text
    assert not {"\x00", "\x1b", "\x07"} & set(answer.text)


@pytest.mark.parametrize("reason", ["tide\x00table", "\x1b[31mred", "rings\x07"])
def test_a_reason_with_control_characters_is_refused_before_anything_is_done(
    portal: Any, reason: str
) -> None:
    answer = portal.post("/api/v1/sources/shop/disable", {"reason": reason})
    source = portal.get("/api/v1/sources/shop").json()

    assert (answer.status, answer.json()["errors"][0]["where"]) == (422, ["body", "reason"])
    assert source["gate"]["is_open"]
