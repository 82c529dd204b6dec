"""Where a case is asked for: the court's own number search, which answers one exact number."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

from limpet.apps.dockets.case_identifier import case_number
from limpet.extract.parse.case_number import CaseNumber, CaseNumberProblem, parse_case_number
from limpet.source import Source
from limpet.target.address import canonicalize

BACKEND = "/CourtFilesAndDecisions/"
NUMBER_SEARCH = "proceedingQueriesCourtNumberList"
DOCUMENT = "downloadFileFromAlfresco"


def division_of(case: CaseNumber) -> str:
    """Return the court that keeps this register: `a` for the court of appeal, `t` for the trial court."""
    return "a" if case.prefix == "A" else "t"


def endpoint(source: Source, name: str, **parameters: str) -> str:
    """Return the address of one of the court's endpoints."""
    return f"{source.home}{BACKEND}{name}?{urlencode(parameters)}"


def case_address(source: Source, case: CaseNumber) -> str:
    """Return the one address under which this case is a target."""
    asked = endpoint(source, NUMBER_SEARCH, courtnumber=str(case), division=division_of(case))
    return canonicalize(asked, http_only=source.http_only)


def document_address(source: Source, document_number: str) -> str:
    """Return where a published document is kept."""
    return canonicalize(endpoint(source, DOCUMENT, foremostNum=document_number), http_only=source.http_only)


def case_at(address: str) -> CaseNumber | None:
    """Return the case an address asks for, if it asks for one."""
    named = parse_qs(urlsplit(address).query).get("courtnumber", [""])[0]
    case = parse_case_number(named)
    return None if isinstance(case, CaseNumberProblem) else case


def case_written(text: str) -> CaseNumber:
    """Return the case a person meant, by number or by address; raise BadCaseNumber when it is neither."""
    return case_at(text) or case_number(text) if "://" in text else case_number(text)
