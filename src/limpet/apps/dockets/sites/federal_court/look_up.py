"""The errand behind the page: type a number, wait for its own row, open its own dialog, never take an old one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson

from limpet.apps.dockets.addresses import division_of
from limpet.apps.dockets.extras import PARTIES, RELATED
from limpet.apps.dockets.sites.federal_court.json_reader import ENDPOINTS
from limpet.apps.dockets.sites.federal_court.page_steps import (
    ASK,
    DIALOG_IS_COMPLETE,
    DIALOG_IS_FRESH,
    EMPTY_IS_SHOWN,
    FORGET_EXTRAS,
    KEEP_EXTRA,
    PLACE_OF_BUTTON,
    ROW_IS_SHOWN,
)
from limpet.errors import BadResponse, BrowserElementNotFound
from limpet.extract.parse.case_number import CaseNumber
from limpet.fetch.browser.errand import Desk
from limpet.fetch.browser.visit import Captured
from limpet.fetch.classify import objection

ACTION_MILLISECONDS = 8_000
PRESSES = 3
NOTICE = ".modal.show:not(#ModalForm)"
DIALOG = "#ModalForm.show"
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LookUp:
    """One case looked up by the page's own number search."""

    case: CaseNumber
    address: str
    extras: tuple[str, ...] = ()  # what is asked for beside the docket
    renew_after: int = 200

    @property
    def name(self) -> str:
        """The case's number."""
        return str(self.case)

    @property
    def capture(self) -> Sequence[str]:
        """What the page's script is told about this number, and about no other."""
        return tuple(self._asking(name) for name in ("header", "entries", *self.extras))

    async def settle_in(self, desk: Desk) -> None:
        """Have every notice of the day closed whenever it comes up, as a person would."""
        notice = desk.page.locator(NOTICE)

        async def close() -> None:
            await desk.page.locator(f"{NOTICE} [data-dismiss=modal]").first.click(timeout=ACTION_MILLISECONDS)

        await desk.page.remove_locator_handler(notice)
        await desk.page.add_locator_handler(notice, close)

    async def run(self, desk: Desk) -> None:
        """Leave the page showing the case's dialog, or the table's explicit word that there is no such case."""
        await self._close_dialog(desk)
        await desk.page.evaluate(FORGET_EXTRAS)
        await self._ask(desk)
        rows = _rows(await desk.answer_to(self._asking("header")), self.case)
        if not rows:
            await self._see(desk, EMPTY_IS_SHOWN)
            return
        await self._see(desk, ROW_IS_SHOWN)
        await self._ask_for_extras(desk)
        await self._open_dialog(desk, "More")
        entries = _rows(await desk.answer_to(self._asking("entries")), self.case)
        await self._see(desk, DIALOG_IS_COMPLETE, count=sum(map(_is_written, entries)))

    async def _ask(self, desk: Desk) -> None:
        page = desk.page
        desk.waiting_for = "search by number"
        await page.click('a.TabButton[href="#tab02"]', timeout=ACTION_MILLISECONDS)
        await page.select_option("#tab02selectCourt", division_of(self.case), timeout=ACTION_MILLISECONDS)
        await page.fill("#tab02 #selectCourtNumber", str(self.case), timeout=ACTION_MILLISECONDS)
        held = await page.evaluate(ASK, str(self.case))
        if held != str(self.case):
            raise BrowserElementNotFound(f"the field for the number holds {held!r:.40}, not {self.case}")
        await page.click("#tab02Submit", timeout=ACTION_MILLISECONDS)

    async def _ask_for_extras(self, desk: Desk) -> None:
        """Let the page ask for what is wanted beside the docket, and keep what it was told."""
        if RELATED in self.extras:
            await self._search_related(desk)
            # That search took the case's row away; the dialogs are opened from it.
            await self._ask(desk)
            await self._see(desk, ROW_IS_SHOWN)
        if PARTIES in self.extras:
            await self._open_dialog(desk, "Parties")
            await self._keep(desk, PARTIES)
            await self._see(desk, DIALOG_IS_FRESH)
            await self._close_dialog(desk)

    async def _search_related(self, desk: Desk) -> None:
        page = desk.page
        desk.waiting_for = "search for related cases"
        await page.click('a.TabButton[href="#tab04"]', timeout=ACTION_MILLISECONDS)
        await page.select_option("#tab04selectCourt", division_of(self.case), timeout=ACTION_MILLISECONDS)
        await page.fill("#tab04 #selectRetcaseCourtNumber", str(self.case), timeout=ACTION_MILLISECONDS)
        await page.click("#tab04Submit", timeout=ACTION_MILLISECONDS)
        await self._keep(desk, RELATED)

    async def _keep(self, desk: Desk, name: str) -> None:
        answer = await desk.answer_to(self._asking(name))
        _rows(answer, self.case)
        kept = {"number": str(self.case), "name": name, "answer": answer.body.decode("utf-8", "replace")}
        await desk.page.evaluate(KEEP_EXTRA, kept)

    async def _open_dialog(self, desk: Desk, head: str) -> None:
        """Press what stands under this head; rows are drawn anew at any time, and a press on an old one is lost."""
        for _ in range(PRESSES):
            place = await desk.page.evaluate(PLACE_OF_BUTTON, {"number": str(self.case), "head": head})
            if place is None:
                raise BrowserElementNotFound(f"the row of {self.case} has nothing to press under {head!r}")
            row, column = place
            button = f"#datatable tbody tr:nth-child({row}) > td:nth-child({column}) button"
            await desk.page.click(button, timeout=ACTION_MILLISECONDS)
            if await desk.page.locator(DIALOG).count():
                return
        raise BrowserElementNotFound(f"no dialog opened for {self.case}")

    async def _close_dialog(self, desk: Desk) -> None:
        if await desk.page.locator(DIALOG).count():
            await desk.page.click(f"{DIALOG} .modal-footer [data-dismiss=modal]", timeout=ACTION_MILLISECONDS)

    async def _see(self, desk: Desk, sight: str, **more: int) -> None:
        desk.waiting_for = f"{sight.split('(', 1)[0].removeprefix('function ')} of {self.case}"
        await desk.page.wait_for_function(sight, arg={"number": str(self.case), **more}, timeout=0)

    def _asking(self, name: str) -> str:
        return f"*/{ENDPOINTS[name]}[?]*courtnumber={self.case}"


def _rows(answer: Captured, case: CaseNumber) -> list[Row]:
    """Return what the page's script was told; what it was refused is refused to us."""
    problem = objection(answer.status, answer.headers, answer.body, now=datetime.now(UTC))
    if problem is not None and not 300 <= answer.status < 400:
        raise problem
    try:
        rows = orjson.loads(answer.body)["data"]
    except (orjson.JSONDecodeError, KeyError, TypeError) as exc:
        # A session that was dropped leads the script to a page; a new page brings a new session.
        raise BadResponse(f"The page's search for {case} got no data (HTTP {answer.status}).") from exc
    if not isinstance(rows, list):
        raise BadResponse(f"The page's search for {case} got no list.")
    return rows


def _is_written(row: Row) -> bool:
    return bool(str(row.get("RECORDED_ENTRY") or "").strip())
