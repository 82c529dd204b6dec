"""Reads what the route brought: a judgment, or the reason it is none."""

from __future__ import annotations

import hashlib

from limpet.apps.judgments.judgment import Judgment
from limpet.extract import Extraction, Missing, Unreadable
from limpet.fetch.page import Page
from limpet.fetch.pdf import objection_to
from limpet.target import Target


class DocumentPage:
    """A document on the disk was looked at while it came; one in memory, as when replayed, is looked at now."""

    def read(self, page: Page, target: Target) -> Extraction[Judgment] | Unreadable:
        """Return the judgment, or why this is none."""
        token = str(target.params.get("token", ""))
        if page.files:
            file = page.files[0]
            is_from_disk = page.fetcher == "disk"
            box_url = "" if is_from_disk else page.final_url
            record = Judgment(
                token, file.sha256, file.size_bytes, file.path, box_url, was_adopted=is_from_disk
            )
            return Extraction(page, record)
        if not page.body:
            return Unreadable(page, Missing.EMPTY_PAGE, "nothing came")
        problem = objection_to(page.body[:1_024], page.body[-2_048:], len(page.body))
        if problem:
            return Unreadable(page, Missing.NOT_PARSABLE, problem)
        digest = hashlib.sha256(page.body).hexdigest()
        return Extraction(page, Judgment(token, digest, len(page.body)))


PAGE = DocumentPage()
