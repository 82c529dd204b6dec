"""What a scrape may be asked, the same at every door."""

from __future__ import annotations

import math
from typing import get_args

import pytest
from typer.main import get_command

from limpet.apps.judgments.params import BOUNDS, ResumeStrategy, ScrapeParams
from limpet.cli.verbs.run import app
from limpet.errors import UsageError
from limpet.web.api.judgments.shapes import Wishes

OPTIONS = {"per_download_delay": "delay", "stale_after_seconds": "stale_after"}


@pytest.mark.parametrize("wish", BOUNDS)
def test_both_ends_are_allowed_and_nothing_beyond_them(wish: str) -> None:
    bounds = BOUNDS[wish]

    for allowed in (bounds.least, bounds.most, None):
        assert getattr(ScrapeParams(**{wish: allowed}), wish) == allowed
    for refused in (bounds.least - 1, bounds.most + 1, math.inf, -math.inf, math.nan):
        with pytest.raises(UsageError, match=f"must be {bounds.least} to {bounds.most}, not"):
            ScrapeParams(**{wish: refused})


@pytest.mark.parametrize("wish", BOUNDS)
def test_help_and_api_name_the_same_bounds(wish: str) -> None:
    bounds, command = BOUNDS[wish], get_command(app).commands["judgments"]  # type: ignore[attr-defined]
    (option,) = [each for each in command.params if each.name == OPTIONS.get(wish, wish)]

    assert f"{bounds.least} to {bounds.most}" in option.help
    if wish in Wishes.model_fields:
        schema = Wishes.model_json_schema()["properties"][wish]["anyOf"][0]
        assert (schema["minimum"], schema["maximum"]) == (bounds.least, bounds.most)


@pytest.mark.parametrize("strategy", get_args(ResumeStrategy))
def test_a_strategy_narrows_nothing_but_a_resume(strategy: ResumeStrategy) -> None:
    assert ScrapeParams(mode="resume", resume_strategy=strategy).strategy == strategy
    for mode in ("full", "new"):
        if strategy == "none":
            assert ScrapeParams(mode=mode, resume_strategy=strategy).strategy == "none"
        else:
            with pytest.raises(UsageError, match=f"belongs to mode resume, not to mode {mode}"):
                ScrapeParams(mode=mode, resume_strategy=strategy)
