"""The table of verbs. To add one: write `verbs/<name>.py` with its `app`, and a line here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """One word people can say, and what it does in a line. Its module is imported when it is said."""

    name: str
    group: str
    summary: str

    @property
    def module(self) -> str:
        return f"limpet.cli.verbs.{self.name.replace('-', '_')}"


VERBS = (
    Verb("init", "Start", "write a commented limpet.toml to begin with"),
    Verb("doctor", "Start", "check this machine and say how to fix what is missing"),
    Verb("tidepool", "Try", "serve the pretend web alone, to practise on"),
)

BY_NAME = {verb.name: verb for verb in VERBS}
