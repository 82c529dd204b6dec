"""Where commands print. What a site wrote is text there: never markup, and never an order to the terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from limpet.cli.plain import harmless


class Terminal(Console):
    """A console that takes every text as it is. What shall be coloured is said with `style` or `words`."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        super().__init__(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """Return the text ready to be shown; tables and lines all come by here."""
        return super().render_str(harmless(text), **options)


def words(*parts: str | tuple[str, str]) -> Text:
    """Return a line whose parts have styles of their own: `words(("no", "red"), " robots")`."""
    return Text.assemble(*(_part(part) for part in parts))


def _part(part: str | tuple[str, str]) -> str | tuple[str, str]:
    return harmless(part) if isinstance(part, str) else (harmless(part[0]), part[1])
