"""How a page looked when it failed us, kept beside its HTML as evidence."""

from __future__ import annotations

from msgspec.structs import replace

from limpet.errors import FetchError
from limpet.fetch.filing import FileStore
from limpet.fetch.page import Page

KIND = "screenshots"


def keep_screenshot(problem: FetchError, store: FileStore, *, key: str) -> None:
    """Keep the error's screenshot as a file of its page, if it brought one."""
    if problem.screenshot is None or not isinstance(problem.page, Page):
        return
    draft = store.draft(KIND, key, suffix=".png", media_type="image/png")
    try:
        draft.write(problem.screenshot)
        problem.page = replace(problem.page, files=(*problem.page.files, draft.finish()))
    finally:
        draft.discard()
