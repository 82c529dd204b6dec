"""What the portal refuses, and what it promises every browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

PAGES = ["/", "/runs", "/sources", "/sources/hostile", "/prices", "/politeness", "/api", "/nowhere"]


class Markup(HTMLParser):
    """Collects what an attacker would want to see."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str | None] = []
        self.handlers: list[str] = []
        self.links: list[str] = []
        self.styled: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        if tag == "script":
            self.scripts.append(names.get("src"))
        self.handlers += [name for name in names if name.startswith("on")]
        self.styled += [tag for name in names if name == "style"]
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action")]


def read(text: str) -> Markup:
    markup = Markup()
    markup.feed(text)
    return markup


@pytest.mark.parametrize("path", [*PAGES, "/health", "/api/v1/runs", "/metrics", "/static/live.js"])
def test_every_answer_carries_the_promises(portal: Any, path: str) -> None:
    headers = portal.get(path).headers

    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy and "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "server" not in headers


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:80", "localhost.evil.test", "", "[::1", "a" * 300, "é.test"]
)
def test_strange_host_is_refused(portal: Any, host: str) -> None:
    answer = portal.get("/", host=host.encode("utf-8").decode("latin-1"))

    assert answer.status == 400
    assert "does not answer to that name" in answer.text


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8787", "127.0.0.1:1", "[::1]:80", "limpet.localhost", "10.0.0.7"]
)
def test_names_of_this_machine_and_addresses_are_answered(portal: Any, host: str) -> None:
    assert portal.get("/", host=host).status == 200


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", "/api/v1/runs"])
def test_methods_nobody_needs_are_refused(portal: Any, method: str, path: str) -> None:
    answer = portal.get(path, method=method)

    assert answer.status == 405
    assert "GET" in answer.headers["allow"] and method not in answer.headers["allow"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_what_is_only_read_cannot_be_changed(portal: Any, method: str) -> None:
    assert portal.get("/", method=method).status == 405


def test_head_is_a_get_without_its_body(portal: Any) -> None:
    answer = portal.get("/", method="HEAD")

    assert answer.status == 200
    assert answer.body == b""


def hostile_pages(portal: Any) -> list[str]:
    listed = portal.get("/prices?source=hostile").text
    product = re.search(r'href="(/prices/hostile/[^"]+)"', listed)
    assert product is not None
    run = portal.hostile_run.id
    return [
        *("/", "/sources", "/sources/hostile", "/prices", "/runs", f"/runs/{run}", product[1]),
        f"/jobs/{portal.hostile_job}/evidence",
        "/prices?search=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "/prices?source=%27%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
        "/%3Cscript%3Ealert(1)%3C/script%3E",
        "/runs?state=%3Cscript%3E",
        "/sources/%3Csvg%20onload%3Dalert(1)%3E",
    ]


def test_scraped_text_never_becomes_markup(portal: Any) -> None:
    for path in hostile_pages(portal):
        answer = portal.get(path)
        markup = read(answer.text)

        assert answer.status in (200, 404, 422), path
        scripts = [(script or "").partition("?")[0] for script in markup.scripts]
        assert scripts == ["/static/live.js", "/static/keys.js"], path
        assert markup.handlers == [] and markup.styled == [], path


def test_links_lead_only_to_the_web_or_to_ourselves(portal: Any) -> None:
    for path in hostile_pages(portal):
        for link in read(portal.get(path).text).links:
            assert link.startswith(("/", "#", "http://", "https://")), (path, link)
            assert not link.startswith("//"), (path, link)


def test_errors_for_machines_are_problems_and_for_people_pages(portal: Any) -> None:
    for_machines, for_people = portal.get("/api/v1/runs/99999"), portal.get("/runs/99999")

    assert for_machines.headers["content-type"] == "application/problem+json"
    assert for_machines.json()["status"] == 404
    assert for_machines.json()["code"] == "run.unknown"
    assert for_people.headers["content-type"] == "text/html; charset=utf-8"
    assert "There is no run 99999." in for_people.text


def test_no_page_names_another_origin_for_anything_it_loads(portal: Any) -> None:
    for path in PAGES:
        text = portal.get(path).text

        loads = re.findall(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="([^"]+)"', text)
        assert loads and all(each.startswith("/static/") for each in loads), path
