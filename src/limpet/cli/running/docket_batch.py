"""From the options of `limpet run dockets` to a batch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from limpet.apps.dockets.account.checkpoint_file import load_checkpoint
from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.case_identifier import CaseIdentifier
from limpet.apps.dockets.errors import BadCaseNumber
from limpet.apps.dockets.extras import EXTRAS
from limpet.apps.dockets.wishes import batch_over, register_named
from limpet.errors import FileUnreadable, UsageError


def batch_of(
    *,
    year: str | None,
    start: int,
    max_cases: int | None,
    prefix: str,
    cases: Path | None,
    extras: str,
    checkpoint: Path | None,
    is_for_documents: bool,
) -> Batch:
    """Return the batch that was asked for, or raise UsageError with the fix."""
    if sum(given is not None for given in (year, cases, checkpoint)) > 1:
        raise UsageError(
            "Three ways to name numbers, and several are used.", fix="Use --year, --cases or --checkpoint."
        )
    if year is None and (max_cases is not None or start != 1):
        raise UsageError("Of which year are these numbers?", fix="Add --year, such as --year 25.")
    if checkpoint is not None:
        load_checkpoint(checkpoint)  # before any run is opened for it
    batch = Batch(
        extras=_extras(extras),
        documents=is_for_documents,
        checkpoint=str(checkpoint.resolve()) if checkpoint else None,
        cases=read_cases(cases) if cases else (),
    )
    if year is None:
        return batch
    numbers = batch_over(register_named("", prefix, year), start=start, max_cases=max_cases)
    return replace(numbers, extras=batch.extras, documents=batch.documents)


def read_cases(path: Path) -> tuple[str, ...]:
    """Return the numbers a file lists, one a line; # begins a comment. A wrong line is named."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else "it is not text in UTF-8"
        raise FileUnreadable(
            f"{path} cannot be read: {why}.", fix="Give a text file, one case a line."
        ) from exc
    found = []
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip().strip('",;')
        if text:
            try:
                found.append(CaseIdentifier.parse(text).id)
            except BadCaseNumber as wrong:
                raise BadCaseNumber(f"{path}, line {number}: {wrong}", fix=wrong.fix) from None
    if not found:
        raise UsageError(f"{path} lists no case.", fix="Write one case number a line, such as IMM-231-25.")
    return tuple(dict.fromkeys(found))


def _extras(listed: str) -> tuple[str, ...]:
    wanted = tuple(word.strip().lower() for word in listed.split(",") if word.strip())
    for word in wanted:
        if word not in EXTRAS:
            raise UsageError(f"There is no extra {word!r}.", fix=f"Known extras: {', '.join(EXTRAS)}.")
    return wanted
