"""What `limpet adapters canary` prints."""

from __future__ import annotations

import json
import sys

from limpet.cli.rereading import WORDS, examples_table
from limpet.cli.terminal import Terminal
from limpet.engine.comparing import Change
from limpet.engine.page_canary import CanaryFlight
from limpet.engine.reread_report import examples_of


def show_flight(flight: CanaryFlight, *, as_json: bool) -> None:
    """Print what became of the pages, and every one that got worse."""
    if as_json:
        sys.stdout.write(json.dumps(flight.to_json(), indent=2, default=str) + "\n")
        return
    console = Terminal()
    console.print(
        f"{flight.adapter_id} {flight.version} on {flight.report.pages:,} recorded pages; nothing was fetched."
    )
    for word in Change:
        if flight.report.count(word):
            console.print(f"  {flight.report.count(word):>9,}  {WORDS[word]}")
    shown = [example for each in flight.worse for example in examples_of(each)] or flight.report.examples
    if shown:
        console.print(examples_table(shown))
    console.print(f"{flight.sentence[0].upper()}{flight.sentence[1:]}.", soft_wrap=True)
