"""Probing: the end of a year is looked for by asking for cases, and each of them is recorded like any other.

A probe is a run. Its next question is found by going through the search again with the answers the ledger holds, so
that whoever walks the run - a command, the service, a worker elsewhere, now or after a crash - asks the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection, select

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.bounds import Register, RememberedBound, last_probe, remember_bound
from limpet.apps.dockets.feed import target_of_case
from limpet.apps.dockets.standing import known_cases
from limpet.apps.dockets.upper_bound import ProbeTerms, Search, UpperBound
from limpet.extract import Missing
from limpet.extract.parse.case_number import CaseNumber
from limpet.record.entry import Run
from limpet.record.ledger import Ledger
from limpet.record.making_room import TAKEN_OVER
from limpet.record.tables import jobs, targets
from limpet.source import Source
from limpet.target import JobState, Target

FRESH_FOR = timedelta(days=7)
PARAM = "probe"


@dataclass(frozen=True, slots=True)
class ProbeWish:
    """What a person asked for: which register, how hard to look, how long the answer is believed."""

    prefix: str
    year: int  # in full
    terms: ProbeTerms = field(default_factory=ProbeTerms)
    fresh_for_seconds: float = FRESH_FOR.total_seconds()
    believes_for_seconds: float = FRESH_FOR.total_seconds()  # the absence of a number nobody has got past yet

    @classmethod
    def of(cls, run: Run) -> ProbeWish | None:
        """Return what a run looks for; None when it is a batch."""
        return cls.from_params(run.params)

    @classmethod
    def from_params(cls, params: Mapping[str, Any]) -> ProbeWish | None:
        """Return what a run with these params looks for; None when it is a batch."""
        said = params.get(PARAM)
        return cls(**{**said, "terms": ProbeTerms(**said["terms"])}) if isinstance(said, dict) else None

    def to_params(self) -> dict[str, Any]:
        """Return it as the run remembers it."""
        return {PARAM: asdict(self)}

    def register_at(self, source_id: str) -> Register:
        """Return the register it is about."""
        return Register(source_id, self.prefix, self.year)


@dataclass(frozen=True, slots=True)
class NextNumber:
    """The search goes on with this one."""

    number: int


class _Unasked(Exception):
    """The search has come to a number nobody has asked for."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A number that could not be asked for, and why; what was answered stays answered."""

    case_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answers:
    """What the ledger can answer: before the run, and in it."""

    before: Mapping[int, bool]
    in_run: Mapping[int, bool]
    broken: Broken | None

    async def ask(self, number: int) -> bool:
        """Return what the court said in this run; raise _Unasked when it was not asked yet."""
        if number not in self.in_run:
            raise _Unasked(number)
        return self.in_run[number]


async def following(run: Run, source: Source, ledger: Ledger) -> list[Target]:
    """Return the number to ask for next; when the end is proven, remember it."""
    wish = ProbeWish.of(run)
    if wish is None:
        return []
    found = await how_it_stands(run, ledger)
    if isinstance(found, NextNumber):
        return [target_of_case(source, CaseNumber(wish.prefix, wish.year, found.number))]
    if isinstance(found, UpperBound) and found.is_proven:
        await ledger.write(
            partial(_remember, wish=wish, source_id=source.id, bound=found, now=ledger.clock.now())
        )
    return []


async def how_it_stands(run: Run, ledger: Ledger) -> UpperBound | NextNumber | Broken:
    """Return what the search has come to, from the answers on record alone."""
    wish = ProbeWish.of(run)
    assert wish is not None and run.source_id is not None
    answers = await ledger.read(partial(_answers, run=run, wish=wish))
    if answers.broken is not None:
        return answers.broken
    try:
        return await Search(answers.ask, wish.terms, answers.before).run()
    except _Unasked as question:
        return NextNumber(*question.args)


async def fresh_bound(ledger: Ledger, register: Register) -> RememberedBound | None:
    """Return what the last probe found, while it holds."""
    found = await ledger.read(partial(last_probe, register=register))
    return found if found is not None and found.expires_at > ledger.clock.now() else None


def is_known_to_probe(connection: Connection, run: Run, *, wish: ProbeWish, number: int) -> bool:
    """Whether the search need not ask for this number any more: another run did."""
    return number in _answers(connection, run, wish).before


def _answers(connection: Connection, run: Run, wish: ProbeWish) -> Answers:
    in_run, broken = _answers_in(connection, run.id)
    register = wish.register_at(run.source_id or "")
    cases = known_cases(connection, register.source_id, [register.year])
    believed_for = timedelta(seconds=wish.believes_for_seconds)
    before = {
        case.number: known.status == "succeeded"
        for case, known in cases.items()
        if case.prefix == register.prefix
        and case.number not in in_run
        and (known.status == "succeeded" or known.is_absent(run.started_at, believed_for=believed_for))
    }
    return Answers(before, in_run, broken)


def _answers_in(connection: Connection, run_id: int) -> tuple[dict[int, bool], Broken | None]:
    question = (
        select(targets.c.canonical_url, jobs.c.state, jobs.c.reason, jobs.c.details)
        .join(targets, targets.c.id == jobs.c.target_id)
        .where(jobs.c.run_id == run_id)
    )
    found: dict[int, bool] = {}
    broken = None
    for row in connection.execute(question):
        case = case_at(row.canonical_url)
        assert case is not None
        if row.state in (JobState.SUCCEEDED, JobState.NO_RECORD):
            found[case.number] = row.state == JobState.SUCCEEDED
        elif row.reason == Missing.PAGE_STRUCTURE_CHANGED.value:
            found[case.number] = True  # we cannot read it, but the court has it
        elif row.reason == TAKEN_OVER:
            continue  # another run has the answer, and it counts as known before
        else:
            broken = Broken(str(case), f"{row.reason or row.state} {row.details or ''}".strip())
    return found, broken


def _remember(
    connection: Connection, *, wish: ProbeWish, source_id: str, bound: UpperBound, now: datetime
) -> None:
    remember_bound(
        connection,
        wish.register_at(source_id),
        bound,
        terms=wish.terms,
        found_at=now,
        expires_at=now + timedelta(seconds=wish.fresh_for_seconds),
    )
