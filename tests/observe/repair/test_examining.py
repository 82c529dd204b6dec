"""Whatever the two pages are, they are compared or it is said why not; nothing on them makes the examination fail."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import limpet.apps.prices.sites.tidepool_shop as tidepool_shop
from limpet.apps.prices.sites.auto import SITE as AUTO
from limpet.extract import Site
from limpet.fetch.page import Page
from limpet.observe.repair import Exhibit, Findings, bundle_files, examine
from limpet.record.broken_pages import BrokenPages, KeptPage
from limpet.target import Target

SITE = tidepool_shop.SITE
FIXTURES = Path(tidepool_shop.__file__).parent / "fixtures"
URL = "https://shop.tidepool.localhost/product/a/b/"


def read(site: Site, page: Page, target: Target) -> Any:
    return site.page_model.read(page, target)


def exhibit(body: bytes, *, job_id: int, state: str = "failed", sha: str = "") -> Exhibit:
    kept = KeptPage(
        job_id, 1, 7, "shop", URL, URL, "tidepool.localhost", None, state, None, None,
        datetime(2026, 1, 1, tzinfo=UTC), "1.1.0", sha or f"sha-{job_id}", "text/html", "utf-8", 200,
    )  # fmt: skip
    return Exhibit(kept, body)


def good_body() -> bytes:
    cases = sorted(FIXTURES.glob("*/expected.json"))
    records = [(path, json.loads(path.read_text()).get("record", {})) for path in cases]
    good = next(path for path, record in records if record.get("availability") == "in_stock")
    return good.with_name("page.html").read_bytes()


def found(good: Exhibit | None, bad: Exhibit | None) -> Findings:
    pages = BrokenPages(good.kept if good else None, bad.kept if bad else None)
    return examine(pages, good, bad, site=SITE, general=AUTO, read=read)


HOSTILE = [
    b"", b"\x00\x01", b"%PDF-1.4", b"{}", b"[[[[", b"<div>" * 5_000, b"<p>hi", b'{"a": ' * 200,
    b"<a<b class=x>1</a<b>", b'<script type="application/ld+json">{"@type": "Product", "offers": [[[]]]}</script>x',
    "<p class='price'>\ud83d\ude00</p>".encode("utf-16", "surrogatepass"),
]  # fmt: skip


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("is_good", [False, True])
def test_no_page_makes_the_examination_fail(body: bytes, is_good: bool) -> None:
    pages = [exhibit(body, job_id=1), exhibit(good_body(), job_id=2)]
    good, bad = pages if is_good else reversed(pages)

    findings = found(good, bad)
    files = bundle_files(findings, good, bad, site=SITE, general=AUTO, read=read)

    assert {"README.md", "findings.json", "structure.md"} <= set(files)


def test_the_same_bytes_are_told_as_a_change_of_ours() -> None:
    body = good_body()

    findings = found(exhibit(body, job_id=1, sha="same"), exhibit(body, job_id=2, sha="same"))

    assert any("our reading of it did" in each for each in findings.remarks)
    assert findings.expected is None  # it reads well: there is nothing a test could ask for


def test_a_product_that_is_sold_out_now_is_told_as_one() -> None:
    body = good_body()
    changes = {b"InStock": b"OutOfStock", b"In stock": b"Out of stock", b"in-stock": b"out-of-stock"}
    changes |= {b"instock": b"outofstock", b"Add to cart": b"Sold out", b"woocommerce-Price-amount": b"px-1"}
    sold_out = body
    for old, new in changes.items():
        sold_out = sold_out.replace(old, new)

    findings = found(exhibit(body, job_id=1), exhibit(sold_out, job_id=2))

    assert any("sold out" in each for each in findings.remarks)
