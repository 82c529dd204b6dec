"""The catalogue: every source we know, registered one by one, switched on and off with a reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches

from limpet.errors import ConfigError, SourceRefused, SwitchedOff, UnknownSource, UsageError
from limpet.source.source import Source
from limpet.source.switch import EVERYTHING, Switch, SwitchKind


class Catalogue:
    """Knows which sources exist and whether each may be visited now."""

    def __init__(self, sources: Iterable[Source] = ()) -> None:
        self._sources: dict[str, Source] = {}
        self._switches: dict[tuple[SwitchKind, str], Switch] = {}
        for source in sources:
            self.register(source)

    def register(self, source: Source) -> None:
        """Add a source; the same id twice is a mistake in the configuration."""
        if source.id in self._sources:
            raise ConfigError(
                f"Two sources are called {source.id!r}.", fix="Give one of them another id; ids never repeat."
            )
        self._sources[source.id] = self._as_switched(source)

    def update(self, source: Source) -> None:
        """Replace what is known about a registered source, as after a terms review."""
        self.get(source.id)
        self._sources[source.id] = self._as_switched(source)

    def get(self, source_id: str, *, app: str | None = None) -> Source:
        """Return the source as it stands, or raise UnknownSource naming the likely one, UsageError for another app."""
        source = self._sources.get(source_id)
        if source is None:
            raise UnknownSource(f"There is no source {source_id[:80]!r}.", fix=self._suggestion(source_id))
        if app is not None and source.app != app:
            mine = ", ".join(each.id for each in self.list(app=app)[:8]) or "none is configured yet"
            raise UsageError(
                f"{source_id!r} is a source of {source.app!r}, not of {app!r}.",
                fix=f"Sources of {app}: {mine}.",
            )
        return source

    def list(self, *, app: str | None = None) -> tuple[Source, ...]:
        """Return the sources in order of id, all of them or one app's."""
        return tuple(s for _, s in sorted(self._sources.items()) if app is None or s.app == app)

    def enable(self, source_id: str) -> Source:
        """Switch a source on; its other gates still hold."""
        return self._switch(source_id, enabled=True, reason=None)

    def disable(self, source_id: str, reason: str) -> Source:
        """Switch a source off, with the reason everybody will be shown."""
        if not reason.strip():
            raise ConfigError(f"Switching off {source_id!r} needs a reason.", fix="Say why in a few words.")
        return self._switch(source_id, enabled=False, reason=reason.strip())

    def switch(self, switches: Iterable[Switch]) -> None:
        """Make these all that is off at runtime; what is not among them is as the configuration has it."""
        found = {(each.kind, each.id): each for each in switches}
        if found == self._switches:
            return  # as nearly always; with very many sources the rest is not for nothing
        self._switches = found
        self._sources = {each.id: self._as_switched(each) for each in self._sources.values()}

    def gate(self, source: Source) -> None:
        """Raise SourceRefused unless this source may be visited now; what the catalogue holds counts."""
        current = self._sources.get(source.id)
        if current is None:
            raise SourceRefused(
                f"Source {source.id!r} is not registered.",
                fix="Add it to the configuration; see docs/sites.md.",
            )
        check_source(current)

    def _as_switched(self, source: Source) -> Source:
        """A source is off when all are, when its app or it is itself, or when nothing can read it."""
        above = (
            (SwitchKind.EVERYTHING, EVERYTHING),
            (SwitchKind.APP, source.app),
            (SwitchKind.SOURCE, source.id),
            (SwitchKind.ADAPTER, source.site),
        )
        switch = next((found for key in above if (found := self._switches.get(key))), None)
        return source if source.switch == switch else replace(source, switch=switch)

    def _switch(self, source_id: str, *, enabled: bool, reason: str | None) -> Source:
        switched = replace(self.get(source_id), enabled=enabled, disabled_reason=reason)
        self._sources[source_id] = switched
        return switched

    def _suggestion(self, source_id: str) -> str:
        near = get_close_matches(source_id, self._sources, n=1)
        if near:
            return f"Did you mean {near[0]!r}?"
        known = ", ".join(sorted(self._sources)[:8])
        return (
            f"Known sources: {known}." if known else "Add one to the configuration; none is registered yet."
        )


def check_source(source: Source) -> None:
    """Raise SourceRefused unless the source is enabled, approved, compliant and has hosts."""
    if source.switch is not None:
        raise SwitchedOff(source.switch.sentence, fix=source.switch.fix, word=source.switch.word)
    if not source.enabled:
        raise SourceRefused(
            f"Source {source.id!r} is switched off: {source.disabled_reason or 'no reason was given'}.",
            fix="Switch it on once the reason is gone.",
        )
    if not source.terms.are_approved:
        raise SourceRefused(
            f"Nobody has approved the terms of source {source.id!r}.",
            fix="Read the site's terms, then set reviewed_at and approved_by in its terms.",
        )
    if not source.robots_compliant:
        raise SourceRefused(
            f"Source {source.id!r} is marked as not complying with its robots.txt.",
            fix="Keep to the paths robots.txt allows, then set robots_compliant to true.",
        )
    if not source.hosts:
        raise SourceRefused(
            f"Source {source.id!r} names no host it may visit.", fix="List the site's hosts under hosts."
        )
