"""From what a person wrote - a register, a year, where to begin - to a batch with an end."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from limpet.apps.dockets.batch import Batch, last_number
from limpet.apps.dockets.bounds import Register, remembered_bound
from limpet.apps.dockets.case_identifier import full_year
from limpet.apps.dockets.errors import BadCaseNumber
from limpet.errors import UsageError
from limpet.extract.parse.case_number import CaseNumberProblem, parse_case_number
from limpet.record.ledger import Ledger


def register_named(source_id: str, prefix: str, year: str) -> Register:
    """Return the register a person means, `imm` and `25` being IMM of 2025, or raise BadCaseNumber."""
    in_full = full_year(year)
    case = parse_case_number(f"{prefix}-0-{in_full}")
    if isinstance(case, CaseNumberProblem):
        raise BadCaseNumber(
            f"{prefix[:40]!r} is no register.", fix="Write letters alone, such as IMM, T or A."
        )
    return Register(source_id, case.prefix, case.year)


def batch_over(register: Register, *, start: int, max_cases: int | None) -> Batch:
    """Return the batch over so many numbers of a register; without a number, to wherever its end may be."""
    end = last_number(start, max_cases) if max_cases is not None else None
    return Batch(prefix=register.prefix, year=register.year, start=start, end=end)


async def with_known_end(ledger: Ledger, source_id: str, batch: Batch) -> Batch:
    """Return the batch with an end: a year without one goes as far as its last probe found numbers."""
    if batch.year is None or batch.end is not None or batch.documents:
        return batch
    find = partial(remembered_bound, source_id=source_id, prefix=batch.prefix, year=batch.year)
    end = await ledger.read(partial(find, now=ledger.clock.now()))
    if end is None:
        suffix = f"{batch.year % 100:02d}"
        raise UsageError(
            f"Nobody knows yet how far {batch.prefix} goes in {batch.year}.",
            fix=f"Give --max-cases, or find out: limpet dockets probe --year {suffix}.",
        )
    return replace(batch, end=end)
