"""The docket reader's pen: how each number stands, and a new version of whatever has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.case_rows import put_cases
from limpet.apps.dockets.checking import contradictions
from limpet.apps.dockets.document_rows import put_documents
from limpet.apps.dockets.history import put_versions
from limpet.apps.dockets.known_rows import known_rows
from limpet.record.entry import Settlement
from limpet.target import Outcome


class DocketBookkeeper:
    """Status in place, cases and entries only ever appended."""

    app = "dockets"

    def write(self, connection: Connection, settled: Sequence[Settlement]) -> None:
        """Write what these settlements say about their numbers; one that was never asked says nothing."""
        asked = [each for each in settled if each.outcome is not Outcome.SKIPPED]
        about_cases = [each for each in asked if case_at(each.lease.target.address) is not None]
        for part in without_twins(about_cases):
            known = known_rows(connection, part)
            changes = put_cases(connection, part, known)
            put_versions(connection, changes)
        put_documents(connection, [each for each in asked if case_at(each.lease.target.address) is None])

    def identities(
        self, connection: Connection, run_id: int, *, lane: str | None = None
    ) -> Iterable[tuple[str, int]]:
        """Return nothing: a number is one target, so a run cannot meet it twice."""
        return ()

    def check(self, connection: Connection) -> Iterable[tuple[str, str]]:
        """Yield what must not be."""
        return contradictions(connection)


def without_twins(settled: Sequence[Settlement]) -> Iterator[list[Settlement]]:
    """Yield the settlements in parts that hold each target once: two runs may settle the same one together."""
    rest = list(settled)
    while rest:
        part: list[Settlement] = []
        later: list[Settlement] = []
        seen: set[int] = set()
        for each in rest:
            is_twin = each.lease.target.id in seen
            (later if is_twin else part).append(each)
            seen.add(each.lease.target.id)
        yield part
        rest = later
