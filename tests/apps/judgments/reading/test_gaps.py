"""The gap finder names exactly what the court never published, and says how to fetch what it did."""

from __future__ import annotations

from functools import partial

from limpet.apps.judgments.gaps import JudgmentGaps, find_gaps, sources_with_cases
from limpet.cli.gapping.judgments import _tell
from limpet.observe.gaps import numbering
from tidepool.court.inventing import QUIET_MONTH

SOURCE = "unreported_judgments"


async def look(shelf, now):
    return await shelf.ledger.read(partial(find_gaps, source_id=SOURCE, now=now))


def missing(numberings):
    return [
        (each, number)
        for each in numberings
        for hole in each.holes
        for number in range(hole.first, hole.last + 1)
    ]


async def test_it_finds_every_number_the_court_skipped_and_no_other(shelf, docket) -> None:
    await shelf.fill(docket.by_token())

    gaps = await look(shelf, shelf.ledger.clock.now())

    causes = {each.name.replace(" of", f" {number} of") for each, number in missing(gaps.cause_numbers)}
    citations = {f"{each.name} {number}" for each, number in missing(gaps.citations)}
    # A row whose Actions cell is blank is no case, so its numbers are missing to us as well.
    blank = [row for row in docket.rows if not row.tokens or row.repeats]
    assert set(docket.sequences.missing_citations) <= citations
    assert citations - set(docket.sequences.missing_citations) <= {row.citation for row in blank}
    assert set(docket.sequences.missing_causes) <= causes
    assert len(causes - set(docket.sequences.missing_causes)) <= len(blank)


async def test_it_finds_the_month_in_which_nothing_was_published(shelf, docket) -> None:
    await shelf.fill(docket.by_token())

    gaps = await look(shelf, shelf.ledger.clock.now().replace(year=2025, month=11))

    assert [(month.year, month.month, month.count) for month in gaps.quiet_months] == [(*QUIET_MONTH, 0)]


async def test_it_counts_what_is_known_but_not_stored_and_names_the_command(shelf, docket) -> None:
    rows = dict(list(docket.by_token().items())[:50])
    await shelf.fill(rows)
    wanted = [token for token, row in rows.items() if not row.is_criminal]
    await shelf.store(dict.fromkeys(wanted[:10], b"%PDF-"))

    gaps = await look(shelf, shelf.ledger.clock.now())

    assert gaps.not_downloaded == len(wanted) - 10
    assert gaps.backfill == f"limpet run judgments --source {SOURCE} --mode full"
    assert await shelf.ledger.read(sources_with_cases) == [SOURCE]


def test_what_the_court_never_named_has_no_command(capsys) -> None:
    gaps = JudgmentGaps("court", 100, 0, [], [numbering("[2025] CICA", [1, 2, 4])], [])

    _tell(gaps)

    assert (gaps.is_whole, gaps.backfill) == (False, None)
    said = capsys.readouterr().out
    assert "may never have published" in said
    assert "limpet run" not in said


async def test_an_empty_archive_has_no_gaps(shelf) -> None:
    gaps = await look(shelf, shelf.ledger.clock.now())

    assert gaps.is_whole
    assert gaps.cases == 0
