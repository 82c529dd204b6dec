"""What an index says as a whole, in little memory: which tokens, and a fingerprint of each."""

from __future__ import annotations

from dataclasses import dataclass, field

from limpet.apps.judgments.index.reading import IndexFile


@dataclass(slots=True)
class Survey:
    """One pass over an index. The first row that names a token is the one that counts."""

    fingerprints: dict[str, str] = field(default_factory=dict)  # by token
    numbers: dict[str, int] = field(default_factory=dict)  # of the row that counts, by token
    repeated: dict[str, set[str]] = field(default_factory=dict)  # what later rows say of the same token
    row_count: int = 0
    blank_count: int = 0
    duplicate_count: int = 0
    criminal_count: int = 0
    undated_count: int = 0
    ends_with_a_line: bool = True

    @property
    def case_count(self) -> int:
        """How many documents the index names."""
        return len(self.fingerprints)

    def says(self, token: str, fingerprint: str) -> bool:
        """Whether any of the token's rows says just this: the order of two rows is no change."""
        return self.fingerprints[token] == fingerprint or fingerprint in self.repeated.get(token, ())


def survey(file: IndexFile) -> Survey:
    """Go over the index once; raise NotAnIndex for what cannot be one."""
    found = Survey(ends_with_a_line=file.ends_with_a_line)
    for row in file.rows():
        if row.token in found.fingerprints:
            found.duplicate_count += 1
            found.repeated.setdefault(row.token, set()).add(row.fingerprint)
            continue
        found.fingerprints[row.token] = row.fingerprint
        found.numbers[row.token] = row.number
        found.criminal_count += row.is_criminal
        found.undated_count += row.judgment_date is None
    found.row_count, found.blank_count = file.row_count, file.blank_count
    return found
