"""Which known cases a run without numbers of its own goes over: those that may have changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from sqlalchemy import Connection, select

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.case_identifier import case_number
from limpet.apps.dockets.errors import BadCaseNumber
from limpet.apps.dockets.standing import Known, Standing, known_cases, survey
from limpet.errors import ConfigError
from limpet.extract.parse.case_number import CaseNumber
from limpet.record.tables import targets
from limpet.source import Source

OPTION = "watch"


def cases_to_watch(connection: Connection, source: Source, *, now: datetime) -> list[CaseNumber]:
    """Return the source's cases in order: new ones and those with a docket; never what the court does not have."""
    listed = select(targets.c.canonical_url, targets.c.created_by).where(
        targets.c.source_id == source.id, targets.c.enabled.is_(True), targets.c.status != "paused"
    )
    cases: dict[CaseNumber, str | None] = {
        case: row.created_by for row in connection.execute(listed) if (case := case_at(row.canonical_url))
    }
    cases |= dict.fromkeys(watched_range(source), OPTION)
    known = known_cases(connection, source.id, {case.year for case in cases})
    # What a batch once went over and nothing is known of any more was purged: only a person's own list is new.
    wanted = (case for case, by in cases.items() if case in known or by is not None)
    return sorted(case for case in wanted if _is_watched(case, known, now=now))


def watched_range(source: Source) -> Iterator[CaseNumber]:
    """Yield the numbers a source's `watch` option names: prefix, year, start and max_cases."""
    asked = source.options.get(OPTION)
    if asked is None:
        return
    try:
        start, most = int(asked.get("start", 1)), int(asked["max_cases"])
        first = case_number(f"{asked.get('prefix', 'IMM')}-{start}-{asked['year']}")
        for step in range(most):
            yield first.following(step)
    except (AttributeError, KeyError, TypeError, ValueError, BadCaseNumber) as wrong:
        raise ConfigError(
            f"{OPTION} of source {source.id!r} names no range of numbers.",
            fix=f'Write {OPTION} = {{ year = "25", start = 1, max_cases = 50 }}.',
        ) from wrong


def _is_watched(case: CaseNumber, known: Mapping[CaseNumber, Known], *, now: datetime) -> bool:
    (word,) = survey([case], known, now=now).counts
    return word in (Standing.TO_ASK, Standing.SUCCEEDED_BEFORE)
