"""The options every verb understands. They may stand before or after the verb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from limpet.errors import UsageError

WITH_VALUE = ("--data-dir", "--config", "--log-level")
SWITCHES = {"-v": "verbose", "--verbose": "verbose", "--debug": "debug"}


@dataclass(slots=True)
class GlobalOptions:
    """What was asked beside the verb; None means that nothing was."""

    data_dir: Path | None = None
    config: Path | None = None
    log_level: str | None = None
    verbose: bool = False
    debug: bool = False
    rest: list[str] = field(default_factory=list)

    def as_settings(self) -> dict[str, object]:
        """Return what overrules environment and file."""
        level = self.log_level or ("debug" if self.verbose else None)
        debug = self.debug or None
        return {"data_dir": self.data_dir, "config": self.config, "log_level": level, "debug": debug}


def part_options(words: Sequence[str]) -> GlobalOptions:
    """Take the global options out of the command line, wherever they stand before a bare `--`."""
    _refuse_bytes(words)
    options = GlobalOptions()
    remaining = iter(words)
    for word in remaining:
        name, equals, value = word.partition("=")
        if word == "--":
            options.rest += [word, *remaining]
        elif word in SWITCHES:
            setattr(options, SWITCHES[word], True)
        elif name in WITH_VALUE:
            _set(options, name, value if equals else _next(remaining, name))
        else:
            options.rest.append(word)
    return options


def _refuse_bytes(words: Sequence[str]) -> None:
    """Refuse what is no text: Python hands on bytes it could not decode as lone surrogates, which nothing can keep."""
    for word in words:
        if any("\ud800" <= letter <= "\udfff" for letter in word):
            shown = word.encode("utf-8", "surrogateescape").decode("utf-8", "replace")[:80]
            raise UsageError(f'"{shown}" is not text in UTF-8.', fix="Write it again in UTF-8.")


def _next(words: Iterator[str], name: str) -> str:
    value = next(words, "")
    if not value or value.startswith("--"):
        raise UsageError(f"{name} needs a value.", fix=f"Write it after the option, such as {name} VALUE.")
    return value


def _set(options: GlobalOptions, name: str, value: str) -> None:
    if not value:
        raise UsageError(f"{name} needs a value.", fix=f"Write it after the option, such as {name} VALUE.")
    if name == "--log-level":
        options.log_level = value
    else:
        setattr(options, name[2:].replace("-", "_"), Path(value))
