"""What bodies have in common: unknown fields are a mistake, and every deed says why."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from limpet.web.asking import LARGEST_ID

Why = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
    Field(description="Why; kept in the audit log.", examples=["their terms changed"]),
]
Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]


class Body(BaseModel):
    """Unknown fields are a mistake, and said to be one."""

    model_config = ConfigDict(extra="forbid")


class Reasoned(Body):
    """A deed that needs nothing but its reason."""

    reason: Why


class Done(BaseModel):
    """It is done and on record."""

    ok: Literal[True] = True
    count: int = Field(default=1, description="How many were concerned.", examples=[1])
