"""Which judgments somebody asks for, read from an address: the same words on the page, in the API and in exports."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Query
from pydantic import AfterValidator

from limpet.apps.judgments.case_filter import CaseFilter
from limpet.web.asking import LARGEST_ID, Search, plain

State = Annotated[
    Literal["stored", "waiting", "failed", "criminal", "removed", ""] | None,
    Query(
        description="How it stands: its PDF stored, to be fetched, failed, left out, or gone from the index."
    ),
]
Change = Annotated[
    Literal["new", "changed", "removed", "reappeared", ""] | None,
    Query(
        description="What a version of the index did to it; the newest applied one unless `version` names another."
    ),
]
Version = Annotated[int | None, Query(ge=1, le=LARGEST_ID, description="Whose `change` is meant.")]


async def _wanted(
    *,
    source: Search = None,
    search: Annotated[
        str | None,
        Query(max_length=200, description="Words of title, numbers, subject or token; all must occur."),
        AfterValidator(plain),
    ] = None,
    court: Search = None,
    category: Search = None,
    state: State = None,
    change: Change = None,
    version: Version = None,
) -> CaseFilter:
    return CaseFilter(
        source_id=source or None,
        search=search or None,
        court=court or None,
        category=category or None,
        state=state or None,
        change=change or None,
        version_id=version,
    )


TheCases = Annotated[CaseFilter, Depends(_wanted)]


def as_query(wanted: CaseFilter) -> dict[str, str]:
    """Return the question as the address has it, for a link that asks it again."""
    named = {
        "search": wanted.search,
        "source": wanted.source_id,
        "court": wanted.court,
        "category": wanted.category,
        "state": wanted.state,
        "change": wanted.change,
        "version": wanted.version_id,
    }
    return {name: str(value) for name, value in named.items() if value is not None}
