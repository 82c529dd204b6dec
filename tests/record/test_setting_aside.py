from __future__ import annotations

from collections.abc import Callable
from typing import Any

from limpet.record.entry import Lease, Run
from limpet.record.leasing import release_worker
from limpet.record.ledger import Ledger
from limpet.record.setting_aside import MOST_TAKEN, REASON, poisoned
from limpet.target import JobState

Make = Callable[..., Any]


async def die(ledger: Ledger, worker: str) -> None:
    await ledger.write(lambda connection: release_worker(connection, worker))


async def test_a_job_that_kills_its_workers_is_set_aside_and_the_others_are_not(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make
) -> None:
    culprit: int | None = None
    for death in range(MOST_TAKEN):
        leases: list[Lease] = await lease_all(run, worker=f"w{death}")
        culprit = culprit or leases[0].job_id
        assert leases[0].job_id == culprit
        await die(ledger, f"w{death}")
    while leases := await lease_all(run, worker="survivor"):
        for lease in leases:
            await ledger.settle(settlement_of(lease))

    aside = await ledger.read(poisoned)
    alarms = await ledger.events(event_type="alert_poison_job")
    jobs = {job.id: job for job in await ledger.jobs(run.id)}
    assert [each.job_id for each in aside] == [culprit]
    assert (jobs[culprit].state, jobs[culprit].reason) == (JobState.FAILED, REASON)
    assert f"taken {MOST_TAKEN} times" in aside[0].details and "w4" in aside[0].details
    assert [alarm.payload["job_id"] for alarm in alarms] == [culprit]
    assert [job.state for job in jobs.values() if job.id != culprit] == [JobState.SUCCEEDED] * 4
    assert (await ledger.verify()).is_sound


async def test_a_suspect_is_taken_alone(ledger: Ledger, run: Run, lease_all: Make) -> None:
    held = []
    for death in range(3):
        held.append(len(await lease_all(run, worker=f"w{death}")))
        await die(ledger, f"w{death}")

    assert held == [5, 5, 1]


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
