"""A batch as its checkpoint sees it: the summaries of all jobs, kept in step with the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from limpet.apps.dockets.account.checkpoint import Cursor, JobSummary, cursor_of
from limpet.apps.dockets.account.crawl import CrawlOutcome, outcome_of
from limpet.apps.dockets.account.facts import JobFacts
from limpet.target import JobState


class Progress:
    """Jobs of an earlier checkpoint come first, as they ended there; then the run's own, in planned order."""

    def __init__(
        self,
        run_id: int,
        facts: Iterable[JobFacts],
        *,
        carried: Sequence[JobSummary] = (),
        tried_before: Mapping[str, int] | None = None,
    ) -> None:
        self._run_id = run_id
        self._tried_before = tried_before or {}  # by case: attempts of the run this one goes on from
        self.jobs: list[JobSummary] = list(carried)
        self._places: dict[int, int] = {}
        self._running: set[int] = set()
        self._outcomes: dict[int, CrawlOutcome] = {}
        for each in facts:
            self._places[each.id] = len(self.jobs)
            self.jobs.append(self._summary(each))
            self._note(each)
        self.cursor = cursor_of(self.jobs)

    @property
    def counts(self) -> Counter[CrawlOutcome]:
        """How many jobs of this run ended in each way."""
        return Counter(self._outcomes.values())

    @property
    def bounds(self) -> tuple[str | None, str | None]:
        """The first and the last case of the batch, carried ones included."""
        if not self.jobs:
            return None, None
        return self.jobs[0].case_id, self.jobs[-1].case_id

    def update(self, facts: Iterable[JobFacts], running: set[int]) -> list[JobSummary]:
        """Take in what has changed, and return the summaries that did."""
        changed = []
        settled = {each.id: each for each in facts}
        for each in settled.values():
            changed.append(self._put(each.id, self._summary(each)))
            self._note(each)
        running = running & self._places.keys()  # a job added on the way is taken in once it is settled
        for job_id in running - self._running - settled.keys():
            changed.append(self._put(job_id, self._moved(job_id, JobState.RUNNING)))
        for job_id in self._running - running - settled.keys():
            changed.append(self._put(job_id, self._moved(job_id, JobState.PENDING)))
        self._running = set(running)
        self.cursor = self._next_cursor()
        return changed

    def _next_cursor(self) -> Cursor:
        return cursor_of(self.jobs, start=self.cursor.last_job_index)

    def _put(self, job_id: int, summary: JobSummary) -> JobSummary:
        if job_id in self._places:
            self.jobs[self._places[job_id]] = summary
        else:
            self._places[job_id] = len(self.jobs)
            self.jobs.append(summary)
        return summary

    def _moved(self, job_id: int, state: JobState) -> JobSummary:
        before = self.jobs[self._places[job_id]]
        return JobSummary(before.job_id, before.case_id, state.value, before.attempts, before.last_error)

    def _note(self, facts: JobFacts) -> None:
        outcome = outcome_of(facts.state, tries=facts.attempts)
        if outcome is not None:
            self._outcomes[facts.id] = outcome
        if facts.state is JobState.RUNNING:
            self._running.add(facts.id)

    def _summary(self, facts: JobFacts) -> JobSummary:
        error = None
        if facts.error is not None:
            ended_at = facts.ended_at.isoformat() if facts.ended_at else None
            error = {"type": facts.reason, "message": facts.details, "ts": ended_at}
        return JobSummary(
            job_id=f"{self._run_id}-{facts.id}",
            case_id=facts.case_id,
            state=facts.state.value,
            attempts=facts.attempts + self._tried_before.get(facts.case_id, 0),
            last_error=error,
        )
