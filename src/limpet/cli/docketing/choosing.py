"""Which register of which source a command is about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from limpet.cli.source_choice import only_source

if TYPE_CHECKING:
    from limpet.apps.dockets.bounds import Register
    from limpet.assembly import House

NAME = "dockets"
_LONGEST_HOURS = 87_600  # ten years; whatever is longer is meant otherwise


def hours_option(help_text: str) -> Any:
    """Return an option that takes a number of hours."""
    return typer.Option(metavar="HOURS", min=0, max=_LONGEST_HOURS, callback=_real_hours, help=help_text)


def _real_hours(hours: float) -> float:
    """Refuse what is no number of hours: a range alone lets NaN through."""
    if math.isnan(hours):
        raise typer.BadParameter("nan is no number of hours.")
    return hours


def only_other_years(years: Sequence[int]) -> str:
    """Say that nothing of the year is on record, and of which years something is."""
    return f"No number of this year was asked for yet. On record: {', '.join(map(str, years))}."


def register_of(house: House, source_id: str | None, *, prefix: str, year: str) -> Register:
    """Return the register a person means, or raise UsageError with the fix."""
    from limpet.apps.dockets.wishes import register_named  # noqa: PLC0415 - heavy, and not needed for help

    named = register_named("", prefix, year)
    return replace(
        named, source_id=_of_dockets(house, source_id) if source_id else only_source(house, app=NAME)
    )


def _of_dockets(house: House, source_id: str) -> str:
    """Refuse a source of another app; one that is no longer configured may still be on record."""
    is_configured = any(each.id == source_id for each in house.catalogue.list())
    return house.catalogue.get(source_id, app=NAME).id if is_configured else source_id
