"""Whatever the pages can do, the API can: every form of the portal has its operation, and every page its answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import limpet.web
from limpet.web.api.description import operations

TEMPLATES = Path(limpet.web.__file__).parent / "templates"
# By another name than on the page; every other form is asked for below /api/v1 as it stands.
ELSEWHERE = {
    "/sources/{source_id}/run": "/api/v1/runs",
    "/targets/import": "/api/v1/targets/upload",
    "/matches/recycle": "/admin/recycle",
    "/prices/corrections/apply": "/api/v1/prices/corrections",
}
PAGES_ELSEWHERE = {"/": "/api/v1/sources"}
# Of a browser and its session: a program has a token instead. And the API's own guide.
FOR_PEOPLE = {
    "/login",
    "/logout",
    "/enter/{secret}",
    "/api",
    "/api/docs",
    "/api/openapi.json",
    "/live",
    "/logs/stream",
    "/metrics",
    "/static/{name}",
}


@pytest.fixture(scope="module")
def document(portal: Any) -> dict[str, Any]:
    found: dict[str, Any] = portal.get("/api/openapi.json").json()
    return found


def unwritten(portal: Any, document: dict[str, Any], method: str) -> list[str]:
    """Every path the app answers that the description does not speak of: those of the pages."""
    told = {(verb.upper(), path) for path, verb, _ in operations(document)}
    listed = {(verb, re.sub(r":path\}", "}", path)) for verb, path in portal.routes()}
    return sorted(path for verb, path in listed - told if verb == method and path not in FOR_PEOPLE)


def answers(document: dict[str, Any], method: str, path: str) -> bool:
    """Whether an operation of the API stands there; a name in one path may be a word in the other."""
    asked = path.split("/")
    for known, verb, _ in operations(document):
        theirs = known.split("/")
        if verb.upper() == method and _fits(asked, theirs):
            return True
    return False


def test_every_form_has_its_operation(portal: Any, document: dict[str, Any]) -> None:
    forms = unwritten(portal, document, "POST")

    asked = {path: ELSEWHERE.get(path, f"/api/v1{path}") for path in forms}

    assert len(forms) > 20
    assert {path: wanted for path, wanted in asked.items() if not answers(document, "POST", wanted)} == {}


def test_every_page_has_its_answer(portal: Any, document: dict[str, Any]) -> None:
    pages = unwritten(portal, document, "GET")

    asked = {path: PAGES_ELSEWHERE.get(path, f"/api/v1{path}") for path in pages}

    assert len(pages) > 15
    assert {path: wanted for path, wanted in asked.items() if not answers(document, "GET", wanted)} == {}


def test_every_form_in_a_template_leads_to_a_route(portal: Any) -> None:
    posts = [path.split("/") for method, path in portal.routes() if method == "POST"]
    said = {
        re.sub(r"\{\{.*?\}\}", "*", action)
        for template in TEMPLATES.glob("*.html")
        for action in re.findall(r'<form[^>]*method="post"[^>]*action="([^"]+)"', template.read_text())
    }

    astray = {action for action in said if not any(_fits(action.split("/"), path) for path in posts)}

    assert len(said) > 15
    assert astray == set()


def _fits(action: list[str], path: list[str]) -> bool:
    pairs = zip(action, path, strict=False)
    return len(action) == len(path) and all(b.startswith("{") or a == b for a, b in pairs)


def test_every_operation_says_what_it_does_who_may_and_what_repeats(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        where = f"{method} {path}"
        headers = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "header"}

        assert operation["description"] and operation["operationId"] and operation["tags"], where
        assert operation["security"] or path.startswith("/webhook/") or "health" in path or path == "/ready"
        if path.startswith("/api/v1/"):
            assert ("Idempotency-Key" in headers) == (method == "post"), where
            assert ("If-None-Match" in headers) == (method == "get"), where
            assert "application/problem+json" in str(operation["responses"]) or "health" in path, where


def test_every_body_and_answer_has_an_example_that_fits_its_schema(document: dict[str, Any]) -> None:
    seen, wrong = 0, []
    for path, method, operation in operations(document):
        contents = list(operation.get("requestBody", {}).get("content", {}).items())
        for answer in operation["responses"].values():
            contents += answer.get("content", {}).items()
        for kind, content in contents:
            if "schema" not in content or "json" not in kind:
                continue
            seen += 1
            whole = {**content["schema"], "components": document["components"]}
            objections = jsonschema_rs.iter_errors(whole, content.get("example", "none was given"))
            wrong += [f"{method} {path}: {each}" for each in objections]

    assert wrong == []
    assert seen > 300


@pytest.mark.parametrize("path", ["/api/v1/runs", "/api/v1/alerts", "/api/v1/accounts", "/api/v1/adapters"])
def test_every_list_has_its_tag(portal: Any, path: str) -> None:
    first = portal.get(path)

    again = portal.get(path, **{"If-None-Match": first.headers["etag"]})

    assert set(first.json()) == {"items", "next"}
    assert again.status == 304
