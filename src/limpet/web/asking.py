"""What may be asked for in an address: numbers the ledger can hold, words it knows."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form, Path, Query

LARGEST_ID = 2**63 - 1

RowNumber = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The id the ledger gave it.")]
After = Annotated[
    int, Query(ge=0, le=LARGEST_ID, description="The `next` of the page before; 0 for the first page.")
]
Limit = Annotated[int, Query(ge=1, le=500, description="How many at most.")]
Search = Annotated[str | None, Query(max_length=200)]
Reason = Annotated[str, Form(max_length=500, description="Why; kept in the audit log.")]
