"""Gathers configured sites: `[[sites]]` of the config file, and one file each in the folder `sites` beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from limpet.configuration.complaint import describe
from limpet.configuration.reading import read_tables
from limpet.configuration.site_plan import SitePlan
from limpet.configuration.sites import FieldsTable, FieldTable, SiteTable
from limpet.errors import ConfigError

FOLDER = "sites"
SUFFIXES = (".yaml", ".yml", ".toml")


def gather_sites(tables: Iterable[Mapping[str, Any]], *, config: Path) -> tuple[SitePlan, ...]:
    """Return every configured site, checked, or raise ConfigError naming file, site and field."""
    seen: dict[str, str] = {}
    plans = []
    for place, table in _everywhere(tables, config):
        plan = _checked(table, place)
        if plan.id in seen:
            raise ConfigError(
                f"{place}: the site id {plan.id!r} already stands in {seen[plan.id]}.",
                fix="Give each site its own id.",
            )
        seen[plan.id] = place
        plans.append(plan)
    return tuple(plans)


def _everywhere(tables: Iterable[Mapping[str, Any]], config: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from ((str(config), table) for table in tables)
    folder = config.parent / FOLDER
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.suffix.lower() in SUFFIXES and path.is_file():
            yield str(path), read_tables(path)


def _checked(table: Mapping[str, Any], place: str) -> SitePlan:
    try:
        return SiteTable.model_validate(table).as_plan()
    except ValidationError as wrong:
        problems = wrong.errors(include_url=False)
        raise ConfigError(_sentence(problems, table, place), fix=_fix(problems[0])) from None


def _sentence(problems: list[ErrorDetails], table: Mapping[str, Any], place: str) -> str:
    first = problems[0]
    field = ".".join(str(part) for part in first["loc"] if not isinstance(part, int))
    what = describe(first, known=_known(first["loc"]))
    name = f"site {table['id']!r}" if isinstance(table.get("id"), str) else "a site"
    more = f" ({len(problems) - 1} more after this one)" if len(problems) > 1 else ""
    end = "" if what.endswith("?") else "."
    return f"{place}: {field} of {name} {what}{end}{more}" if field else f"{place}: {name} {what}{end}{more}"


def _known(location: tuple[int | str, ...]) -> list[str]:
    depth = len([part for part in location if isinstance(part, str)])
    shape = (SiteTable, FieldsTable, FieldTable)[min(depth - 1, 2)] if depth else SiteTable
    return list(shape.model_fields)


def _fix(problem: ErrorDetails) -> str:
    if problem["type"] == "extra_forbidden":
        return f"Known here: {', '.join(_known(problem['loc']))}."
    return "Correct it; docs/sites.md shows a whole site as configuration."
