"""A query written from the batch seed works: its job record is a view of the ledger."""

from __future__ import annotations

from functools import partial

from limpet.apps.dockets.account.job_records import job_records


async def test_jobs_are_records_in_the_words_of_the_seed(court_anywhere) -> None:
    court = court_anywhere
    court.pool.set_fault("registry", "server_error_500", path=court.SEARCH, times=1)

    async with court.open(retry_max_attempts=1) as house:
        run = await court.walk(house, year=2025, start=1118, end=1121)
        columns = await house.ledger.read(
            lambda connection: list(connection.exec_driver_sql("SELECT * FROM batch_jobs").keys())
        )
        records = await house.ledger.read(partial(job_records, run_id=run.id))

    assert columns == ["job_id", "url", "params", "state", "attempts", "last_error", "created_at"]
    assert [record.state for record in records] == ["failed", "succeeded", "succeeded", "succeeded"]
    assert "IMM-1118-25" in records[0].url
    assert records[0].last_error is not None
    assert records[0].last_error.keys() == {"type", "message", "ts"}
    assert [record.last_error for record in records[1:]] == [None, None, None]
    assert {record.attempts for record in records} == {1}
    assert records[0].job_id.startswith(f"{run.id}-")
