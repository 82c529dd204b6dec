"""The code book: what crex's short codes stand for. A page keeps it in localStorage and fills it late."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping

from limpet.apps.matches.scorecard import Team

_ENTRY = re.compile(r"(?P<kind>[tps])_(?P<code>[0-9A-Za-z]{1,12})_(?P<what>name|short|tour)")
MOST_ENTRIES = 50_000
LONGEST_NAME = 120


class CodeBook:
    """Names by code, shared by every way to the site. A code it does not know stays a code."""

    def __init__(self) -> None:
        self._names: OrderedDict[tuple[str, str, str], str] = OrderedDict()

    def learn(self, entries: Mapping[str, object]) -> int:
        """Take over whatever looks like an entry, and return how many were new; advertisers' junk is left."""
        before = len(self._names)
        for key, value in entries.items():
            found = _ENTRY.fullmatch(key)
            name = " ".join(value.split()) if isinstance(value, str) else ""
            if found is None or not name or len(name) > LONGEST_NAME:
                continue
            self._names[found["kind"], found["code"], found["what"]] = name
        new = len(self._names) - before
        while len(self._names) > MOST_ENTRIES:
            self._names.popitem(last=False)
        return new

    def team(self, code: str, *, otherwise: Team | None = None) -> Team:
        """Return the side, as far as it is known; `otherwise` is what a list already showed of it."""
        known = otherwise or Team(code)
        name = self._names.get(("t", code, "name")) or known.name
        return Team(code, name, self._names.get(("t", code, "short")) or known.short_name)

    def player(self, code: str) -> str:
        """Return the name, or nothing."""
        return self._names.get(("p", code, "name"), "")

    def series(self, code: str) -> str:
        """Return the name, or nothing."""
        return self._names.get(("s", code, "name"), "")

    def __len__(self) -> int:
        return len(self._names)
