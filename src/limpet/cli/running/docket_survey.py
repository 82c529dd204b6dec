"""What a batch of `limpet run dockets` is about to ask for, in a line."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from limpet.apps.dockets.account.checkpoint_file import load_checkpoint
from limpet.apps.dockets.batch import Batch, documents_of_batch, survey_batch
from limpet.apps.dockets.standing import Standing, Survey
from limpet.apps.dockets.watching import cases_to_watch
from limpet.cli.counting import counted
from limpet.cli.terminal import Terminal
from limpet.record.ledger import Ledger
from limpet.source import Source

_WORDS = {
    Standing.SUCCEEDED_BEFORE: "succeeded before",
    Standing.NO_RECORD_BEFORE: "without a record",
    Standing.COOLING_DOWN: "failed and cooling down",
}


async def show_survey(ledger: Ledger, source: Source, batch: Batch) -> None:
    """Say in a line how many numbers are asked for, and what becomes of the others."""
    Terminal().print(await _survey(ledger, source, batch))


async def _survey(ledger: Ledger, source: Source, batch: Batch) -> str:
    if batch.documents:
        found = await documents_of_batch(ledger, source, batch)
        cases = len({target.params["case_id"] for target in found})
        return f"{counted(len(found), 'document')} of {counted(cases, 'case')} to fetch{_least(source, len(found))}"
    if batch.checkpoint is not None:
        return _left_by(Path(batch.checkpoint))
    if not batch.names_cases:
        watched = await ledger.read(partial(cases_to_watch, source=source, now=ledger.clock.now()))
        return f"{counted(len(watched), 'case')} to look at again for changes{_least(source, len(watched))}"
    return _told(await survey_batch(ledger, source, batch), source, batch)


def _told(found: Survey, source: Source, batch: Batch) -> str:
    left = [f"{found.counts[word]:,} {text}" for word, text in _WORDS.items() if found.counts[word]]
    rest = f"; left alone: {', '.join(left)}" if left else ""
    if batch.extras and found.counts[Standing.SUCCEEDED_BEFORE]:
        rest += f" (with --force they are asked again, for {', '.join(batch.extras)})"
    asked = len(found.to_ask)
    return f"{counted(found.asked, 'number')}, {asked:,} to ask{_least(source, asked)}{rest}"


def _left_by(checkpoint: Path) -> str:
    jobs = [job.resumed() for job in load_checkpoint(checkpoint).jobs]
    still_open = sum(job.is_open for job in jobs)
    return f"{counted(len(jobs), 'number')} in the checkpoint, {still_open:,} of them open"


def _least(source: Source, requests: int) -> str:
    seconds = source.pace.spacing_seconds * requests
    return f", at least {seconds / 60:,.0f} min" if seconds >= 60 else ""
