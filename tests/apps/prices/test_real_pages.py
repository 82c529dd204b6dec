"""Pages as the four shops really served them, read at the door as anybody would; skipped where they are not kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limpet.cli import main

PAGES = Path(__file__).parents[3].parent / "shared" / "pages"
pytestmark = pytest.mark.skipif(not PAGES.exists(), reason="the saved pages are not part of the project")

BROWNELLS = (
    "https://www.brownells.com/ammunition/shotgun-ammunition/top-gun-light-ammo-12-gauge-2-34-1-18-oz-8-shot/"
)
MIDWAY = "https://www.midwayusa.com/product/100155156"
PRIMARY = (
    "https://www.primaryarms.com/api/items?c=3901023&country=US&currency=USD&fieldset=details&include=facets"
    "&language=en&n=2&pricelevel=5&url=pmc-ammunition-x-tac-5.56-nato-55-gr-fmj-bt-box-of-20&use_pcv=F"
)
SGAMMO = "https://sgammo.com/product/9mm-luger-ammo/90226/"

Parse = Callable[..., dict[str, Any]]


@pytest.fixture
def parse(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Parse:
    """Read a saved page, with some of its bytes exchanged, and return what `limpet parse --json` answers."""

    def say(site: str, name: str, url: str, *changes: tuple[str, str]) -> dict[str, Any]:
        text = (PAGES / name).read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        main(["parse", str(file), "--site", site, "--url", url, "--json"])
        answer: dict[str, Any] = json.loads(capfd.readouterr().out)
        return answer

    return say


def facts(answer: dict[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(
        answer.get(name) for name in ("outcome", "price_cents", "availability", "identity_key", *names)
    )


def test_midwayusa_in_stock(parse: Parse) -> None:
    answer = parse("midwayusa", "midwayusa-in-stock.html", f"{MIDWAY}?pid=186680")

    assert facts(answer) == ("succeeded", 2999, "in_stock", "PID:186680")
    assert answer["upc"] == "029465063924"
    assert (answer["brand"], answer["caliber"], answer["round_count"]) == ("Federal Premium", "9mm Luger", 20)


def test_midwayusa_without_pid_sells_two_pack_sizes(parse: Parse) -> None:
    answer = parse("midwayusa", "midwayusa-in-stock.html", MIDWAY)

    assert (answer["outcome"], answer["reason"]) == ("quarantined", "ambiguous_variants")


def test_midwayusa_sold_out_keeps_its_price(parse: Parse) -> None:
    answer = parse(
        "midwayusa",
        "midwayusa-in-stock.html",
        f"{MIDWAY}?pid=186680",
        ("schema.org/InStock", "schema.org/OutOfStock"),
        ('"status": "Available"', '"status": "Unavailable - Limited Production"'),
        ("'hasSellableProducts': true", "'hasSellableProducts': false"),
    )

    assert facts(answer) == ("succeeded", 2999, "out_of_stock", "PID:186680")


@pytest.mark.parametrize(("sku", "cents"), [("105200890", 1099), ("105054062", 10299)])
def test_brownells_in_stock(parse: Parse, sku: str, cents: int) -> None:
    answer = parse("brownells", "brownells-in-stock.html", f"{BROWNELLS}?sku={sku}")

    assert facts(answer) == ("succeeded", cents, "in_stock", f"SKU:{sku}")
    assert (answer["brand"], answer["shipping_cents"], answer["load_type"]) == ("FEDERAL", 699, "#8")


def test_brownells_without_sku_is_ambiguous(parse: Parse) -> None:
    answer = parse("brownells", "brownells-in-stock.html", BROWNELLS)

    assert (answer["outcome"], answer["reason"]) == ("quarantined", "ambiguous_variants")


SOLD_OUT_FLAGS = (
    ("schema.org/InStock", "schema.org/OutOfStock"),
    ("isLeastOneInStock\\u0022:true", "isLeastOneInStock\\u0022:false"),
    ("isLeastOneOutOfStock\\u0022:false", "isLeastOneOutOfStock\\u0022:true"),
    ("isInStock\\u0022:true", "isInStock\\u0022:false"),
    ("isOutOfStock\\u0022:false", "isOutOfStock\\u0022:true"),
)


def test_brownells_sold_out_keeps_its_price(parse: Parse) -> None:
    url = f"{BROWNELLS}?sku=105200890"

    answer = parse("brownells", "brownells-in-stock.html", url, *SOLD_OUT_FLAGS)

    assert facts(answer) == ("succeeded", 1099, "out_of_stock", "SKU:105200890")


@pytest.mark.parametrize(
    ("changes", "ending"),
    [((), ("failed", "price_not_found")), (SOLD_OUT_FLAGS, ("dropped", "oos_no_price"))],
)
def test_brownells_hidden_price_is_not_taken_from_json_ld(
    parse: Parse, changes: tuple[tuple[str, str], ...], ending: tuple[str, str]
) -> None:
    hidden = ("clickToSeePriceEnable\\u0022:false", "clickToSeePriceEnable\\u0022:true")

    answer = parse("brownells", "brownells-in-stock.html", f"{BROWNELLS}?sku=105200890", *changes, hidden)

    assert (answer["outcome"], answer["reason"]) == ending


def test_primary_arms_in_stock(parse: Parse) -> None:
    answer = parse("primary_arms", "primaryarms-in-stock.json", PRIMARY)

    assert facts(answer, "retailer_sku", "upc") == (
        "succeeded",
        1099,
        "in_stock",
        "PID:3794",
        "XP193",
        "741569010115",
    )
    assert (
        answer["url"] == "https://www.primaryarms.com/pmc-ammunition-x-tac-5.56-nato-55-gr-fmj-bt-box-of-20"
    )
    assert " " not in answer["image_url"]
    assert (answer["caliber"], answer["grain_weight"], answer["case_material"]) == ("5.56 NATO", 55, "brass")


def test_primary_arms_sold_out_in_spite_of_its_inverted_flag(parse: Parse) -> None:
    data = json.loads((PAGES / "primaryarms-in-stock.json").read_text(encoding="utf-8"))
    stock = json.dumps(data["items"][0]["quantityavailable"])
    assert data["items"][0]["custitem_in_stock"] is False

    answer = parse(
        "primary_arms",
        "primaryarms-in-stock.json",
        PRIMARY,
        ('"isinstock":true', '"isinstock":false'),
        ('"custitem_in_stock":false', '"custitem_in_stock":true'),
        (f'"quantityavailable":{stock}', '"quantityavailable":0.0'),
    )

    assert facts(answer) == ("succeeded", 1099, "out_of_stock", "PID:3794")


def test_sgammo_in_stock(parse: Parse) -> None:
    answer = parse("sgammo", "sgammo-in-stock.html", SGAMMO)

    assert facts(answer, "retailer_sku") == ("succeeded", 28950, "in_stock", "PID:19692", "90226 - case")
    assert [tier["min_quantity"] for tier in answer["tiers"]] == [2, 4]


def test_sgammo_sold_out_keeps_its_price(parse: Parse) -> None:
    answer = parse(
        "sgammo",
        "sgammo-in-stock.html",
        SGAMMO,
        ("schema.org/InStock", "schema.org/OutOfStock"),
        (" instock ", " outofstock "),
        ("stock in-stock", "stock out-of-stock"),
        ("17+ in stock", "Out of stock"),
        ("289.50", "200.00"),
        ('"289.5"', '"200"'),
    )

    assert facts(answer) == ("succeeded", 20000, "out_of_stock", "PID:19692")
