"""A batch: which numbers it goes over, told by its run, and how its jobs are planned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, bindparam, update

from limpet.apps.dockets.account.carrying import carry_on
from limpet.apps.dockets.case_identifier import case_number
from limpet.apps.dockets.documents import documents_to_fetch
from limpet.apps.dockets.feed import target_of_case
from limpet.apps.dockets.probing import ProbeWish
from limpet.apps.dockets.standing import COOL_DOWN, Standing, Survey, known_cases, survey
from limpet.apps.dockets.watching import cases_to_watch
from limpet.engine.app import Scene
from limpet.errors import UsageError
from limpet.extract.parse.case_number import LARGEST_NUMBER, CaseNumber
from limpet.record.keeping_targets import put_targets
from limpet.record.ledger import Ledger, Selection
from limpet.record.planning import in_batches
from limpet.record.tables import targets
from limpet.source import Source
from limpet.target import Target

DEFAULT_PREFIX = "IMM"


@dataclass(frozen=True, slots=True)
class Batch:
    """What a person asked for. `end` = `start` + `max_cases` - 1, never beyond what a register can have."""

    prefix: str = DEFAULT_PREFIX
    year: int | None = None  # in full
    start: int = 1
    end: int | None = None
    cases: tuple[str, ...] = ()
    force: bool = False
    extras: tuple[str, ...] = ()
    documents: bool = False  # go over published documents instead of cases
    cool_down_seconds: float = COOL_DOWN.total_seconds()
    checkpoint: str | None = None  # the folder of a checkpoint this batch goes on from

    @classmethod
    def from_params(cls, params: Mapping[str, Any]) -> Batch:
        """Return the batch a run was opened with."""
        known = {name: params[name] for name in cls.__slots__ if params.get(name) is not None}
        for name in ("cases", "extras"):
            known[name] = tuple(known.get(name, ()))
        return cls(**known)

    def to_params(self) -> dict[str, Any]:
        """Return it as the run remembers it."""
        return {name: getattr(self, name) for name in type(self).__slots__}

    @property
    def names_cases(self) -> bool:
        """Whether it says itself which numbers it goes over."""
        return self.year is not None or bool(self.cases) or self.checkpoint is not None

    def numbers(self) -> Iterator[CaseNumber]:
        """Yield the numbers it goes over, in order."""
        for text in self.cases:
            yield case_number(text)
        if self.year is not None and not self.cases:
            last = LARGEST_NUMBER if self.end is None else min(self.end, LARGEST_NUMBER)
            for number in range(self.start, last + 1):
                yield CaseNumber(self.prefix, self.year, number)


def last_number(start: int, max_cases: int) -> int:
    """Return where a batch of so many numbers ends: 30 and 50 give 79."""
    if not 0 <= start <= LARGEST_NUMBER or max_cases < 1:
        raise UsageError(
            f"A batch of {max_cases} numbers from {start} cannot be.",
            fix=f"Start between 0 and {LARGEST_NUMBER}, with at least one case.",
        )
    room = LARGEST_NUMBER - start + 1
    if max_cases > room:
        raise UsageError(
            f"{max_cases:,} numbers from {start} go beyond {LARGEST_NUMBER}, the last a register can have.",
            fix=f"From {start} on there is room for {room:,}.",
        )
    return start + max_cases - 1


async def survey_batch(ledger: Ledger, source: Source, batch: Batch) -> Survey:
    """Return what would be asked for, and what is left alone and why. Asks nobody."""
    cases = list(batch.numbers())
    years = {case.year for case in cases}
    known = await ledger.read(partial(known_cases, source_id=source.id, years=years))
    cool_down = timedelta(seconds=batch.cool_down_seconds)
    return survey(cases, known, now=ledger.clock.now(), cool_down=cool_down, force=batch.force)


async def documents_of_batch(ledger: Ledger, source: Source, batch: Batch) -> list[Target]:
    """Return the documents a batch goes over: of its numbers, or of everything on record. Asks nobody."""
    is_wanted = set(batch.numbers()).__contains__ if batch.names_cases else _every
    return await ledger.read(partial(documents_to_fetch, source=source, is_wanted=is_wanted))


async def prepare(scene: Scene) -> Selection | Iterable[Target]:
    """Return the targets of a batch. A run that names no numbers goes over the cases we know and may ask again."""
    if ProbeWish.of(scene.run) is not None:
        return ()  # its numbers follow from one another
    batch = Batch.from_params(scene.run.params)
    if batch.documents:
        return await documents_of_batch(scene.ledger, scene.source, batch)
    if not batch.names_cases:
        watched = await scene.ledger.read(partial(cases_to_watch, source=scene.source, now=scene.clock.now()))
        return [target_of_case(scene.source, case) for case in watched]
    if batch.checkpoint is not None:
        left = await carry_on(scene.run, scene.ledger, Path(batch.checkpoint))
        batch = replace(batch, cases=tuple(map(str, left)))
    found = await survey_batch(scene.ledger, scene.source, batch)
    counts = {word.value: found.counts[word] for word in Standing}
    await scene.ledger.log_event(
        "batch_surveyed", run_id=scene.run.id, source_id=scene.source.id, payload=counts
    )
    chosen = [target_of_case(scene.source, case, extras=batch.extras) for case in found.to_ask]
    if batch.extras:
        await scene.ledger.write(partial(_ask_for_extras, chosen=chosen, now=scene.clock.now()))
    return chosen


def _every(case: CaseNumber) -> bool:
    return True


def _ask_for_extras(connection: Connection, chosen: Sequence[Target], *, now: Any) -> None:
    """Let targets the ledger knows already carry the extras of this batch."""
    for part in in_batches(chosen, 500):
        put_targets(connection, part, now=now)
        connection.execute(
            update(targets)
            .where(targets.c.source_id == bindparam("of"), targets.c.canonical_url == bindparam("at"))
            .values(params=bindparam("wanted")),
            [{"of": each.source_id, "at": each.address, "wanted": dict(each.params)} for each in part],
        )
