"""Jobs that end without an answer of their own: the map, the checkpoint and the audit know of them all the same."""

from __future__ import annotations

import json

from sqlalchemy import text

from limpet.apps.dockets.account.checkpoint_file import load_checkpoint
from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.bounds import Register
from limpet.apps.dockets.views.coverage import numbers_between
from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun
from limpet.record.setting_aside import MOST_TAKEN

CULPRIT = "IMM-2-25"


async def plan_with_a_culprit(house):
    """Return a batch of three numbers, one of which has cost five workers their lives."""
    params = Batch(year=2025, start=1, end=3).to_params()
    run = await house.desk.walking.prepare(
        await house.desk.plan(NewRun("dockets", "fct", params=params)), house.app("dockets")
    )
    taken = text(
        "UPDATE jobs SET attempts = :taken WHERE run_id = :run AND target_id = "
        "(SELECT id FROM targets WHERE canonical_url LIKE '%IMM-2-25%')"
    )
    await house.ledger.write(
        lambda connection: connection.execute(taken, {"taken": MOST_TAKEN, "run": run.id})
    )
    return run


async def test_a_number_set_aside_is_failed_wherever_anybody_looks(court_anywhere, journey) -> None:
    court = court_anywhere
    async with court.open() as house:
        run = await plan_with_a_culprit(house)
        ended = await house.desk.walk(run, house.app("dockets"), Silence())
        standing = await court.rows(
            house, "SELECT case_id, status, last_error FROM docket_cases ORDER BY number"
        )
        register = Register("fct", "IMM", 2025)
        numbers = await house.ledger.read(lambda connection: numbers_between(connection, register, 1, 3))
        await journey.prove(house)
    gaps = await court.limpet("gaps", "dockets", "--year", "25", "--json")

    (folder,) = (court.output / "checkpoints").iterdir()
    summaries = {job.case_id: job for job in load_checkpoint(folder).jobs}
    told = {line["case_id"]: line["result"] for line in court.attempts()}
    assert ended.counts["failed"] == 1
    assert [(case, status) for case, status, _ in standing] == [
        ("IMM-1-25", "succeeded"),
        (CULPRIT, "failed"),
        ("IMM-3-25", "succeeded"),
    ]
    assert standing[1][2].startswith("poison: taken 5 times")
    assert [number.word.value for number in numbers] == ["found", "failed", "found"]
    assert (summaries[CULPRIT].state, summaries[CULPRIT].last_error["type"]) == ("failed", "poison")
    assert (told[CULPRIT]["outcome"], told[CULPRIT]["attempts"]) == ("failed", MOST_TAKEN)
    assert (court.audit()["is_balanced"], court.audit()["failed_count"]) == (True, 1)
    assert json.loads(gaps.out)[0]["failed"] == 1


async def test_numbers_left_by_a_closed_court_are_skipped_in_the_checkpoint_and_asked_for_elsewhere(
    court, migrated_ledger, tmp_path
) -> None:
    court.write_config(extra='options = { reader = "json" }')
    court.pool.set_fault("registry", "forbidden_403", path=f"{court.SEARCH}?*IMM-4-25*")
    async with court.open(retry_max_attempts=1) as house:
        refused = await court.walk(house, year=2025, start=1, end=8)
    court.pool.clear_faults()
    (folder,) = (court.output / "checkpoints").iterdir()
    left, audit = load_checkpoint(folder), court.audit()
    elsewhere = tmp_path / "elsewhere"
    court.data_dir.rename(elsewhere)
    court.data_dir.mkdir()
    (court.data_dir / "limpet.db").write_bytes(migrated_ledger.read_bytes())

    said = await court.limpet(
        "run", "dockets", "--checkpoint", str(elsewhere / "output" / "checkpoints" / folder.name)
    )

    assert (refused.counts["failed"], refused.counts["skipped"]) == (1, 4)
    assert [job.state for job in left.jobs] == ["succeeded"] * 3 + ["failed"] + ["skipped"] * 4
    assert left.cursor.last_job_index == 7
    # Who was never asked has not failed: only the court's own no has.
    assert (audit["total_attempted"], audit["success_count"], audit["failed_count"]) == (4, 3, 1)
    assert said.code == 0, said.err
    assert court.asked() == {f"IMM-{number}-25": 1 for number in range(1, 9)}
