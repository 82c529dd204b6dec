"""A probe as it goes, a line for every number that was asked for."""

from __future__ import annotations

import typer

from limpet.apps.dockets.addresses import case_at
from limpet.engine.watcher import Silence
from limpet.record.entry import Settlement


class Counting(Silence):
    """Writes each number with what the court said."""

    def __init__(self) -> None:
        self._probes = 0

    def settled(self, settlement: Settlement) -> None:
        self._probes += 1
        case = case_at(settlement.lease.target.address)
        typer.echo(f"  {self._probes:>3}  {case}  {settlement.outcome.value}")
