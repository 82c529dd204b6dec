"""The rows of the JSON endpoints, under the names the court's own script reads."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from tidepool.registry.court_file import CourtFile, Oddity
from tidepool.registry.entries import Entry
from tidepool.registry.words import TRACK

Row = dict[str, Any]
# The court's clock stands in Ottawa: midnight there is five in the morning of UTC.
MIDNIGHT = timedelta(hours=5)


def answer_of(rows: list[Row]) -> dict[str, Any]:
    """Wrap rows the way every endpoint does."""
    return {"Count": len(rows), "data": rows}


def header_rows(file: CourtFile) -> list[Row]:
    """Return the file's header as the number search tells it; some files come twice."""
    row: Row = {
        "COURT_NO": str(file.number),
        "COURT_SEQ": str(file.sequence),
        "STYLE_OF_CAUSE": file.style_of_cause,
        "NATURE_CD": file.nature.code,
        "ENGLISH_NATURE_DESC": file.nature.english,
        "FRENCH_NATURE_DESC": file.nature.french,
        "DIVISION": file.number.division.upper(),
        "FILE_DT": aspnet_date(file.filed_on),
        "OFF_CD": file.office.code,
        "ENGLISH_CITY_NAME": file.office.english,
        "FRENCH_CITY_NAME": file.office.french,
        "PRCDG_TYPE": file.kind.code,
        "ENGLISH_PROCEEDING_TYPE": file.kind.english,
        "FRENCH_PROCEEDING_TYPE": file.kind.french,
        "PROCEEDING_CLASS_ID": file.action.code,
        "ENGLISH_PROCEEDING_CLASS": file.action.english,
        "FRENCH_PROCEEDING_CLASS": file.action.french,
        "LANG_CD": file.language.code,
        "ENGLISH_LANGUAGE_NAME": file.language.english,
        "FRENCH_LANGUAGE_NAME": file.language.french,
        "Party": [],
        "Ships": [],
    }
    return _told(file, [row])


def entry_rows(file: CourtFile) -> list[Row]:
    """Return the recorded entries, highest number first, each with the header in it."""
    if file.oddity is Oddity.HEADER_ONLY:
        return [_entry_row(file, None)]
    return _told(file, [_entry_row(file, entry) for entry in reversed(file.entries)])


def party_rows(file: CourtFile) -> list[Row]:
    """Return who is before the court."""
    return [
        {"PARTY_NAME": one.name, "SOLCTR_FIRM": one.firm, "SOLCTR_CONTACT": one.contact}
        for one in file.parties
    ]


def related_rows(files: list[CourtFile]) -> list[Row]:
    """Return the files a file is related to."""
    return [
        {
            "RELATED_COURT_NO": str(file.number),
            "STYLE_OF_CAUSE": file.style_of_cause,
            "ENGLISH_NATURE_DESC": file.nature.english,
            "FRENCH_NATURE_DESC": file.nature.french,
        }
        for file in files
    ]


def property_rows(file: CourtFile) -> list[Row]:
    """Return the intellectual property a file is about; only patent files have any."""
    if file.nature.code != "301":
        return []
    return [
        {"INT_PROPERTY_TITLE": "TIDE POWERED CLOCK", "INT_PROPERTY_NUMBER": 2_000_000.0 + file.number.number}
    ]


def aspnet_date(day: date | None) -> str | None:
    """Write a day as the server's framework does: milliseconds of its local midnight."""
    if day is None:
        return None
    moment = datetime.combine(day, time(), tzinfo=UTC) + MIDNIGHT
    return f"/Date({int(moment.timestamp() * 1000)})/"


def _entry_row(file: CourtFile, entry: Entry | None) -> Row:
    office = entry.office if entry else file.office
    return {
        "Division": file.number.division.upper(),
        "COURT_NO": str(file.number),
        "STYLE_OF_CAUSE": file.style_of_cause,
        "FILING_DATE": aspnet_date(file.filed_on),
        "NATURE_CD": file.nature.code,
        "ENGLISH_NATURE_DESC": file.nature.english,
        "FRENCH_NATURE_DESC": file.nature.french,
        "ENGLISH_TRACK_NAME": TRACK.english,
        "FRENCH_TRACK_NAME": TRACK.french,
        "ENGLISH_PROCEEDING_CLASS": file.action.english,
        "FRENCH_PROCEEDING_CLASS": file.action.french,
        "ENGLISH_OFFICE_NAME": office.english,
        "FRENCH_OFFICE_NAME": office.french,
        "DOCNO": entry.document if entry else None,
        "RE_NO": entry.number if entry else None,
        "FOREMOST_NUMBER": str(entry.foremost) if entry else None,
        "RECORDED_ENTRY": entry.summary if entry else "",
        "DOC_DT": f"{entry.filed_on.isoformat()}T00:00:00" if entry and entry.filed_on else None,
        "CAN_PUBLISH_DOCUMENT": "Y" if entry and entry.is_published else "N",
        "RE_LANG_CD": file.language.code,
        "IS_CONFIDENTIAL": "Y" if entry and entry.is_confidential else "N",
        "REGISTRY_NOTES_EXTERNAL": entry.notes if entry else None,
        "COMMAND_PHRASE_EN": None,
        "COMMAND_PHRASE_FR": None,
    }


def _told(file: CourtFile, rows: list[Row]) -> list[Row]:
    return rows + rows if file.oddity is Oddity.TOLD_TWICE else rows
