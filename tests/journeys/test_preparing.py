"""Runs that are opened first: what they go over is found out, politely, when they are walked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from limpet.engine.app import Scene
from limpet.engine.watcher import Silence
from limpet.errors import PageGone
from limpet.record.entry import NewRun
from limpet.target.outcome import RunState


async def test_a_run_is_filled_when_it_is_walked_and_its_index_request_is_noted(shore) -> None:
    urls = shore.urls(6)
    shore.write_config(shore.source(()))

    async with shore.open() as house:
        app = house.app("prices")

        async def prepare(scene: Scene):
            await scene.way.get(urls[0], kind="index")
            return [app.make_target(scene.source, url) for url in urls]

        preparing = replace(app, prepare=prepare)
        desk = replace(house.desk, apps={"prices": preparing})
        opened = await desk.plan(NewRun(app="prices", source_id=None, params={"limit": 4}))
        ended = await desk.walk(opened, preparing, Silence())
        noted = sum(domain.requests for domain in await house.ledger.politeness())

    assert (opened.planned, opened.source_id) == (0, "shop")
    assert (ended.state, ended.counts["succeeded"]) == (RunState.COMPLETED, 4)
    assert noted == len(list(shore.pool.log)) == 6  # robots.txt, the index, four pages


async def test_a_run_whose_index_is_gone_fails_with_its_code(shore) -> None:
    shore.write_config(shore.source(()))

    async with shore.open() as house:

        async def prepare(scene: Scene):
            return [await scene.way.get(shore.pool.url("shop", "/product/nothing-here/"))]

        app = replace(house.app("prices"), prepare=prepare)
        desk = replace(house.desk, apps={"prices": app})
        opened = await desk.plan(NewRun(app="prices", source_id="shop"))
        with pytest.raises(PageGone):
            await desk.walk(opened, app, Silence())
        ended = await house.ledger.run(opened.id)

    assert (ended.state, ended.error_code) == (RunState.FAILED, PageGone.code)
