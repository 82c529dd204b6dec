"""A site written from one saved page reads that page as a hand-written one does, or nothing is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest
from msgspec.structs import replace

from limpet.apps.prices.scaffold.proving import loaded_from
from limpet.assembly import all_sites
from limpet.cli import main
from limpet.configuration import load_config
from limpet.extract import Extraction, Unreadable
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of
from tidepool import Tidepool

PAGES = Path(__file__).parents[3].parent / "shared" / "pages"
SAVED = [
    ("sgammo", "sgammo-in-stock.html", "https://sgammo.com/product/9mm-luger-ammo/90226/", "woocommerce"),
    (
        "midwayusa",
        "midwayusa-in-stock.html",
        "https://www.midwayusa.com/product/100155156?pid=186680",
        "json_ld",
    ),
    (
        "brownells",
        "brownells-in-stock.html",
        "https://www.brownells.com/ammunition/shotgun-ammunition/top-gun-light-ammo-12-gauge-2-34-1-18-oz-8-shot/"
        "?sku=105200890",
        "json_ld",
    ),
    (
        "primary_arms",
        "primaryarms-in-stock.json",
        "https://www.primaryarms.com/api/items?c=3901023&country=US&currency=USD&fieldset=details"
        "&url=pmc-ammunition-x-tac-5.56-nato-55-gr-fmj-bt-box-of-20",
        "json_api",
    ),
]
FACTS = ("title", "price_cents", "currency", "availability", "retailer_sku")
URL = "https://corner.example.com/p/blue-reel"
CORNER = (
    '<html><head><title>Blue Reel - Corner</title></head><body><header><p class="stock">Available online</p></header>'
    '<main><div class="buybox"><h1 class="name">Blue Reel</h1><p class="css-1a2b3c price-now">$19.99</p>'
    '<p class="availability">In stock</p><span class="sku">Item: BR-100</span><button>Add to cart</button></div>'
    '</main></body></html>'
)  # fmt: skip
STATED = (
    '<script type="application/ld+json">{"@type":"Product","name":"Blue Reel","offers":'
    '{"price":"29.99","priceCurrency":"USD","availability":"InStock"}}</script></head>'
)

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Say:
    """Say `limpet new site` about a page, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def new_site(site_id: str, body: str | bytes, url: str = URL, *more: str) -> tuple[int, str, str]:
        file = tmp_path / "saved"
        file.write_bytes(body if isinstance(body, bytes) else body.encode())
        code = main(["new", "site", site_id, "--from", str(file), "--url", url, *more])
        file.unlink()
        return (code, *capfd.readouterr())

    return new_site


def page_of(body: bytes, url: str) -> tuple[Page, Target]:
    kind = "application/json" if body.lstrip()[:1] == b"{" else "text/html"
    address = canonicalize(url, http_only=url.startswith("http:"))
    page = Page(url, url, 200, {"content-type": kind}, body, datetime(2026, 1, 1, tzinfo=UTC))
    return page, Target("shop", address, url, lane_of(address))


def facts(reading: Any) -> dict[str, Any]:
    assert isinstance(reading, Extraction), reading
    return {name: getattr(reading.record, name) for name in FACTS}


def must_read_alike(folder: Path, site_id: str, body: bytes, url: str) -> None:
    """Compare the written site with the hand-written one on the page, and replay what it wrote."""
    page, target = page_of(body, url)
    by_hand = all_sites().get(site_id).page_model.read(page, target)
    with loaded_from(folder.name, folder) as site:
        assert facts(site.page_model.read(page, target)) == facts(by_hand)
        for case in (folder / "fixtures").iterdir():
            expected = json.loads((case / "expected.json").read_text())
            kept = next(each for each in case.iterdir() if each.stem == "page").read_bytes()
            reading = site.page_model.read(replace(page, body=kept), target)
            if expected["outcome"] == "extraction":
                assert {name: facts(reading)[name] for name in expected["record"]} == expected["record"]
            else:
                assert isinstance(reading, Unreadable) and reading.reason.value == expected["reason"]


@pytest.mark.skipif(not PAGES.exists(), reason="the saved pages are not part of the project")
@pytest.mark.parametrize(("site_id", "name", "url", "model"), SAVED, ids=[each[0] for each in SAVED])
def test_a_site_written_from_a_real_page_reads_it_as_the_hand_written_one(
    say: Say, tmp_path: Path, site_id: str, name: str, url: str, model: str
) -> None:
    body = (PAGES / name).read_bytes()

    code, out, err = say("written", body, url)

    assert code == 0, err
    assert f"read by the model {model}" in out
    must_read_alike(tmp_path / "written", site_id, body, url)
    assert all(
        path.stat().st_size < 8_000 for path in (tmp_path / "written").rglob("page.*")
    )  # facts, no copy


async def saved_from(pool: Tidepool, shop: str) -> tuple[str, bytes]:
    product = next(iter(pool.site(shop).catalogue))
    path = product.path if shop != "primary" else f"/api/items?fieldset=details&url={product.path.strip('/')}"
    url = pool.url(shop, path)
    place = urlsplit(url)
    async with aiohttp.ClientSession() as session:
        there = f"http://127.0.0.1:{place.port}{path}"
        async with session.get(there, headers={"Host": place.netloc}) as answer:
            return url, await answer.read()


async def test_a_site_written_from_each_pretend_shop_reads_it_as_the_hand_written_one(
    say: Say, tmp_path: Path
) -> None:
    sites = {"shop": "tidepool_shop", "midway": "midwayusa", "brown": "brownells", "primary": "primary_arms"}
    async with Tidepool(products=4, plain=True) as pool:
        for shop, site_id in sites.items():
            url, body = await saved_from(pool, shop)

            code, _, err = say(f"new_{shop}", body, url)

            assert code == 0, err
            must_read_alike(tmp_path / f"new_{shop}", site_id, body, url)


def test_a_page_without_structured_data_gets_selectors_from_what_carries_the_values(
    say: Say, tmp_path: Path
) -> None:
    code, out, _ = say("corner", CORNER)

    selectors = (tmp_path / "corner" / "selectors.py").read_text()
    assert code == 0 and "price_cents   1999" in out and "retailer_sku  BR-100" in out
    for name in ("h1.name", "p.price-now", "p.availability", "span.sku"):
        assert f'"{name}"' in selectors
    assert "css-1a2b3c" not in selectors and "nth" not in selectors and "header" not in selectors
    assert {each.name for each in (tmp_path / "corner" / "fixtures").iterdir()} == {"in_stock", "price_lost"}
    assert (tmp_path / "corner" / "NOTES.md").read_text()


REFUSED = [
    (CORNER.replace("$19.99", "Call us"), "price_not_found"),
    (CORNER.replace("In stock", "See us").replace("<button>Add to cart</button>", "").replace("Available", ""),
     "availability: no signal"),
    (CORNER.replace("</head>", STATED), "markup states 2999, the page shows 1999"),
    ('{"product": {"name": "Reel", "price": 19.99, "instock": true, "quantityavailable": 0}}',
     "availability: the answer contradicts itself: instock says in_stock, quantityavailable says out_of_stock"),
    ('{"product": {"name": "Reel", "price": 19.99}}', "availability: no field"),
    ("", "cannot be read at all"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "sentence"), REFUSED)
@pytest.mark.parametrize("more", [(), ("--no-code",)])
def test_what_is_missing_or_contradicted_is_named_and_nothing_is_written(
    say: Say, tmp_path: Path, body: str, sentence: str, more: tuple[str, ...]
) -> None:
    code, out, err = say("corner", body, URL, *more)

    assert code == 2 and "Nothing was written." in err and sentence in err, err
    assert "fix:" in err and "[[sites]]" not in out
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(say: Say, tmp_path: Path) -> None:
    say("corner", CORNER)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    again, _, said = say("corner", CORNER)
    taken, _, named = say("sgammo", CORNER)

    assert again == taken == 2 and "is there already" in said and "There is a site 'sgammo' already" in named
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("body", "cents"),
    [
        (CORNER, 1999),
        ('{"product": {"name": "Reel", "price": 5.5, "currency": "EUR", "instock": true}}', 550),
    ],
)
def test_without_code_it_is_text_for_the_config_file(say: Say, tmp_path: Path, body: str, cents: int) -> None:
    code, out, _ = say("corner-shop", body, URL, "--no-code")

    config = tmp_path / "limpet.toml"
    config.write_text(out)
    loaded = load_config(config)
    reading = all_sites(loaded).get("corner-shop").page_model.read(*page_of(body.encode(), URL))
    assert code == 0 and facts(reading)["price_cents"] == cents
    assert [each.source.id for each in loaded.sources] == ["corner-shop"]
    assert not loaded.sources[0].source.enabled  # nobody has read the terms yet


def test_an_app_whose_record_is_no_page_is_refused(say: Say) -> None:
    code, _, err = say("corner", CORNER, URL, "--app", "dockets")

    assert code == 2 and "dockets" in err
