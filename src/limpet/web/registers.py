"""The register an address names, as pages and API know it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar, cast

from fastapi import Depends, Path, Query
from pydantic import AfterValidator, BeforeValidator
from sqlalchemy import Connection
from starlette.requests import Request

from limpet.apps.dockets.bounds import Register
from limpet.apps.dockets.case_identifier import full_year
from limpet.apps.dockets.errors import BadCaseNumber
from limpet.apps.dockets.gaps import RegisterGaps, find_gaps
from limpet.apps.dockets.views.coverage import Square, coverage_map
from limpet.apps.dockets.views.registers import RegisterView, list_registers
from limpet.assembly import House
from limpet.errors import NotThere
from limpet.extract.parse.case_number import LARGEST_NUMBER, CaseNumberProblem, parse_case_number
from limpet.record.storable import storable
from limpet.web.lookout import TheHouse

T = TypeVar("T")
_MOST_REMEMBERED = 64
SourceId = Annotated[str, Path(max_length=200, description="A source of dockets.")]
Prefix = Annotated[str, Path(pattern="^[A-Z]{1,5}$", description="The register: IMM, T, A ...")]
Year = Annotated[int, Path(ge=1970, le=2069, description="In full, such as 2025.")]


def _year_in_full(text: Any) -> Any:
    """Return the year two digits or four stand for, as the commands read it; whatever is neither is refused."""
    try:
        return full_year(text) if text else None
    except BadCaseNumber as wrong:
        raise ValueError(f"{wrong} {wrong.fix}") from None


YearAsked = Annotated[
    int | None,
    Query(description="Two digits or four, such as 25 or 2025; empty for all."),
    BeforeValidator(_year_in_full, json_schema_input_type=str | None),
]
First = Annotated[int, Query(ge=0, le=LARGEST_NUMBER, description="The first number.")]


def _canonical(text: str) -> str:
    """Return the name a case is on record under; what names no case stays as it is, and is not found."""
    case = parse_case_number(text)
    return text if isinstance(case, CaseNumberProblem) else str(case)


CaseId = Annotated[
    str,
    Path(max_length=40, description="A case number: imm-0001-2025 is IMM-1-25."),
    AfterValidator(_canonical),
]


class Charts:
    """Maps and gaps of registers, remembered until a number of theirs stands otherwise: then its view differs."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._known: OrderedDict[tuple[str, Register], tuple[RegisterView, Any]] = OrderedDict()

    async def map_of(self, view: RegisterView) -> list[Square]:
        """Return the squares of the register."""
        return await self._drawn(
            "map", view, partial(coverage_map, register=view.register, last=view.map_end)
        )

    async def gaps_of(self, view: RegisterView) -> RegisterGaps:
        """Return its holes."""
        return await self._drawn("gaps", view, partial(find_gaps, register=view.register))

    async def _drawn(self, kind: str, view: RegisterView, look: Callable[[Connection], T]) -> T:
        known = self._known.get((kind, view.register))
        if known is not None and known[0] == view:
            self._known.move_to_end((kind, view.register))
            return cast("T", known[1])
        # Read after the view: should a number change in between, the next view differs from this one.
        drawn = await self._house.ledger.read(look)
        self._known[kind, view.register] = (view, drawn)
        if len(self._known) > _MOST_REMEMBERED:
            self._known.popitem(last=False)
        return drawn


async def _charts_of(request: Request) -> Charts:
    charts: Charts = request.app.state.charts
    return charts


async def _register(house: TheHouse, source_id: SourceId, prefix: Prefix, year: Year) -> RegisterView:
    named = Register(storable(source_id), prefix, year)
    found = await house.ledger.read(partial(list_registers, register=named))
    if not found:
        raise NotThere(f"Nothing is known of {named}.", fix="The list of registers shows all there are.")
    return found[0]


TheCharts = Annotated[Charts, Depends(_charts_of)]
TheRegister = Annotated[RegisterView, Depends(_register)]
