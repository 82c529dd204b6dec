"""The register an address names, as pages and API know it."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Query

from limpet.apps.dockets.bounds import Register
from limpet.apps.dockets.views.registers import RegisterView, list_registers
from limpet.errors import NotThere
from limpet.extract.parse.case_number import LARGEST_NUMBER
from limpet.record.storable import storable
from limpet.web.lookout import TheHouse

SourceId = Annotated[str, Path(max_length=200, description="A source of dockets.")]
Prefix = Annotated[str, Path(pattern="^[A-Z]{1,5}$", description="The register: IMM, T, A ...")]
Year = Annotated[int, Path(ge=1970, le=2069, description="In full, such as 2025.")]
First = Annotated[int, Query(ge=0, le=LARGEST_NUMBER, description="The first number.")]


async def _register(house: TheHouse, source_id: SourceId, prefix: Prefix, year: Year) -> RegisterView:
    named = Register(storable(source_id), prefix, year)
    found = await house.ledger.read(partial(list_registers, register=named))
    if not found:
        raise NotThere(f"Nothing is known of {named}.", fix="The list of registers shows all there are.")
    return found[0]


TheRegister = Annotated[RegisterView, Depends(_register)]
