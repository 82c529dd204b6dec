"""The page itself, for when the JSON behind it is refused: the same docket, read from what a person would see."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.docket import Docket
from limpet.apps.dockets.extras import EXTRAS
from limpet.apps.dockets.postconditions import stated_date
from limpet.apps.dockets.sites.federal_court.dialog import (
    dialog_of,
    entries_of,
    extras_kept,
    field,
    fields_of,
    require_asked,
    style_of_cause,
)
from limpet.apps.dockets.sites.federal_court.json_reader import PAGE_PATH, parties_in, related_in
from limpet.apps.dockets.sites.federal_court.look_up import LookUp
from limpet.errors import BrowserLaunchFailed
from limpet.extract.document import open_document
from limpet.extract.parse.case_number import CaseNumber
from limpet.extract.site import Getter
from limpet.fetch.browser.errand import RunsErrands
from limpet.fetch.page import Page
from limpet.source import Source
from limpet.target import Target


@dataclass(frozen=True, slots=True)
class BrowserReader:
    """One errand a case, in a page that stays open; what the page asks in turn is three requests a docket,
    one more for its parties, two for related cases."""

    version: str

    async def reach(self, way: Getter, source: Source, target: Target) -> Page:
        """Look the case up in the page, and return the page as it then stands."""
        case = case_at(target.address)
        assert case is not None
        if not isinstance(way, RunsErrands):
            raise BrowserLaunchFailed("No browser is at hand here.", fix="Run `limpet doctor`.")
        page = await way.run_errand(LookUp(case, address=source.home + PAGE_PATH, extras=_extras_of(target)))
        return replace(page, url=target.url)

    def recognises(self, page: Page) -> bool:
        """Whether the page was asked for a number by an errand of ours."""
        return b"data-limpet-asked=" in page.body

    def read(self, page: Page, target: Target, asked: CaseNumber) -> Docket:
        """Return the docket the dialog states, with the style of cause from its row."""
        tree = open_document(page)
        require_asked(tree, asked)
        style = style_of_cause(tree, asked)
        dialog = dialog_of(tree, asked)
        stated, extras = fields_of(dialog), extras_kept(tree, asked)
        return Docket(
            source_id=target.source_id,
            case_id=str(asked),
            style_of_cause=style,
            case_type=field(stated, "Type"),
            type_of_action=field(stated, "Type of Action"),
            nature_of_proceeding=field(stated, "Nature of Proceeding"),
            filing_date=stated_date(field(stated, "Filing Date"), field="filing date"),
            office=field(stated, "Office"),
            language=field(stated, "Language"),
            entries=entries_of(dialog),
            url=target.address,
            adapter_version=self.version,
            observed_at=page.fetched_at,
            parties=parties_in(extras),
            related_cases=related_in(extras),
            details={"read_by": "browser"},
        )


def _extras_of(target: Target) -> tuple[str, ...]:
    wanted = target.params.get("extras", ())
    return tuple(extra for extra in EXTRAS if extra in wanted)
