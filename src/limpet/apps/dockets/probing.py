"""Probing: the end of a year is looked for by asking for cases, and each of them is recorded like any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from limpet.apps.dockets.bounds import Register, RememberedBound, last_probe, remember_bound
from limpet.apps.dockets.errors import ProbeBroken
from limpet.apps.dockets.feed import target_of_case
from limpet.apps.dockets.standing import known_cases
from limpet.apps.dockets.upper_bound import ProbeTerms, Search, UpperBound
from limpet.engine.stepping import Steps
from limpet.extract import Missing
from limpet.extract.parse.case_number import CaseNumber
from limpet.record.entry import Settlement
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import Outcome

FRESH_FOR = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Prober:
    """Looks for the end of one register, asking only for what nobody has asked for yet."""

    register: Register
    source: Source
    terms: ProbeTerms
    fresh_for: timedelta
    believes_for: timedelta  # how long the absence of a number nobody has got past yet
    on_probe: Callable[[CaseNumber, Settlement], None]

    async def probe(self, steps: Steps) -> UpperBound:
        """Return the bound, remembered when it is proven; raises ProbeBroken when a number cannot be asked for."""
        ledger = steps.ledger
        search = Search(partial(self._ask, steps), self.terms, await self.known(ledger))
        bound = await search.run()
        if bound.is_proven:
            now = ledger.clock.now()
            keep = partial(
                remember_bound,
                register=self.register,
                bound=bound,
                terms=self.terms,
                found_at=now,
                expires_at=now + self.fresh_for,
            )
            await ledger.write(keep)
        return bound

    async def known(self, ledger: Ledger) -> dict[int, bool]:
        """Return what the ledger can answer: cases on record, and absences that still hold."""
        register, now = self.register, ledger.clock.now()
        cases = await ledger.read(partial(known_cases, source_id=register.source_id, years=[register.year]))
        return {
            case.number: known.status == "succeeded"
            for case, known in cases.items()
            if case.prefix == register.prefix
            and (known.status == "succeeded" or known.is_absent(now, believed_for=self.believes_for))
        }

    async def _ask(self, steps: Steps, number: int) -> bool:
        case = CaseNumber(self.register.prefix, self.register.year, number)
        settlement = await steps.take(target_of_case(self.source, case))
        if settlement is None:
            raise ProbeBroken(f"{case} was not asked for: we were stopped, or the site stayed shut.")
        self.on_probe(case, settlement)
        if settlement.outcome in (Outcome.SUCCEEDED, Outcome.NO_RECORD):
            return settlement.outcome is Outcome.SUCCEEDED
        if settlement.reason == Missing.PAGE_STRUCTURE_CHANGED.value:
            return True  # we cannot read it, but the court has it
        raise ProbeBroken(
            f"{case} could not be asked for: {settlement.reason} {settlement.details}".strip(),
            fix=f"See `limpet show {steps.run.id}`, then probe again: what was answered is not asked twice.",
        )


async def fresh_bound(ledger: Ledger, register: Register) -> RememberedBound | None:
    """Return what the last probe found, while it holds."""
    found = await ledger.read(partial(last_probe, register=register))
    return found if found is not None and found.expires_at > ledger.clock.now() else None
