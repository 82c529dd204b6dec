"""Keeps the catalogue in step with the ledger: what any process or person switched off is off here too."""

from __future__ import annotations

from dataclasses import dataclass

from limpet.record.ledger import Ledger
from limpet.record.switching import switches
from limpet.source.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Switchboard:
    """Looks at the switches; the gates ask the catalogue."""

    ledger: Ledger
    catalogue: Catalogue

    async def refresh(self) -> None:
        """Make the catalogue know every switch as it stands now."""
        self.catalogue.switch(await self.ledger.read(switches))
