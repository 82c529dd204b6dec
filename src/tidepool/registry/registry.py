"""The registry as a site: which address gives what."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from tidepool.registry import rows
from tidepool.registry.court_file import CourtFile
from tidepool.registry.files import CourtFiles
from tidepool.registry.page import page_at
from tidepool.registry.paper import pdf_of
from tidepool.registry.truth import truth_of
from tidepool.site import Request, Response, Setup, json_answer, plain

BACKEND = "/CourtFilesAndDecisions/"
ROBOTS = """\
User-agent: *
Disallow: /Content/admin
"""
Answers = Callable[[Request, int], Response]


class Registry:
    """A court that answers one exact number at a time, by a page and by the JSON behind it."""

    title = "a court's registry: one exact number at a time, by a page full of traps or the JSON behind it"

    def __init__(self, setup: Setup) -> None:
        self._late_milliseconds = setup.late_milliseconds
        self.files = CourtFiles(seed=setup.seed, files=setup.files)
        self._backend: dict[str, Answers] = {
            "proceedingqueriescourtnumberlist": self._by_number(rows.header_rows),
            "proceedingqueriesaddinfo": self._by_number(rows.header_rows),
            "proceedingqueriesre": self._by_number(rows.entry_rows),
            "publicpartieslistinfo": self._by_number(rows.party_rows),
            "partyinfointlprop": self._by_number(rows.property_rows),
            "relatedlistinfo": self._related,
            "proceedingsqueriespartyinfo": self._by_party,
            "proceedingsqueriespartyinfodates": self._by_party,
            "downloadfilefromalfresco": self._document,
        }

    async def answer(self, request: Request, *, tick: int) -> Response:
        """Answer as the healthy registry does."""
        if request.method not in ("GET", "HEAD"):
            return plain("method not allowed", status=405, headers=(("Allow", "GET, HEAD"),))
        if request.path == "/robots.txt":
            return plain(ROBOTS)
        if request.path.startswith(BACKEND):
            # The framework behind it does not mind how a name is capitalised.
            answers = self._backend.get(request.path.removeprefix(BACKEND).lower())
            if answers is not None:
                return answers(request, tick)
        page = page_at(request, late_milliseconds=self._late_milliseconds)
        return page or plain("The resource cannot be found.", status=404)

    def truth(self, path: str, *, tick: int) -> dict[str, Any] | None:
        """Say what a perfect reader would find under that court number; None: there is no such file."""
        file = self.files.find(path.strip("/"), tick=tick)
        return truth_of(file) if file else None

    def _by_number(self, rows_of: Callable[[CourtFile], list[rows.Row]]) -> Answers:
        def answer(request: Request, tick: int) -> Response:
            file = self._asked(request, tick)
            return json_answer(rows.answer_of(rows_of(file) if file else []))

        return answer

    def _related(self, request: Request, tick: int) -> Response:
        file = self._asked(request, tick)
        related = self.files.related(file, tick=tick) if file else []
        return json_answer(rows.answer_of(rows.related_rows(related)))

    def _by_party(self, request: Request, tick: int) -> Response:
        asked = request.parameters
        name = asked.get("name", "").replace("xxyxx", ".").strip()
        found = self.files.of_party(name, tick=tick, division=_division(asked)) if name else ()
        between = (_american(asked.get("from")), _american(asked.get("to")))
        return json_answer(
            rows.answer_of(
                [row for file in found if _filed(file, *between) for row in rows.header_rows(file)]
            )
        )

    def _document(self, request: Request, tick: int) -> Response:
        found = self.files.paper(request.parameters.get("foremostNum", ""), tick=tick)
        if found is None:
            return plain("File not found", status=404)
        file, entry = found
        return Response(
            200,
            pdf_of(f"{file.number} Doc. {entry.number}: {entry.summary.strip()}"),
            (
                ("Content-Type", "application/pdf"),
                ("Content-Disposition", f'attachment; filename="{file.number}_{entry.number}.pdf"'),
            ),
        )

    def _asked(self, request: Request, tick: int) -> CourtFile | None:
        asked = request.parameters
        return self.files.find(asked.get("courtnumber", ""), tick=tick, division=_division(asked))


def _division(asked: dict[str, str]) -> str:
    """Return t, a or b; visitors who put something else there are put up with."""
    given = asked.get("division", "").strip().lower()
    return given if given in ("t", "a") else "b"


def _american(text: str | None) -> date | None:
    """Read a day written MM-DD-YYYY."""
    try:
        month, day, year = (int(part) for part in (text or "").split("-"))
        return date(year, month, day)
    except ValueError:
        return None


def _filed(file: CourtFile, first: date | None, last: date | None) -> bool:
    if first is None and last is None:
        return True
    return file.filed_on is not None and (first or date.min) <= file.filed_on <= (last or date.max)
