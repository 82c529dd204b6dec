"""How long things took, in buckets: fetching, reading, and waiting for our own pace. Counted by the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, func, select

from limpet.observe.growing import Counts, Growing
from limpet.record.log_tables import requests
from limpet.record.tables import attempts, jobs

FETCH_BUCKETS_MS = (10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000)
EXTRACT_BUCKETS_MS = (0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 500, 2_500)
WAIT_BUCKETS_MS = (1, 100, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 3_600_000)
_SUM = -1  # beside the buckets, which are numbered from 0


@dataclass(frozen=True, slots=True)
class Distribution:
    """Cumulative counts by upper bound, as Prometheus wants them, and the sum of all values."""

    buckets: Sequence[tuple[str, float]]
    total: float


class Durations:
    """Remembers what it counted; asking again costs only the rows written since."""

    def __init__(self) -> None:
        self._fetches = Growing(requests, _fetches)
        self._waits = Growing(requests, _waits)
        self._readings = Growing(attempts, _readings)

    def fetches(self, connection: Connection) -> Mapping[str, Distribution]:
        """Return how long requests for pages took, by source."""
        return _distributions(self._fetches.read(connection), FETCH_BUCKETS_MS)

    def waits(self, connection: Connection) -> Mapping[str, Distribution]:
        """Return how long requests waited for their turn, by registrable domain."""
        return _distributions(self._waits.read(connection), WAIT_BUCKETS_MS)

    def readings(self, connection: Connection) -> Mapping[str, Distribution]:
        """Return how long pages took to be read, by source."""
        return _distributions(self._readings.read(connection), EXTRACT_BUCKETS_MS)


def _fetches(connection: Connection, which: ColumnElement[bool]) -> Counts:
    question = _sorted_into(requests.c.source_id, requests.c.elapsed_ms, FETCH_BUCKETS_MS)
    return _counted(connection, question.where(which, requests.c.kind != "robots"))


def _waits(connection: Connection, which: ColumnElement[bool]) -> Counts:
    question = _sorted_into(requests.c.domain, requests.c.waited_ms, WAIT_BUCKETS_MS)
    return _counted(connection, question.where(which))


def _readings(connection: Connection, which: ColumnElement[bool]) -> Counts:
    question = _sorted_into(jobs.c.source_id, attempts.c.extract_ms, EXTRACT_BUCKETS_MS)
    joined = question.join_from(attempts, jobs, jobs.c.id == attempts.c.job_id)
    return _counted(connection, joined.where(which, attempts.c.extract_ms.is_not(None)))


def _sorted_into(label: Any, value: Any, bounds: Sequence[float]) -> Select[Any]:
    bucket = case(*((value <= bound, number) for number, bound in enumerate(bounds)), else_=len(bounds))
    return select(label, bucket, func.count(), func.sum(value)).group_by(label, bucket)


def _counted(connection: Connection, question: Select[Any]) -> Counts:
    found: Counts = Counter()
    for label, bucket, count, total in connection.execute(question):
        found[label, bucket] += count
        found[label, _SUM] += total
    return found


def _distributions(counts: Counts, bounds: Sequence[float]) -> dict[str, Distribution]:
    return {label: _distribution(counts, label, bounds) for label in sorted({label for label, _ in counts})}


def _distribution(counts: Counts, label: str, bounds: Sequence[float]) -> Distribution:
    so_far, buckets = 0, []
    for number, name in enumerate([*(f"{float(bound):g}" for bound in bounds), "+Inf"]):
        so_far += counts[label, number]
        buckets.append((name, float(so_far)))
    return Distribution(buckets, float(counts[label, _SUM]))


def merged(distributions: Sequence[Distribution]) -> Distribution:
    """Return one distribution made of several with the same bounds."""
    rows = zip(*(each.buckets for each in distributions), strict=True)
    buckets = [(row[0][0], sum(count for _, count in row)) for row in rows]
    return Distribution(buckets, sum(each.total for each in distributions))
