"""Which runs would ask for the same numbers, and which numbers were answered while a run waited to ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection, select

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.probing import ProbeWish, is_known_to_probe
from limpet.apps.dockets.standing import Known, stands_answered
from limpet.apps.dockets.tables import docket_cases
from limpet.extract.parse.case_number import LARGEST_NUMBER, CaseNumber
from limpet.record.entry import Run
from limpet.record.ledger import Ledger
from limpet.target import Target


def clashes(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    """Whether a run with these params must not begin while one with those is unfinished.

    What is forced is asked for whatever anybody else asks, and so is what is looked at again for changes.
    """
    batch, other = Batch.from_params(mine), Batch.from_params(theirs)
    if batch.force or batch.documents != other.documents:
        return False
    if batch.checkpoint is not None:
        return batch.checkpoint == other.checkpoint
    return _Stretch.of(mine).meets(_Stretch.of(theirs))


async def is_answered(run: Run, target: Target, ledger: Ledger) -> bool:
    """Whether another run got an answer about this number since this one was planned."""
    case = case_at(target.address)
    if case is None:
        return False
    wish, batch = ProbeWish.of(run), Batch.from_params(run.params)
    if wish is None and (batch.force or not batch.names_cases):
        return False
    known = await ledger.read(partial(_known, source_id=target.source_id, case=case))
    if known is None:
        return False
    if wish is not None:
        return await ledger.read(partial(is_known_to_probe, run=run, wish=wish, number=case.number))
    cool_down = timedelta(seconds=batch.cool_down_seconds)
    return stands_answered(known, since=run.started_at, now=ledger.clock.now(), cool_down=cool_down)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The numbers a run may ask for: a list of them, or a register from one number to another."""

    cases: frozenset[str] = frozenset()
    register: tuple[str, int] | None = None
    first: int = 0
    last: int = LARGEST_NUMBER

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> _Stretch:
        probe, batch = ProbeWish.from_params(params), Batch.from_params(params)
        if probe is not None:
            return cls(register=(probe.prefix, probe.year))
        if batch.cases or batch.year is None:
            return cls(cases=frozenset(batch.cases))
        last = LARGEST_NUMBER if batch.end is None else batch.end
        return cls(register=(batch.prefix, batch.year), first=batch.start, last=last)

    def meets(self, other: _Stretch) -> bool:
        if self.register is None and other.register is None:
            return not self.cases.isdisjoint(other.cases)
        if self.register is None or other.register is None:
            return self._holds_any(other.cases) or other._holds_any(self.cases)
        return self.register == other.register and self.first <= other.last and other.first <= self.last

    def _holds_any(self, cases: frozenset[str]) -> bool:
        numbers = Batch(cases=tuple(cases)).numbers()
        return any(
            (case.prefix, case.year) == self.register and self.first <= case.number <= self.last
            for case in numbers
        )


def _known(connection: Connection, source_id: str, *, case: CaseNumber) -> Known | None:
    columns = docket_cases.c
    question = select(columns.status, columns.last_attempt_at).where(
        columns.source_id == source_id, columns.case_id == str(case)
    )
    row = connection.execute(question).one_or_none()
    return None if row is None else Known(row.status, row.last_attempt_at)
