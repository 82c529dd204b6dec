"""The drawer: every court file by its number, as it stands at a tick."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tidepool.registry.court_file import CourtFile, court_file
from tidepool.registry.entries import Entry
from tidepool.registry.numbers import CourtNumber, Numbers, read_foremost, read_number

KEPT_READY = 512
FILES_SEARCHED = 400


class CourtFiles:
    """All files of all years; nothing is stored, each is invented again from its number."""

    def __init__(self, *, seed: int, files: int) -> None:
        self.seed = seed
        self.numbers = Numbers(files)
        self._file = lru_cache(maxsize=KEPT_READY)(self._invent)

    def find(self, text: str, *, tick: int, division: str = "b") -> CourtFile | None:
        """Return the file of exactly that number in a division (`b` is both), or None."""
        number = read_number(text)
        if number is None or not self.numbers.exists(number, tick=tick):
            return None
        if division not in ("b", number.division):
            return None
        return self._file(number, tick)

    def related(self, file: CourtFile, *, tick: int) -> list[CourtFile]:
        """Return the files this one is related to, as far as they exist."""
        found = (self.find(str(number), tick=tick) for number in file.related)
        return [one for one in found if one is not None]

    def of_party(self, name: str, *, tick: int, division: str = "b") -> Iterator[CourtFile]:
        """Yield files of the latest years whose style of cause has the name in it."""
        for year in ("26", "25"):
            for number in list(self.numbers.of_year(year, tick=tick))[-FILES_SEARCHED:]:
                file = self._file(number, tick)
                if name.upper() in file.style_of_cause and division in ("b", number.division):
                    yield file

    def paper(self, foremost: str, *, tick: int) -> tuple[CourtFile, Entry] | None:
        """Return the published entry behind a document number, or None when nobody may have it."""
        place = read_foremost(foremost)
        file = self.find(str(place[0]), tick=tick) if place else None
        if place is None or file is None:
            return None
        entry = next((one for one in file.entries if one.number == place[1]), None)
        return (file, entry) if entry is not None and entry.has_public_document else None

    def _invent(self, number: CourtNumber, tick: int) -> CourtFile:
        ended = self.numbers.last(number.year, prefix=number.prefix)
        return court_file(number, seed=self.seed, tick=tick, ended=ended)
