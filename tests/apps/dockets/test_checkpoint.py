from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from limpet.apps.dockets.account.attempts_file import AttemptsFile
from limpet.apps.dockets.account.audit import require_balance
from limpet.apps.dockets.account.checkpoint import JobSummary, cursor_of
from limpet.apps.dockets.account.checkpoint_file import CheckpointFile, load_checkpoint
from limpet.apps.dockets.account.crawl import CrawlOutcome, CrawlResult, CrawlStats
from limpet.apps.dockets.account.facts import AttemptFacts, JobFacts
from limpet.apps.dockets.account.progress import Progress
from limpet.apps.dockets.case_identifier import CaseIdentifier
from limpet.apps.dockets.errors import AuditUnbalanced, CheckpointUnusable
from limpet.target import JobState

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)


def facts(number: int, state: JobState = JobState.PENDING, *, attempts: int = 0) -> JobFacts:
    failed = state is JobState.FAILED
    return JobFacts(
        id=number,
        case_id=f"IMM-{number}-25",
        state=state,
        attempts=attempts,
        reason="timeout" if failed else None,
        details="no answer" if failed else None,
        ended_at=None if state in (JobState.PENDING, JobState.RUNNING) else NOW,
        snapshot=None,
        saved_path=None,
    )


@pytest.fixture
def progress() -> Progress:
    return Progress(7, [facts(number) for number in range(1, 11)])


@pytest.fixture
def file(tmp_path: Path):
    file = CheckpointFile(tmp_path / "run", "run-7", "fct", {"year": 2025})
    file.open()
    yield file
    file.close()


def settle(progress: Progress, *numbers: int, state: JobState = JobState.SUCCEEDED) -> list[JobSummary]:
    return progress.update([facts(number, state, attempts=1) for number in numbers], set())


def test_what_is_written_is_read_back(file: CheckpointFile, progress: Progress) -> None:
    settle(progress, 1, 2)
    settle(progress, 3, state=JobState.FAILED)

    file.rewrite(progress.jobs, progress.cursor, now=NOW)

    found = load_checkpoint(file.folder)
    assert (found.run_id, found.source_id, found.updated_at) == ("run-7", "fct", NOW)
    assert list(found.jobs) == progress.jobs
    assert (found.cursor.last_job_id, found.cursor.last_job_index) == ("7-3", 2)
    assert found.jobs[2].last_error == {"type": "timeout", "message": "no answer", "ts": NOW.isoformat()}


def test_the_journal_is_part_of_it(file: CheckpointFile, progress: Progress) -> None:
    file.rewrite(progress.jobs, progress.cursor, now=NOW)
    base = file.path.read_bytes()

    for number in (1, 2, 3):
        file.note(settle(progress, number), progress.jobs, progress.cursor, now=NOW)

    assert file.path.read_bytes() == base  # not rewritten for every job
    assert list(load_checkpoint(file.path).jobs) == progress.jobs


def test_a_line_torn_by_a_crash_was_never_written(file: CheckpointFile, progress: Progress) -> None:
    file.rewrite(progress.jobs, progress.cursor, now=NOW)
    file.note(settle(progress, 1), progress.jobs, progress.cursor, now=NOW)
    journal = file.folder / load_checkpoint(file.path).worker_state["journal"]
    with journal.open("ab") as torn:
        torn.write(b'{"jobs":[{"job_id":"7-2","case')

    assert load_checkpoint(file.path).cursor.last_job_index == 0


def test_a_journal_is_folded_in_before_it_outgrows_its_base(file: CheckpointFile) -> None:
    progress = Progress(7, [facts(number) for number in range(1, 9_001)])
    file.rewrite(progress.jobs, progress.cursor, now=NOW)
    whole = file.bytes_written

    for first in range(1, 9_001, 50):
        changed = settle(progress, *range(first, first + 50))
        file.note(changed, progress.jobs, progress.cursor, now=NOW)

    assert load_checkpoint(file.path).cursor.last_job_index == 8_999
    assert file.bytes_written < 6 * whole
    assert len(list(file.folder.glob("journal-*"))) == 1


def test_the_cursor_stops_before_the_first_hole(progress: Progress) -> None:
    settle(progress, 1, 2, 4, 5)
    assert progress.cursor.last_job_index == 1

    settle(progress, 3)
    assert progress.cursor.last_job_index == 4


def test_a_job_under_way_is_running_and_pending_again_when_it_was_handed_back(progress: Progress) -> None:
    running = progress.update([], {1, 2})
    handed_back = progress.update([facts(1, JobState.SUCCEEDED, attempts=1)], set())

    assert [job.state for job in running] == ["running", "running"]
    assert {job.case_id: job.state for job in handed_back} == {"IMM-1-25": "succeeded", "IMM-2-25": "pending"}


def test_what_was_running_is_pending_with_one_attempt_more_on_resume() -> None:
    under_way = JobSummary("7-1", "IMM-1-25", "running", 1)
    done = JobSummary("7-2", "IMM-2-25", "succeeded", 1)

    assert under_way.resumed() == JobSummary("7-1", "IMM-1-25", "pending", 2)
    assert done.resumed() is done


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda raw: raw.update(schema_version=99), "99"),
        (lambda raw: raw.pop("jobs"), "damaged"),
        (lambda raw: raw["cursor"].update(last_job_index=99), "cursor"),
        (lambda raw: raw["cursor"].update(last_job_id="7-9"), "cursor"),
        (lambda raw: raw["jobs"][0].update(state="pending"), "open"),
        (lambda raw: raw["jobs"][0].update(state="on holiday"), "damaged"),
        (lambda raw: raw["jobs"].append(raw["jobs"][5]), "twice"),
    ],
)
def test_a_checkpoint_that_contradicts_itself_is_refused(
    file: CheckpointFile, progress: Progress, spoil, why
) -> None:
    settle(progress, 1, 2)
    file.rewrite(progress.jobs, progress.cursor, now=NOW)
    raw = json.loads(file.path.read_text())
    spoil(raw)
    file.path.write_text(json.dumps(raw))

    with pytest.raises(CheckpointUnusable, match=why) as refusal:
        load_checkpoint(file.path)

    assert refusal.value.fix


def test_a_file_cut_in_half_is_refused(file: CheckpointFile, progress: Progress) -> None:
    file.rewrite(progress.jobs, progress.cursor, now=NOW)
    file.path.write_bytes(file.path.read_bytes()[:100])

    with pytest.raises(CheckpointUnusable, match="damaged"):
        load_checkpoint(file.path)


def test_two_writers_are_one_too_many(file: CheckpointFile) -> None:
    other = CheckpointFile(file.folder, "run-7", "fct", {})

    with pytest.raises(CheckpointUnusable, match="Another process"):
        other.open()


def test_carried_jobs_come_first_and_count_as_ended() -> None:
    carried = [
        JobSummary("run-1/1-1", "IMM-1-25", "succeeded", 1),
        JobSummary("run-1/1-2", "IMM-2-25", "no_record", 1),
    ]

    progress = Progress(1, [facts(3)], carried=carried, tried_before={"IMM-3-25": 2})

    assert cursor_of(progress.jobs).last_job_id == "run-1/1-2"
    assert progress.jobs[-1].attempts == 2
    assert progress.bounds == ("IMM-1-25", "IMM-3-25")


def test_attempts_torn_by_a_crash_are_told_again_whole(tmp_path: Path) -> None:
    path = tmp_path / "attempts.ndjson"
    done = [facts(number, JobState.SUCCEEDED, attempts=2) for number in (1, 2)]
    tries = {
        each.id: [AttemptFacts(each.id, NOW, "error", 500, "oh"), AttemptFacts(each.id, NOW, "ok", 200, None)]
        for each in done
    }
    file = AttemptsFile(path, "run-7")
    file.tell(done, tries, {})
    file.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b'"attempt":2')])

    again = AttemptsFile(path, "run-7")
    again.tell(again.untold(done), tries, {})
    again.close()

    assert path.read_bytes() == whole
    assert [json.loads(line)["outcome"] for line in whole.splitlines()] == ["failed", "succeeded"] * 2


def test_stats_that_do_not_add_up_say_so() -> None:
    good = CrawlStats.of(
        {CrawlOutcome.SUCCEEDED: 2, CrawlOutcome.FAILED: 1}, attempted=3, first=None, last=None
    )
    bad = CrawlStats.of({CrawlOutcome.SUCCEEDED: 2}, attempted=3, first=None, last=None)

    require_balance(good, told=3, name="run-7")
    for stats, told in ((bad, 3), (good, 2)):
        with pytest.raises(AuditUnbalanced):
            require_balance(stats, told=told, name="run-7")


def test_a_result_without_an_attempt_cannot_be() -> None:
    with pytest.raises(ValueError, match="nobody asked"):
        CrawlResult(CaseIdentifier.parse("IMM-1-25"), CrawlOutcome.SUCCEEDED, 0, None, None, None, NOW)
