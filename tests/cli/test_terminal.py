"""What a site wrote reaches the terminal as text: it is not styled, replaced or obeyed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.table import Table

from limpet.cli import terminal
from limpet.cli.listing import print_rows
from limpet.cli.terminal import Terminal, words

HOSTILE = [
    "[/bold] closes what nobody opened",
    "[red]not red[/red] [link=http://evil.example]here[/link]",
    ":boom: is no picture",
    "http://[::1]:80/[x]",
]
ORDERS = ["\x1b[2J", "\x1b]0;renamed\x07", "\x9b31m", "\u202etxet", "\x08\x08\x08", "\r"]


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_and_emoji_in_a_title_are_shown_as_they_are(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table()
    table.add_column("title", no_wrap=True)
    table.add_row(text)

    Terminal(width=200).print(text, table, words((text, "red")), text)
    print_rows([{"title": text}])

    assert capsys.readouterr().out.count(text) == 5


@pytest.mark.parametrize("order", ORDERS)
def test_nothing_in_a_title_is_obeyed_by_the_terminal(order: str, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table()
    table.add_column(f"title{order}")
    table.add_row(f"before{order}after")

    Terminal(width=200).print(f"before{order}after", table, words((f"before{order}after", "red")))

    shown = capsys.readouterr().out
    assert re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", shown) is None
    assert shown.count("before") == shown.count("after") == 3


def test_every_command_prints_by_the_terminal() -> None:
    folder = Path(terminal.__file__).parent
    others = [
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        if path.name != "terminal.py" and "rich.console" in path.read_text()
    ]

    assert others == []
