"""Reads the saved page and the fixtures with a site as it was written, not as it was meant."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from limpet.apps.prices.scaffold.material import PROVEN, CannotDraft, Draft, Saved, differing
from limpet.extract import Extraction, Site, Unreadable
from limpet.fetch.page import Page

PACKAGE = "limpet.apps.prices.sites"


def prove_folder(site_id: str, folder: Path, *, saved: Saved, draft: Draft) -> None:
    """Read the page and the fixtures with the site as it was written, not as it was meant."""
    with loaded_from(site_id, folder) as site:
        must_read(site, saved, draft)
        for case in sorted((folder / "fixtures").iterdir()):
            expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
            body = next(each for each in case.iterdir() if each.stem == "page").read_bytes()
            page = Page(saved.page.url, saved.page.url, 200, saved.page.headers, body, saved.page.fetched_at)
            reading = site.page_model.read(page, saved.target)
            if isinstance(reading, Unreadable) != (expected["outcome"] == "unreadable"):
                raise CannotDraft(f"The fixture {case.name} does not read as it should.")


@contextmanager
def loaded_from(site_id: str, folder: Path) -> Iterator[Site]:
    """Yield the site from its folder, under the name it will have; nothing of it stays loaded."""
    name = f"{PACKAGE}.{site_id}"
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = sys.dont_write_bytecode
    try:
        sys.dont_write_bytecode, sys.modules[name] = True, module
        spec.loader.exec_module(module)
        yield module.SITE
    finally:
        sys.dont_write_bytecode = before
        for loaded in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
            del sys.modules[loaded]


def must_read(site: Site, saved: Saved, draft: Draft) -> None:
    """Raise CannotDraft unless the site reads the page as the draft did."""
    reading: Any = site.page_model.read(saved.page, saved.target)
    if not isinstance(reading, Extraction):
        raise CannotDraft(f"Read back, the page is {reading.reason.value}: {reading.details}.")
    names = [name for name in PROVEN if name != "title"]
    if found := differing(reading.record, draft.offer, names):
        raise CannotDraft(f"Read back, the page says something else: {'; '.join(found)}.")
