"""From a config file to sources and targets: parsed once, trusted afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from limpet.configuration.complaint import describe
from limpet.configuration.reading import read_tables
from limpet.configuration.scraper_table import settings_of_scraper
from limpet.configuration.shape import ConfigTable, SourceTable, keys_at
from limpet.configuration.site_files import gather_sites
from limpet.configuration.site_plan import SitePlan
from limpet.configuration.targets import gather_targets
from limpet.errors import ConfigError
from limpet.source import Source


@dataclass(frozen=True, slots=True)
class ConfiguredSource:
    """A source as the file describes it, and the addresses to watch there."""

    source: Source
    targets: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is allowed but should be known: each is a whole sentence."""
        source = self.source
        facts = (
            (
                source.enabled and not source.terms.are_approved,
                "is not approved and will be refused: fill in [terms]",
            ),
            (not source.enabled, f"is switched off ({source.disabled_reason or 'no reason given'})"),
            (not source.obey_robots, "does not obey robots.txt"),
            (
                source.allow_private_addresses,
                "may reach private addresses: right only for machines of your own",
            ),
            # The other apps go by an index, by numbers or by what is live; a shop is visited by its list alone.
            (source.app == "prices" and not self.targets, "has no targets"),
        )
        return tuple(f"source {source.id!r} {words}." for holds, words in facts if holds)


@dataclass(frozen=True, slots=True)
class Config:
    """Everything the file says about sources."""

    sources: tuple[ConfiguredSource, ...] = ()
    path: Path | None = None
    sites: tuple[SitePlan, ...] = ()
    by_id: Mapping[str, ConfiguredSource] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {each.source.id: each for each in self.sources})


def load_config(path: Path) -> Config:
    """Return the checked config, or raise ConfigError with one sentence and its fix."""
    tables = _checked_tables(path)
    _refuse_twins(tables.sources, path)
    sites = gather_sites(tables.sites, config=path)
    return Config(tuple(_configured(table, path) for table in tables.sources), path, sites)


def read_settings_table(path: Path) -> dict[str, Any]:
    """Return the `[settings]` table alone, unchecked: `limpet.settings` knows its keys.

    What a nested `scraper:` table means stands below it: where both speak, `[settings]` is right.
    """
    tables = read_tables(path)
    settings = tables.get("settings", {})
    if not isinstance(settings, dict):
        raise ConfigError(f"{path}: settings must be a table.", fix="Write [settings] and its keys below it.")
    if "scraper" in tables:
        return settings_of_scraper(tables["scraper"], path=path) | settings
    return settings


def _checked_tables(path: Path) -> ConfigTable:
    raw = read_tables(path)
    try:
        return ConfigTable.model_validate(raw)
    except ValidationError as wrong:
        problems = wrong.errors(include_url=False)
        raise ConfigError(
            _sentence(problems[0], path, raw=raw, others=len(problems) - 1), fix=_fix(problems[0])
        ) from None


def _sentence(error: ErrorDetails, path: Path, *, raw: Mapping[str, Any], others: int) -> str:
    location = error["loc"]
    more = f" ({others} more after this one)" if others else ""
    what = describe(error, known=keys_at(location))
    separator = "" if what.endswith("?") else "."
    return f"{path}{_line(path, location)}: {_field(location, raw)} {what}{separator}{more}"


def _field(location: tuple[int | str, ...], raw: Mapping[str, Any]) -> str:
    """Return `pace.jitter of source "shop"`: the place in words people can search for."""
    if len(location) < 2 or location[0] != "sources" or not isinstance(location[1], int):
        return ".".join(map(str, location)) or "the file"
    source = raw["sources"][location[1]]
    name = source.get("id") if isinstance(source, dict) else None
    owner = f"source {name!r}" if name else f"source number {location[1] + 1}"
    path = ".".join(str(part) for part in location[2:] if not isinstance(part, int))
    return f"{path} of {owner}" if path else owner


def _line(path: Path, location: tuple[int | str, ...]) -> str:
    """Return the line when the key stands in the file exactly once; a guess would mislead."""
    keys = [part for part in location if isinstance(part, str)]
    if not keys:
        return ""
    key = re.compile(rf"""^[\s-]*\[*["']?(?:[\w.]+\.)?{re.escape(keys[-1])}["']?\s*(?:[=:]|\]+)""")
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    found = [number for number, line in enumerate(lines, start=1) if key.match(line)]
    return f", line {found[0]}" if len(found) == 1 else ""


def _fix(error: ErrorDetails) -> str:
    if error["type"] == "extra_forbidden":
        return f"Known here: {', '.join(keys_at(error['loc']))}."
    return "Correct it; docs/settings.md lists every key with an example."


def _refuse_twins(sources: tuple[SourceTable, ...], path: Path) -> None:
    seen: set[str] = set()
    for table in sources:
        if table.id in seen:
            raise ConfigError(
                f"{path}: the source id {table.id!r} stands twice.", fix="Give each source its own id."
            )
        seen.add(table.id)


def _configured(table: SourceTable, path: Path) -> ConfiguredSource:
    source = table.as_source()
    targets = gather_targets(source, table.targets, targets_file=table.targets_file, config=path)
    return ConfiguredSource(source, targets)
