"""The criminal rule: which judgments are left out, said in one place and counted wherever it applies."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CRIMINAL = re.compile(r"\bcrim", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CriminalRule:
    """A category that speaks of crime is criminal; such cases are kept in the index and not downloaded."""

    pattern: re.Pattern[str] = _CRIMINAL

    def applies(self, category: str | None) -> bool:
        """Whether a case of this category is criminal."""
        return category is not None and self.pattern.search(category) is not None
