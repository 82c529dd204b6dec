"""`attempts_<time>.ndjson`: a line for every try, appended while the batch goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from limpet.apps.dockets.account.crawl import SCHEMA_VERSION, CrawlOutcome, CrawlResult, outcome_of
from limpet.apps.dockets.account.facts import AttemptFacts, JobFacts
from limpet.apps.dockets.case_identifier import CaseIdentifier
from limpet.record.durable_file import LineFile


class AttemptsFile:
    """Written from the ledger, each job once, whatever crashed in between."""

    def __init__(self, path: Path, run_id: str) -> None:
        self.path, self._run_id = path, run_id
        self._file = LineFile(path)
        self._told = self._repair()

    @property
    def told(self) -> int:
        """How many jobs the file tells to their end."""
        return len(self._told)

    def untold(self, facts: Sequence[JobFacts]) -> list[JobFacts]:
        """Return the ended and attempted jobs the file does not tell yet."""
        return [
            each
            for each in facts
            if each.id not in self._told and outcome_of(each.state, tries=each.attempts) is not None
        ]

    def tell(
        self,
        facts: Sequence[JobFacts],
        tries: Mapping[int, Sequence[AttemptFacts]],
        evidence: Mapping[int, str],
    ) -> None:
        """Append every try of these jobs."""
        lines = [
            orjson.dumps(line)
            for each in facts
            for line in self._lines(each, tries.get(each.id, ()), evidence)
        ]
        if lines:
            self._file.append(b"\n".join(lines) + b"\n")
            self._told.update(each.id for each in facts)

    def close(self) -> None:
        """Let go of it."""
        self._file.close()

    def _repair(self) -> set[int]:
        """Cut away what a crash left of a job, and return those that stand whole."""
        told, whole, place = set(), 0, 0
        for line in self.path.read_bytes().splitlines(keepends=True):
            place += len(line)
            job_id = _job_told_by(line)
            if job_id is not None:
                told.add(job_id)
                whole = place
        if whole < place:
            self._file.cut(whole)
        return told

    def _lines(
        self, facts: JobFacts, tries: Sequence[AttemptFacts], evidence: Mapping[int, str]
    ) -> list[dict[str, Any]]:
        outcome = outcome_of(facts.state, tries=facts.attempts)
        assert outcome is not None
        lines = [self._line(facts, number, each) for number, each in enumerate(tries, start=1)]
        lines = lines or [self._line(facts, 1, None)]
        lines[-1] |= {
            "outcome": outcome.value,
            "error": facts.error,
            "html_path": evidence.get(facts.id),
            "job_id": facts.id,
            "result": _result(facts, outcome, evidence.get(facts.id)).to_json(),
        }
        return lines

    def _line(self, facts: JobFacts, number: int, each: AttemptFacts | None) -> dict[str, Any]:
        return {
            "schema_version": SCHEMA_VERSION,
            "run_id": self._run_id,
            "case_id": facts.case_id,
            "attempt": number,
            "outcome": CrawlOutcome.FAILED.value,
            "status_code": each.status if each else None,
            "timestamp": each.started_at if each else facts.ended_at,
            "error": each.error if each else None,
            "html_path": None,
        }


def _job_told_by(line: bytes) -> int | None:
    """Return the job whose last line this is, if it is a whole one."""
    if not line.endswith(b"\n"):
        return None
    try:
        told = orjson.loads(line).get("job_id")
    except (orjson.JSONDecodeError, AttributeError):
        return None
    return told if isinstance(told, int) else None


def _result(facts: JobFacts, outcome: CrawlOutcome, html: str | None) -> CrawlResult:
    assert facts.ended_at is not None
    return CrawlResult(
        case_identifier=CaseIdentifier.parse(facts.case_id),
        outcome=outcome,
        attempts=max(1, facts.attempts),
        last_error=facts.error,
        saved_path=facts.saved_path,
        html_snapshot=html,
        timestamp=facts.ended_at,
    )
