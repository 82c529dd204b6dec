"""The court's pages, with one real nonce, one decoy, and nothing a plain reader could mistake for data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tidepool.court.ajax import JUDGMENTS_FOLDER, REGISTERS_FOLDER
from tidepool.court.case import Row
from tidepool.court.habits import Habits
from tidepool.court.register import Registers
from tidepool.court.wording import REGISTERS


def templates() -> Environment:
    """Return the templates beside this module."""
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


class Pages:
    """Renders what visitors see."""

    def __init__(self, habits: Habits) -> None:
        self._habits = habits
        self._templates = templates()

    def listing(
        self, rows: Sequence[Row], *, base: str, nonce: str, decoy: str, query: Mapping[str, str]
    ) -> str:
        """Return one page of the judgments, newest first."""
        size = self._habits.rows_on_a_page
        shown = [row for row in rows if row.tokens]
        pages = max(1, -(-len(shown) // size))
        page = min(_whole(query.get("dt_page", "0")), pages - 1)
        return self._render(
            "listing.html",
            base=base,
            decoy=decoy,
            box_ajax=self._script(base, nonce, JUDGMENTS_FOLDER),
            rows=shown[page * size : (page + 1) * size],
            fid=JUDGMENTS_FOLDER if self._habits.fid_on_button else None,
            pager=_pager(page, pages),
            page=page,
            pages=pages,
        )

    def registers(
        self, registers: Registers, *, base: str, nonce: str, decoy: str, query: Mapping[str, str]
    ) -> str:
        """Return the filings, narrowed by the page's two filters."""
        register, text = query.get("register", ""), query.get("text", "")
        return self._render(
            "registers.html",
            base=base,
            decoy=decoy,
            box_ajax=self._script(base, nonce, REGISTERS_FOLDER),
            names=REGISTERS,
            register=register,
            text=text,
            filings=registers.matching(register, text),
        )

    def home(self, *, base: str) -> str:
        """Return the front page."""
        return self._render("home.html", base=base)

    def missing(self, *, base: str) -> str:
        """Return the page shown where there is none."""
        return self._render("missing.html", base=base)

    def _script(self, base: str, nonce: str, folder: str) -> str:
        known = {"ajaxurl": f"{base}/wp-admin/admin-ajax.php", "ajax_nonce": nonce}
        if not self._habits.fid_on_button:
            known["fid"] = folder
        return json.dumps(known).replace("/", r"\/")

    def _render(self, template: str, **known: object) -> str:
        return self._templates.get_template(template).render(banner=self._habits.cookie_banner, **known)


def _pager(page: int, pages: int) -> list[int | None]:
    """Return the numbers the pager shows; None is an ellipsis. The last page is always among them."""
    near = {0, pages - 1, *range(max(0, page - 1), min(pages, page + 4))}
    shown: list[int | None] = []
    for number in sorted(near):
        if shown and number - (shown[-1] or 0) > 1:
            shown.append(None)
        shown.append(number)
    return shown


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0
