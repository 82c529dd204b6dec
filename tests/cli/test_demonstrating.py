"""The demonstration goes on where it was left."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.cli.demonstrating import going_on
from tidepool.serve import Tidepool


async def test_a_second_demo_finds_the_pretend_web_as_the_first_one_left_it(tmp_path: Path) -> None:
    async with Tidepool(cases=5) as pool, going_on(pool, tmp_path):
        pool.advance(7)
    async with Tidepool(cases=5) as pool, going_on(pool, tmp_path):
        again = pool.tick

    assert again == 7


@pytest.mark.parametrize("left", ["", "seven"])
async def test_a_clock_nobody_can_read_begins_anew(tmp_path: Path, left: str) -> None:
    (tmp_path / "demo-tick").write_text(left)

    async with Tidepool(cases=5) as pool, going_on(pool, tmp_path):
        assert pool.tick == 0
