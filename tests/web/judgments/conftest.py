"""A court beside the shop: judgments stored and failed, an index in five versions, and one hostile title."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import update

from limpet.apps.judgments.params import RunSummary, ScrapeParams
from limpet.apps.judgments.scraping import run_scrape
from limpet.apps.judgments.tables import cases
from limpet.cli.judging import sync
from limpet.engine.watcher import Silence
from limpet.record.entry import Run
from tidepool.serve import Tidepool

SOURCE = "unreported_judgments"
INDEX = "/wp-content/uploads/box_files/judgments.csv"


@dataclass
class Bench:
    """The portal as somebody sees it who looks after judgments."""

    portal: Any
    source: str = SOURCE
    moved: dict[str, list[str]] = field(default_factory=dict)  # tokens, by what the court did to them
    failed: str = ""  # the token of which only a page of HTML came
    invalid: int = 0  # versions of the index
    held: int = 0
    hostile: int = 0  # a case

    def __getattr__(self, name: str) -> Any:
        return getattr(self.portal, name)

    def case(self, token: str) -> dict[str, Any]:
        """Return the one case of this token, as the API lists it."""
        told = self.portal.get(f"/api/v1/judgments?search={token}").json()["items"]
        (found,) = (each for each in told if each["action_token_raw"] == token)
        return dict(found)

    def some(self, state: str) -> list[dict[str, Any]]:
        """Return cases that stand so."""
        return list(self.portal.get(f"/api/v1/judgments?state={state}&limit=500").json()["items"])

    def newest_run(self) -> int:
        return int(self.portal.get(f"/api/v1/runs?source={SOURCE}&limit=1").json()["items"][0]["id"])

    def walk(self, run_id: int) -> Run:
        """Walk what somebody planned from a page, as the service would."""

        async def walk(house: Any) -> Run:
            run = await house.ledger.run(run_id)
            ended: Run = await house.desk.walk(run, house.app("judgments"), Silence())
            return ended

        found: Run = self.portal.do(walk)
        return found


@pytest.fixture(scope="session")
def bench(portal: Any) -> Bench:
    """The portal with an archive that has lived through additions, corrections, removals and two bad indexes."""
    bench = Bench(portal)
    portal.do(lambda house: first_run(house, portal.pool, bench))
    portal.do(lambda house: second_run(house, portal.pool, bench))
    portal.do(lambda house: bad_indexes(house, portal.pool, bench))
    portal.do(lambda house: write_hostile_title(house, bench))
    return bench


async def scrape(house: Any, mode: Any) -> RunSummary:
    return await run_scrape(ScrapeParams(mode=mode, max_retries=1, concurrency=4), desk=house.desk)


async def first_run(house: Any, pool: Tidepool, bench: Bench) -> None:
    """Fetch all there is; Box sends a page in place of one judgment."""
    court: Any = pool.site("court")
    # What time withdrew before anybody looked would be new to us, and not back again.
    court.docket.catch_up(pool.world.tick)
    court.move(readd=1_000)
    bench.failed = next(
        token
        for token, facts in court.published().items()
        if not facts["is_criminal"] and token.isalnum() and len(token) > 20
    )
    document = court.docket.document_of(bench.failed)
    pool.set_fault("boxcdn", "pdf_is_html", path=f"/d/1/{document}/*")
    await scrape(house, "full")
    pool.clear_faults()


async def second_run(house: Any, pool: Tidepool, bench: Bench) -> None:
    """Fetch what is new once the court has published, corrected and withdrawn; then it puts one back."""
    court: Any = pool.site("court")
    bench.moved = court.move(add=3, change=2, remove=2)
    await scrape(house, "new")
    bench.moved["readded"] = court.move(readd=1)["readded"]
    seen = await sync(house, SOURCE, accept_removals=False)
    assert not (seen.is_fallback or seen.is_held), seen


async def bad_indexes(house: Any, pool: Tidepool, bench: Bench) -> None:
    """Sync an index that is none, and one that leaves out most; neither may touch a case."""
    pool.set_fault("court", "csv_is_html", path=INDEX)
    assert (await sync(house, SOURCE, accept_removals=False)).is_fallback
    pool.clear_faults()
    pool.set_fault("court", "csv_mostly_gone", path=INDEX, percent=45)
    assert (await sync(house, SOURCE, accept_removals=False)).is_held
    pool.clear_faults()
    bench.invalid, bench.held = 4, 5


async def write_hostile_title(house: Any, bench: Bench) -> None:
    attack = "\u202e<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    victim = cases.c.action_token_raw == bench.moved["changed"][0]
    hostile = {"title": attack, "subject": attack, "cause_number": f"=HYPERLINK(1) {attack}"}
    await house.ledger.write(
        lambda connection: connection.execute(update(cases).where(victim).values(hostile))
    )
    bench.hostile = await house.ledger.read(
        lambda connection: connection.execute(cases.select().where(victim)).one().id
    )
