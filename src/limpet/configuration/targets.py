"""The addresses a source watches, from the config file itself or from a list beside it."""

from __future__ import annotations

from pathlib import Path

from limpet.configuration.reading import read_text
from limpet.errors import BadAddress, ConfigError
from limpet.source import Source
from limpet.target.address import parse_address


def gather_targets(
    source: Source, listed: tuple[str, ...], *, targets_file: str | None, config: Path
) -> tuple[str, ...]:
    """Return every address once, in the order given; each is checked against the source's hosts."""
    addresses = [(url, f"{config}, source {source.id!r}") for url in listed]
    if targets_file is not None:
        addresses += _read_list(config.parent / targets_file)
    return tuple(dict.fromkeys(_checked(url, source, place=place) for url, place in addresses))


def _read_list(path: Path) -> list[tuple[str, str]]:
    """One address a line; empty lines and lines that start with # are skipped."""
    lines = enumerate(read_text(path).splitlines(), start=1)
    return [
        (line.strip(), f"{path}, line {number}")
        for number, line in lines
        if line.strip() and not line.lstrip().startswith("#")
    ]


def _checked(url: str, source: Source, *, place: str) -> str:
    try:
        host = parse_address(url).host
    except BadAddress as wrong:
        raise ConfigError(f"{place}: {wrong}", fix=wrong.fix) from None
    if not source.covers(host):
        fix = f'Add "{host}" to the hosts of {source.id!r}, or remove the target.'
        raise ConfigError(f"{place}: {host} is not a host of source {source.id!r}.", fix=fix)
    return url
