"""The JSON behind the page: asked endpoint by endpoint, kept together, and read as one docket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson
from msgspec.structs import replace

from limpet.apps.dockets.addresses import NUMBER_SEARCH, case_at, division_of, endpoint
from limpet.apps.dockets.docket import Docket, DocketEntry, Party, RelatedCase
from limpet.apps.dockets.extras import EXTRAS, PARTIES, RELATED
from limpet.apps.dockets.postconditions import (
    checked_entries,
    entry_id_of,
    require_case,
    stated_date,
    the_one_row,
    tidy,
)
from limpet.errors import BadResponse
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.parse.case_number import CaseNumber
from limpet.extract.site import Getter
from limpet.fetch.page import Page
from limpet.source import Source
from limpet.target import Target

PAGE_PATH = "/en/court-files-and-decisions/court-files"
ENDPOINTS = {
    "header": NUMBER_SEARCH,
    "entries": "proceedingQueriesRE",
    PARTIES: "PublicPartiesListInfo",
    RELATED: "RelatedListInfo",
}
BUNDLE = b'{"limpet_bundle":'
Row = dict[str, Any]

# What only this reader can see of a case and of an entry, under the court's own names.
_CASE_DETAILS = (
    "COURT_SEQ",
    "DIVISION",
    "NATURE_CD",
    "FRENCH_NATURE_DESC",
    "OFF_CD",
    "LANG_CD",
    "PRCDG_TYPE",
)
_ENTRY_DETAILS = ("DOCNO", "FOREMOST_NUMBER", "RE_LANG_CD", "IS_CONFIDENTIAL", "REGISTRY_NOTES_EXTERNAL")


@dataclass(frozen=True, slots=True)
class JsonReader:
    """One request for a number without a record, two for a docket, one more for each extra."""

    version: str

    async def reach(self, way: Getter, source: Source, target: Target) -> Page:
        """Ask what is needed, one after the other, and return the answers as one page."""
        case = case_at(target.address)
        assert case is not None
        first = await _ask(way, source, "header", case)
        answers = {"header": orjson.loads(first.body)}
        if _holds_rows(answers["header"]):
            wanted = target.params.get("extras", ())
            for name in ("entries", *(extra for extra in EXTRAS if extra in wanted)):
                answers[name] = orjson.loads((await _ask(way, source, name, case)).body)
        # With its number in it, the evidence that a case does not exist cannot be taken for another's.
        body = BUNDLE + b"1," + orjson.dumps({"asked": str(case), "answers": answers})[1:]
        return replace(first, url=target.url, body=body, headers={"content-type": "application/json"})

    def recognises(self, page: Page) -> bool:
        """Whether the page is such a bundle."""
        return page.body.startswith(BUNDLE)

    def read(self, page: Page, target: Target, asked: CaseNumber) -> Docket:
        """Return the docket the answers state together."""
        answers = _bundle(page, asked)
        headers = _rows(answers, "header")
        if not headers:
            raise CannotRead(Missing.NO_RECORD, "the court's number search answers Count 0")
        header = headers[the_one_row([row.get("COURT_NO") for row in headers], asked)]
        return Docket(
            source_id=target.source_id,
            case_id=str(asked),
            style_of_cause=_stated(header, "STYLE_OF_CAUSE"),
            case_type=_stated(header, "ENGLISH_PROCEEDING_TYPE"),
            type_of_action=_stated(header, "ENGLISH_PROCEEDING_CLASS"),
            nature_of_proceeding=_stated(header, "ENGLISH_NATURE_DESC"),
            filing_date=stated_date(_field(header, "FILE_DT"), field="filing date"),
            office=_stated(header, "ENGLISH_CITY_NAME"),
            language=_stated(header, "ENGLISH_LANGUAGE_NAME"),
            entries=_entries(_rows(answers, "entries"), asked),
            url=target.address,
            adapter_version=self.version,
            observed_at=page.fetched_at,
            parties=parties_in(answers),
            related_cases=related_in(answers),
            details={name: header[name] for name in _CASE_DETAILS if header.get(name) is not None},
        )


async def _ask(way: Getter, source: Source, name: str, case: CaseNumber) -> Page:
    """Return an answer that is JSON; anything else is no answer, and is asked for again."""
    url = endpoint(source, ENDPOINTS[name], division=division_of(case), courtnumber=str(case))
    headers = {"Accept": "application/json, text/javascript, */*; q=0.01", "Referer": source.home + PAGE_PATH}
    page = await way.get(url, headers=headers)
    try:
        orjson.loads(page.body)
    except orjson.JSONDecodeError as exc:
        problem = BadResponse(f"The {name} of {case} came as {page.media_type or 'nothing'}, not as JSON.")
        problem.page = page
        raise problem from exc
    return page


def _holds_rows(answer: Any) -> bool:
    return isinstance(answer, dict) and bool(answer.get("data"))


def _bundle(page: Page, asked: CaseNumber) -> Row:
    try:
        bundle = orjson.loads(page.body)
        answers, stated = bundle["answers"], bundle["asked"]
    except (orjson.JSONDecodeError, KeyError) as exc:
        raise CannotRead(Missing.NOT_PARSABLE, "the kept answers are damaged") from exc
    require_case(stated, asked)
    return answers if isinstance(answers, dict) else {}


def _rows(answers: Row, name: str) -> list[Row]:
    """Return an answer's rows; the count it states must be the count it brings."""
    answer = answers.get(name)
    rows = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"{name}: no list of rows under 'data'")
    if answer is None or answer.get("Count") != len(rows):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"{name}: Count is not the number of its rows")
    return rows


def _field(row: Row, name: str) -> Any:
    """Return a field that must be there; it may be null, which is the court saying that there is none."""
    if name not in row:
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"{name} is missing")
    return row[name]


def _stated(row: Row, name: str) -> str | None:
    return tidy(_field(row, name))


def _entries(rows: list[Row], asked: CaseNumber) -> tuple[DocketEntry, ...]:
    """A file without entries answers with no row at all, or with one that holds nothing but the header."""
    for row in rows:
        require_case(row.get("COURT_NO"), asked)
    recorded = [row for row in rows if not _is_header_only(row)]
    return checked_entries(map(_entry, recorded), says_none=not recorded)


def _is_header_only(row: Row) -> bool:
    return _field(row, "RE_NO") is None and tidy(_field(row, "RECORDED_ENTRY")) is None


def _entry(row: Row) -> DocketEntry:
    may_be_had = row.get("CAN_PUBLISH_DOCUMENT") == "Y" and row.get("IS_CONFIDENTIAL") != "Y"
    return DocketEntry(
        entry_id=entry_id_of(_field(row, "RE_NO")),
        date_filed=stated_date(_field(row, "DOC_DT"), field="entry date"),
        office=_stated(row, "ENGLISH_OFFICE_NAME"),
        summary=_stated(row, "RECORDED_ENTRY") or "",
        is_published=may_be_had,
        details={name: row[name] for name in _ENTRY_DETAILS if row.get(name) not in (None, "")},
    )


def parties_in(answers: Row) -> tuple[Party, ...] | None:
    """Return the parties the answers state; None when nobody asked for them."""
    if PARTIES not in answers:
        return None
    return tuple(
        Party(
            name=_stated(row, "PARTY_NAME") or "",
            firm=tidy(row.get("SOLCTR_FIRM")),
            contact=tidy(row.get("SOLCTR_CONTACT")),
        )
        for row in _rows(answers, PARTIES)
    )


def related_in(answers: Row) -> tuple[RelatedCase, ...] | None:
    """Return the related cases the answers state; None when nobody asked for them."""
    if RELATED not in answers:
        return None
    return tuple(
        RelatedCase(
            case_id=_stated(row, "RELATED_COURT_NO") or "",
            style_of_cause=tidy(row.get("STYLE_OF_CAUSE")),
            nature_of_proceeding=tidy(row.get("ENGLISH_NATURE_DESC")),
        )
        for row in _rows(answers, RELATED)
    )
