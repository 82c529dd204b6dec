"""Tables say when they do not show everything, and `--json` leaves nothing out."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from limpet.apps.prices.visible import VisiblePrice
from limpet.cli.price_table import amount, print_prices

Say = Callable[..., Any]
CONFIG = """
[[sources]]
id = "shop"
app = "prices"
site = "sgammo"
hosts = ["shop.test"]

[[sources]]
id = "court"
app = "judgments"
site = "judicial_ky"
hosts = ["court.test"]
"""


@pytest.fixture
def shop(limpet: Say, room: Path) -> Say:
    """A shop with sixty targets."""
    (room / "limpet.toml").write_text(CONFIG)
    (room / "urls.csv").write_text("".join(f"https://shop.test/p/{number}\n" for number in range(60)))
    assert limpet("targets", "import", "urls.csv", "--source", "shop").code == 0
    return limpet


def test_a_list_of_targets_says_how_many_there_are_and_json_has_them_all(shop: Say) -> None:
    listed = shop("targets", "list", "--source", "shop")
    few = shop("targets", "list", "--limit", "60")
    whole = json.loads(shop("targets", "list", "--json").out)

    assert listed.out.count("https://shop.test/p/") == 50
    assert listed.err == "50 of 60; --limit N shows more.\n"
    assert few.out.count("https://shop.test/p/") == 60 and few.err == ""
    assert len(whole) == 60


def test_a_blocked_target_says_so_in_the_list_and_before_it_would_be_visited(shop: Say) -> None:
    shop("targets", "block", "7", "--reason", "they asked us to")

    listed = shop("targets", "list", "--text", "/p/6")
    refused = shop("targets", "recheck", "7", "--reason", "mended?")

    assert "active, blocked" in listed.out
    assert refused.code == 2 and "Blocked, and so never visited: 7." in refused.err
    assert "limpet targets unblock 7" in refused.err


def test_columns_nobody_reads_are_named_once(shop: Say, room: Path) -> None:
    (room / "more.csv").write_text(
        "url;source;price\nhttps://shop.test/x;shop;9\nhttps://shop.test/y;shop;8\n"
    )

    said = shop("targets", "import", "more.csv")

    assert said.code == 0 and "2 created" in said.out
    assert said.err == "Not read, because nobody knows what they mean: price.\n"


def test_only_a_shop_is_told_that_it_has_no_targets(limpet: Say, room: Path) -> None:
    (room / "limpet.toml").write_text(CONFIG)

    told = [each["detail"] for each in json.loads(limpet("doctor", "--json").out)["checks"]]

    assert [each for each in told if "has no targets" in each] == ["source 'shop' has no targets."]


def test_prices_stand_before_the_address(capsys: pytest.CaptureFixture[str]) -> None:
    now = datetime(2026, 2, 10, 12, tzinfo=UTC)
    plain = {"source_id": "shop", "availability": "in_stock", "in_stock": True, "observed_at": now}
    url = "https://shop.test/" + "x" * 300
    yen = VisiblePrice(
        identity_key="PID:1", title="Tea", url=url, price_cents=1980, observed_cents=198_000,
        currency="JPY", product_id=None, **plain,
    )  # fmt: skip

    print_prices([yen])

    (line,) = [line for line in capsys.readouterr().out.splitlines() if "Tea" in line]
    assert url in line  # nothing is cut in a pipe
    assert line.index("1,980 JPY (198,000 JPY)") < line.index("https://")


@pytest.mark.parametrize(
    ("units", "currency", "said"),
    [
        (129900, "USD", "1,299.00 USD"),
        (5, "EUR", "0.05 EUR"),
        (1980, "JPY", "1,980 JPY"),
        (1500, "KWD", "1.500 KWD"),
    ],
)
def test_an_amount_has_the_decimals_of_its_currency(units: int, currency: str, said: str) -> None:
    assert amount(units, currency) == said
