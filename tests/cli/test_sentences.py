"""What commands say is true, and names what helps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limpet.apps.matches.monitor.tenure import tenure
from limpet.assembly import open_ledger
from limpet.cli import match_orders
from limpet.cli.table import VERBS
from limpet.settings import load_settings
from limpet.target.outcome import Trigger

Say = Callable[..., Any]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("words", "page"),
    [
        (("dockets", "probe", "--year", "25"), "docs/dockets.md"),
        (("dockets", "purge", "25"), "docs/dockets.md"),
        (("run", "dockets", "--year", "25", "--max-cases", "1"), "docs/dockets.md"),
        (("run", "judgments"), "docs/judgments.md"),
        (("judgments", "sync"), "docs/judgments.md"),
    ],
)
def test_an_app_without_a_source_names_the_page_that_shows_one(
    words: tuple[str, ...], page: str, limpet: Say
) -> None:
    limpet("migrate")

    said = limpet(*words)

    app = "dockets" if "dockets" in page else "judgments"
    assert said.code == 2 and f"No source is configured for {app!r}." in said.err
    assert page in said.err
    assert f'app = "{app}"' in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", ["worker", "scheduler"])
def test_what_cannot_work_alone_refuses_before_it_says_that_it_works(verb: str, limpet: Say) -> None:
    said = limpet(verb)

    assert said.code == 2 and "LIMPET_DATABASE_URL is not set" in said.err
    assert "Ctrl-C" not in said.out


def test_one_of_a_thing_is_not_several(limpet: Say, room: Path) -> None:
    limpet("init")

    brought = limpet(
        "targets",
        "add",
        "https://shop.example.com/a",
        "https://elsewhere.example/b",
        "--source",
        "example-shop",
    )
    looked = limpet("doctor")

    assert "1 created, 0 duplicates, 1 error." in brought.out
    assert "1 source, " in looked.out


async def test_an_order_nobody_carried_out_in_time_is_told_from_one_nobody_saw(
    limpet: Say, room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_orders, "PATIENCE_SECONDS", 0.05)

    await asyncio.to_thread(limpet, "migrate")

    alone = await asyncio.to_thread(limpet, "matches", "recycle")
    async with open_ledger(load_settings()) as ledger, tenure(ledger, trigger=Trigger.CLI):
        watched = await asyncio.to_thread(limpet, "matches", "recycle")

    assert alone.code == 0 and "Nobody watches right now" in alone.out
    assert watched.code == 0 and "has not answered within 0.05 s; the order stands" in watched.out


@pytest.mark.parametrize(
    "verb", [verb.name for verb in VERBS if verb.name != "tidepool"]
)  # says it its own way
def test_the_help_of_every_verb_has_examples(verb: str, limpet: Say) -> None:
    said = limpet(verb, "--help")

    assert said.code == 0 and "Examples:" in said.out
