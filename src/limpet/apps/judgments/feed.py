"""Where judgment targets come from: the index alone. Nobody writes them down by hand."""

from __future__ import annotations

from typing import NoReturn

from limpet.errors import ConfigError
from limpet.source import Source


def target_of(source: Source, url: str) -> NoReturn:
    """Refuse an address written by hand: what there is to fetch stands in the court's index."""
    raise ConfigError(
        f"Source {source.id!r} takes no targets of its own, such as {url[:80]!r}.",
        fix="Leave `targets` out: the court's index names every document.",
    )
