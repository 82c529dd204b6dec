"""Before and after: what reading recorded pages again came to, counted, with a few examples of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from limpet.engine.comparing import Change, Reread

_EXAMPLES_OF_EACH = 5


@dataclass(frozen=True, slots=True)
class Example:
    """One page that reads otherwise: which, when it was seen, and what differs."""

    change: str
    target: str
    job_id: int
    run_id: int
    seen_at: datetime
    snapshot: str
    outcome_before: str
    outcome_after: str
    field: str | None
    before: Any
    after: Any


@dataclass(slots=True)
class RereadReport:
    """What was read again; counts over all pages, examples of those that differ."""

    app: str
    pages: int = 0
    recorded: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: list[Example] = field(default_factory=list)
    runs: dict[int, int] = field(default_factory=dict)  # the run read again: the run that did it
    versions: set[str] = field(default_factory=set)  # which adapters read, `id version`
    _shown: Counter[str] = field(default_factory=Counter)

    def add(self, part: Iterable[Reread]) -> None:
        """Count these pages."""
        for each in part:
            self.pages += 1
            self.changes[each.change.value] += 1
            self.outcomes[each.before.reading.word, each.after.word] += 1
            self.versions.add(f"{each.site_id} {each.site_version}")
            if each.change is not Change.DECIDED:
                self.fields.update(each.fields.keys())
            self._show(each)

    def count(self, change: Change) -> int:
        """Return how many pages ended in this word."""
        return self.changes[change.value]

    def to_json(self) -> dict[str, Any]:
        """Return it for machines: every word is named, also those no page ended in."""
        return {
            "app": self.app,
            "adapters": sorted(self.versions),
            "pages": self.pages,
            "changes": {word.value: self.count(word) for word in Change},
            "fields": dict(self.fields.most_common()),
            "outcomes": [
                {"before": before, "after": after, "pages": count}
                for (before, after), count in self.outcomes.most_common()
            ],
            "examples": [example_json(each) for each in self.examples],
            "recorded": self.recorded,
            "runs": [{"rereads": old, "run_id": new} for old, new in sorted(self.runs.items())],
        }

    def _show(self, each: Reread) -> None:
        word = each.change
        if word in (Change.SAME, Change.DECIDED) or self._shown[word.value] >= _EXAMPLES_OF_EACH:
            return
        self._shown[word.value] += 1
        self.examples += examples_of(each)


def examples_of(each: Reread) -> list[Example]:
    """Return one example for every field that differs, or one for the page when there is nothing to compare."""
    rows: list[tuple[str | None, Any, Any]] = [(name, *pair) for name, pair in sorted(each.fields.items())]
    page = each.page
    return [
        Example(
            change=each.change.value,
            target=page.target.url,
            job_id=page.job_id,
            run_id=page.run_id,
            seen_at=each.before.observed_at or page.answered_at,
            snapshot=page.snapshot,
            outcome_before=each.before.reading.word,
            outcome_after=each.after.word,
            field=name,
            before=before,
            after=after,
        )
        for name, before, after in rows or [_whole(each)]
    ]


def _whole(each: Reread) -> tuple[None, Any, Any]:
    """The one fact people know a page by, where only one of the readings has any."""
    old, new = each.before.reading.facts, each.after.facts
    return None, _gist(old), _gist(new)


def _gist(facts: Any) -> str | None:
    return None if not facts else ", ".join(str(value) for value in list(facts.values())[:3])


def example_json(example: Example) -> dict[str, Any]:
    """Return an example for machines."""
    named = {name: getattr(example, name) for name in Example.__slots__}
    return named | {"seen_at": example.seen_at.isoformat()}
