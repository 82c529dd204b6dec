from __future__ import annotations

from collections.abc import Callable
from typing import Any

from limpet.record.entry import Run
from limpet.record.leasing import release_worker
from limpet.record.ledger import Ledger
from limpet.record.setting_aside import MOST_TAKEN, REASON, poisoned
from limpet.target import JobState

Make = Callable[..., Any]


async def die(ledger: Ledger, worker: str) -> None:
    await ledger.write(lambda connection: release_worker(connection, worker))


async def settle_all_but(
    culprit: int, ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make
) -> list[str]:
    """Take what there is, again and again; who holds the culprit dies of it. Return who died."""
    dead: list[str] = []
    while leases := await lease_all(run, worker=f"w{len(dead)}"):
        if culprit in {lease.job_id for lease in leases}:
            await die(ledger, f"w{len(dead)}")
            dead.append(f"w{len(dead)}")
            continue
        for lease in leases:
            await ledger.settle(settlement_of(lease))
    return dead


async def test_a_job_that_kills_its_workers_is_set_aside_and_the_others_are_not(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make
) -> None:
    culprit = min(job.id for job in await ledger.jobs(run.id))
    dead = await settle_all_but(culprit, ledger, run, lease_all, settlement_of)

    aside = await ledger.read(poisoned)
    alarms = await ledger.events(event_type="alert_poison_job")
    jobs = {job.id: job for job in await ledger.jobs(run.id)}
    assert len(dead) == MOST_TAKEN
    assert [each.job_id for each in aside] == [culprit]
    assert (jobs[culprit].state, jobs[culprit].reason) == (JobState.FAILED, REASON)
    assert f"taken {MOST_TAKEN} times" in aside[0].details and dead[-1] in aside[0].details
    assert [alarm.payload["job_id"] for alarm in alarms] == [culprit]
    assert [job.state for job in jobs.values() if job.id != culprit] == [JobState.SUCCEEDED] * 4
    assert (await ledger.verify()).is_sound


async def test_a_suspect_is_taken_alone(ledger: Ledger, run: Run, lease_all: Make) -> None:
    held = []
    for death in range(3):
        held.append(len(await lease_all(run, worker=f"w{death}")))
        await die(ledger, f"w{death}")

    assert held == [5, 5, 1]


async def test_suspects_take_turns_and_come_after_every_other_job(
    ledger: Ledger, run: Run, lease_all: Make
) -> None:
    """A house that is killed again and again blames nobody for it until everybody was under suspicion."""
    suspects = []
    for death in range(2):
        suspects = [lease.job_id for lease in await lease_all(run, worker=f"w{death}", limit=2)]
        await die(ledger, f"w{death}")

    innocent = await lease_all(run, worker="next")
    alone = []
    for death in range(4):
        alone += [lease.job_id for lease in await lease_all(run, worker=f"x{death}")]
        await die(ledger, f"x{death}")

    assert {lease.job_id for lease in innocent}.isdisjoint(suspects) and len(innocent) == 3
    assert alone == suspects * 2


async def test_a_job_whose_end_cannot_be_written_keeps_the_reason(
    ledger: Ledger, run: Run, lease_all: Make
) -> None:
    lease = (await lease_all(run, limit=1))[0]

    await ledger.let_go(lease, why="ValueError: a price that is no number")

    job = next(job for job in await ledger.jobs(run.id) if job.id == lease.job_id)
    assert (job.state, job.attempts, job.details) == (
        JobState.PENDING,
        1,
        "ValueError: a price that is no number",
    )
