"""The first page people see. Written by hand, because it must teach and must not wait for anything."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from limpet import __version__
from limpet.cli.table import VERBS, Verb

TITLE = f"limpet {__version__} - scrapes known sources for years: politely, resumably, with proof."

OPTIONS = """\
Options, before or after the verb:
  --data-dir DIR     where ledger, snapshots and logs live (default: ./data)
  --config FILE      the config file (default: ./limpet.toml when it exists)
  --log-level LEVEL  debug, info, warning or error (default: info)
  -v, --verbose      the same as --log-level debug
  --debug            show the traceback when something unexpected happens
  --version          print the version
  -h, --help         this page; after a verb, the page of that verb"""

EXAMPLES = """\
Examples:
  limpet demo                                     see everything work, on this machine alone
  limpet init && limpet doctor                    begin: a commented config, and what is missing
  limpet run prices --source shop --limit 5       walk five targets, then look: limpet show 1
  limpet fetch URL --source shop                  one page, and what every gate decided
  limpet verify && limpet politeness report       the proof, and how the sites saw us"""


def first_page() -> str:
    """Return the whole help text, ending in a line break."""
    parts = [TITLE, "Usage: limpet [options] VERB [arguments]", *_groups(), OPTIONS, EXAMPLES]
    return "\n\n".join(parts) + "\n"


def _groups() -> Iterator[str]:
    width = max(len(verb.name) for verb in VERBS)
    for group, verbs in groupby(sorted(VERBS, key=_place), key=lambda verb: verb.group):
        yield "\n".join([f"{group}:", *(f"  {verb.name:<{width}}  {verb.summary}" for verb in verbs)])


def _place(verb: Verb) -> int:
    """Groups stand in the order the table first names them."""
    return [each.group for each in VERBS].index(verb.group)
