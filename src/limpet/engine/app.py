"""An app as the engine sees it: whose rules judge, whose pen writes, which sites read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from limpet.extract import Site
from limpet.record.entry import Bookkeeper
from limpet.source import Source
from limpet.target import Target
from limpet.validate import Rule


@dataclass(frozen=True, slots=True)
class App:
    """Everything the corridor needs to work for one purpose."""

    name: str
    rules: Sequence[Rule]
    bookkeeper: Bookkeeper
    sites: Sequence[Site]
    make_target: Callable[[Source, str], Target]  # from an address as a person wrote it
