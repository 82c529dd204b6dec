"""What bodies have in common: unknown fields are a mistake, and every deed says why."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from limpet.web.asking import LARGEST_ID, is_plain


def _refuse_controls(text: str) -> str:
    if not is_plain(text):
        raise ValueError("control characters cannot be kept; send plain text")
    return text


Why = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
    AfterValidator(_refuse_controls),
    Field(description="Why; kept in the audit log.", examples=["their terms changed"]),
]
PerhapsWhy = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=500),
    AfterValidator(_refuse_controls),
    Field(description="Why, if you like; kept in the audit log.", examples=["asked for by the library"]),
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
