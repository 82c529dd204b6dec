"""What may be asked for in an address: numbers the ledger can hold, words it knows."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Form, Path, Query
from pydantic import AfterValidator

LARGEST_ID = 2**63 - 1
# Nobody types these; a page that echoed them would not be HTML, and Postgres refuses the first of them.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def plain(text: str | None) -> str | None:
    """Return the text without control characters; tabs and line ends stay."""
    return _CONTROLS.sub("", text) if text else text


def is_plain(text: str) -> bool:
    """Whether the text holds no control character but tabs and line ends."""
    return _CONTROLS.search(text) is None


RowNumber = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The id the ledger gave it.")]
After = Annotated[
    int, Query(ge=0, le=LARGEST_ID, description="The `next` of the page before; 0 for the first page.")
]
Limit = Annotated[int, Query(ge=1, le=500, description="How many at most.")]
Search = Annotated[str | None, Query(max_length=200), AfterValidator(plain)]
Reason = Annotated[
    str, Form(max_length=500, description="Why; kept in the audit log."), AfterValidator(plain)
]
