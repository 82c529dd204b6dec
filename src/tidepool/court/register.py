"""What is filed in the public registers: petitions and writs, each with one document."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from tidepool.court.wording import FILINGS, KINDS, PARTIES, REGISTERS

FIRST_DOCUMENT = 50_000_000
LAST_DAY = date(2025, 11, 14)


@dataclass(frozen=True, slots=True)
class Filing:
    """One line of the registers."""

    document: int
    cause_number: str
    filed_on: date
    date_text: str
    title: str
    subject: str
    register: str
    token: str

    def facts(self) -> dict[str, Any]:
        """Return what a perfect reader would have understood of this line."""
        return asdict(self) | {"filed_on": self.filed_on.isoformat()}


class Registers:
    """The filings, newest first; new ones come on top."""

    def __init__(self, seed: int, count: int) -> None:
        self._seed = seed
        self.filings = [_filing(seed, number, count) for number in reversed(range(count))]

    def add(self, count: int) -> list[str]:
        """File so many more, and return their tokens."""
        for _ in range(count):
            number = len(self.filings)
            self.filings.insert(0, _filing(self._seed, number, number))
        return [filing.token for filing in self.filings[:count]]

    def at(self, token: str) -> Filing | None:
        """Return the filing a token speaks of."""
        return next((filing for filing in self.filings if filing.token == token), None)

    def matching(self, register: str, text: str) -> list[Filing]:
        """Return what the page's two filters leave."""
        return [
            filing
            for filing in self.filings
            if register in ("", filing.register)
            and text.lower() in f"{filing.cause_number} {filing.title}".lower()
        ]


def _filing(seed: int, number: int, count: int) -> Filing:
    chance = Random(f"{seed}/registers/{number}")
    day = LAST_DAY - timedelta(days=max(0, count - number) // 2)
    register = chance.choices(REGISTERS, (60, 20, 5, 10, 5))[0]
    letters = "FSD" if register == "Financial Services" else register[:3].upper()
    party = chance.choice(PARTIES)
    return Filing(
        document=FIRST_DOCUMENT + number,
        cause_number=f"{letters} {number + 1:04d} of {day.year}",
        filed_on=day,
        date_text=day.strftime("%d %b %Y" if number % 3 else "%d/%m/%Y"),
        title=f"{party} {chance.choice(KINDS)}",
        subject=chance.choice(FILINGS),
        register=register,
        # The year stands before the number here, the other way round than for judgments.
        token=f"{letters}{day.year}{number + 1:04d}{day:%m%d%Y}{party.upper()[:3]}",
    )
