"""What two versions of an index say differently, told from the files as they were published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from limpet.apps.judgments.criminal import CriminalRule
from limpet.apps.judgments.index.reading import IndexFile, NotAnIndex
from limpet.apps.judgments.index.row import FIELDS, IndexRow
from limpet.apps.judgments.index.survey import Survey, survey
from limpet.apps.judgments.index.versions import Version, version_by_id
from limpet.apps.judgments.tables import cases
from limpet.errors import FileUnreadable, UsageError

Change = tuple[str | None, str | None]
_AT_ONCE = 500


@dataclass(slots=True)
class Differences:
    """What the later version says otherwise than the earlier one."""

    earlier: int
    later: int
    source: str = ""
    new: set[str] = field(default_factory=set)
    reappeared: set[str] = field(default_factory=set)  # missing from the earlier one, but known before it
    removed: set[str] = field(default_factory=set)
    changed: dict[str, dict[str, Change]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values, in a fixed order."""
        changed = {
            token: {name: {"old": was, "new": becomes} for name, (was, becomes) in fields.items()}
            for token, fields in sorted(self.changed.items())
        }
        return {
            "earlier": self.earlier,
            "later": self.later,
            "new": sorted(self.new),
            "reappeared": sorted(self.reappeared),
            "removed": sorted(self.removed),
            "changed": changed,
        }


def differences(connection: Connection, data_dir: Path, earlier: int, later: int) -> Differences:
    """Compare two versions of one source; raise UsageError or FileUnreadable when that cannot be."""
    versions = [_version(connection, number) for number in (earlier, later)]
    if versions[0].source != versions[1].source:
        raise UsageError(
            f"Version {earlier} is of {versions[0].source!r}, {later} of {versions[1].source!r}.",
            fix="Compare two versions of one source; `limpet judgments versions` lists them.",
        )
    files = [IndexFile(data_dir / each.file_path, CriminalRule()) for each in versions]
    before, after = (_survey(each, file) for each, file in zip(versions, files, strict=True))
    found = Differences(earlier, later, versions[0].source)
    found.new = after.fingerprints.keys() - before.fingerprints.keys()
    found.reappeared = _known_by(connection, found) if earlier < later else set()
    found.new -= found.reappeared
    found.removed = before.fingerprints.keys() - after.fingerprints.keys()
    both = after.fingerprints.keys() & before.fingerprints.keys()
    changed = {token for token in both if not after.says(token, before.fingerprints[token])}
    was, becomes = (
        _rows(file, changed, found.numbers) for file, found in zip(files, (before, after), strict=True)
    )
    found.changed = {token: _fields(was[token], becomes[token]) for token in changed}
    return found


def _known_by(connection: Connection, found: Differences) -> set[str]:
    """Return which of the new tokens the archive knew already when the earlier version came."""
    known: set[str] = set()
    for tokens in _in_batches(sorted(found.new)):
        question = select(cases.c.action_token_raw).where(
            cases.c.source == found.source,
            cases.c.first_seen_version_id <= found.earlier,
            cases.c.action_token_raw.in_(tokens),
        )
        known.update(connection.execute(question).scalars())
    return known


def _in_batches(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    return (tokens[start : start + _AT_ONCE] for start in range(0, len(tokens), _AT_ONCE))


def _version(connection: Connection, number: int) -> Version:
    version = version_by_id(connection, number)
    if version is None or not version.file_path:
        raise UsageError(
            f"There is no version {number} with a file.", fix="`limpet judgments versions` lists them."
        )
    return version


def _survey(version: Version, file: IndexFile) -> Survey:
    try:
        return survey(file)
    except (OSError, NotAnIndex) as wrong:
        raise FileUnreadable(f"The file of version {version.id} cannot be read: {wrong}") from wrong


def _rows(file: IndexFile, tokens: set[str], numbers: Mapping[str, int]) -> dict[str, IndexRow]:
    rows: dict[str, IndexRow] = {}
    for row in file.rows(only={numbers[token] for token in tokens}):
        if row.token in tokens:
            rows.setdefault(row.token, row)
    return rows


def _fields(was: IndexRow, becomes: IndexRow) -> dict[str, Change]:
    said = {name: (was.value(name), becomes.value(name)) for name in FIELDS}
    return {name: change for name, change in said.items() if change[0] != change[1]}
