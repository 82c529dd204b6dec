"""What may be asked for beside a docket."""

from __future__ import annotations

PARTIES = "parties"
RELATED = "related"
EXTRAS = (PARTIES, RELATED)
