"""What is brought in, and when."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from limpet.assembly import all_apps, all_sites
from limpet.configuration import load_config
from limpet.errors import ConfigError

CONFIG = """
[[sources]]
id = "shop"
app = "prices"
site = "tidepool_shop"
hosts = ["shop.example"]
targets = ["https://shop.example/product/1"]
"""

DESCRIBED = """
id: {}
version: 1.0.0
app: prices
domain: shop.example
currency: EUR
product: main
fields:
  title: {{css: h1}}
  price: {{css: .price}}
  availability: {{css: .stock}}
"""

RUN = """
import asyncio, sys
from limpet.assembly import assemble
from limpet.settings import load_settings

async def open_house():
    async with assemble(load_settings(config=sys.argv[1], data_dir=sys.argv[2])):
        pass

asyncio.run(open_house())
print(*sorted(name for name in sys.modules if name.count(".") < 3))
"""


def test_a_house_for_prices_brings_no_other_app_and_no_browser(tmp_path: Path) -> None:
    config = tmp_path / "limpet.toml"
    config.write_text(CONFIG)

    done = subprocess.run(
        [sys.executable, "-c", RUN, config, tmp_path / "data"], capture_output=True, text=True, check=True
    )

    brought = done.stdout.split()
    assert "limpet.apps.prices" in brought
    heavy = {"limpet.apps.matches", "limpet.apps.dockets", "limpet.apps.judgments", "limpet.fetch.browser"}
    assert heavy.isdisjoint(brought)
    assert not [name for name in brought if name.startswith(("alembic", "playwright", "fastapi"))]


def test_every_app_is_known_under_its_own_name() -> None:
    assert {name: app.name for name, app in all_apps().items()} == {name: name for name in all_apps()}


def test_a_described_site_may_not_take_the_id_of_one_in_another_app(tmp_path: Path) -> None:
    taken = next(iter(all_apps()["dockets"].sites)).id
    (tmp_path / "limpet.toml").write_text("")
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "shop.yaml").write_text(DESCRIBED.format(taken))

    with pytest.raises(ConfigError, match=f"registered as '{taken}'"):
        all_sites(load_config(tmp_path / "limpet.toml"))
