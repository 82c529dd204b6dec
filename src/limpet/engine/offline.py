"""A page through extraction and judgement alone: no fetch, no ledger, the same words as on a journey."""

from __future__ import annotations

import traceback
from typing import Any

from limpet.engine.app import App
from limpet.engine.ending import Ending, ending_of_unreadable, ending_of_verdict
from limpet.engine.journey import read
from limpet.extract import Missing, Site, Unreadable
from limpet.fetch import Page
from limpet.target import Outcome
from limpet.validate import Circumstances, judge


def read_and_judge(site: Site, page: Page, app: App, circumstances: Circumstances) -> tuple[Ending, Any]:
    """Return how the page ends, and the record it gave, if any."""
    reading = read(site, page, circumstances.target)
    if isinstance(reading, Unreadable):
        return ending_of_unreadable(reading), None
    try:
        verdict = judge(reading, app.rules, circumstances)
    except Exception:
        return (Outcome.FAILED, Missing.ADAPTER_ERROR.value, traceback.format_exc(limit=-4)), None
    return ending_of_verdict(verdict), verdict.record
