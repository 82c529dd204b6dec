"""A court's registry beside the shop: numbers found, absent and failed, entries edited, and one hostile docket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.docket import Docket, DocketEntry, Party, RelatedCase
from limpet.apps.dockets.feed import target_of_case
from limpet.engine.watcher import Silence
from limpet.extract.parse.case_number import CaseNumber
from limpet.fetch.page import Page
from limpet.record.entry import NewRun, Run, Settlement
from limpet.target import Outcome
from tidepool.serve import Tidepool

SEARCH = "/CourtFilesAndDecisions/proceedingQueriesCourtNumberList"


async def walk_numbers(house: Any, **batch: Any) -> Run:
    new = NewRun("dockets", "fct", params=Batch(**batch).to_params())
    ended: Run = await house.desk.walk(await house.desk.plan(new), house.app("dockets"), Silence())
    return ended


@dataclass(frozen=True)
class Registry:
    """The portal as somebody sees it who looks after dockets."""

    portal: Any
    failed: str = "IMM-1117-25"
    hostile: str = "IMM-66-24"
    base: str = "/dockets/fct/IMM/2025"
    search: str = SEARCH

    def __getattr__(self, name: str) -> Any:
        return getattr(self.portal, name)

    def walk(self, run_id: int) -> Run:
        """Walk what somebody planned from a page, as the service would."""

        async def walk(house: Any) -> Run:
            ended: Run = await house.desk.walk(
                await house.ledger.run(run_id), house.app("dockets"), Silence()
            )
            return ended

        found: Run = self.portal.do(walk)
        return found


@pytest.fixture(scope="session")
def registry(portal: Any) -> Registry:
    """The portal with a register of which some numbers are found, some are not, one failed and some were edited."""
    portal.do(lambda house: first_visit(house, portal.pool))
    portal.pool.advance(6)
    portal.do(second_visit)
    return Registry(portal)


async def first_visit(house: Any, pool: Tidepool) -> None:
    """Ask for thirty cases with their parties, and for a stretch with a hole of twelve and a failure in it."""
    await walk_numbers(house, year=2025, start=1, end=30, extras=("parties", "related"))
    pool.set_fault("registry", "server_error_500", path=f"{SEARCH}?*IMM-1117-25*")
    await walk_numbers(house, year=2025, start=1115, end=1140)
    pool.clear_faults()


async def second_visit(house: Any) -> None:
    """Ask for the thirty again, once the court has edited some; fetch a document; record the hostile docket."""
    await walk_numbers(house, year=2025, start=1, end=30, force=True)
    await walk_numbers(house, year=2025, start=1, end=8, documents=True)
    await _record_hostile(house)


async def _record_hostile(house: Any) -> None:
    attack = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    case = CaseNumber("IMM", 2024, 66)
    target = target_of_case(house.catalogue.get("fct"), case)
    run = await house.ledger.plan_run(NewRun("dockets", "fct"), [target])
    (lease,) = await house.ledger.lease(run.id, lane=target.lane, worker="test", limit=1, seconds=600)
    now = house.clock.now()
    docket = Docket(
        source_id="fct",
        case_id=str(case),
        style_of_cause=f"\u202e{attack}",
        case_type=attack,
        type_of_action=attack,
        nature_of_proceeding=attack,
        filing_date=None,
        office=attack,
        language=None,
        entries=(DocketEntry(1, None, attack, f"=HYPERLINK(1) {attack}", is_published=True),),
        url="javascript:document.title='owned'",
        adapter_version="<i>1</i>",
        observed_at=now,
        parties=(Party(attack, attack, attack),),
        related_cases=(RelatedCase(attack, attack, attack),),
    )
    page = Page(target.url, target.url, 200, {"content-type": "text/html"}, attack.encode(), now)
    settlement = Settlement(lease, Outcome.SUCCEEDED, now, record=docket, page=page, site_version="1")
    await house.ledger.settle(settlement)
