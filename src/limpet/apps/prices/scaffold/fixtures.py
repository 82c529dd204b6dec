"""The fixtures a new site begins with: a good case, and one whose price was lost; each proven by reading it."""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from limpet.apps.prices.scaffold.cutting import cut
from limpet.apps.prices.scaffold.material import PROVEN, CannotDraft, Draft, Saved, differing
from limpet.extract import Extraction, Unreadable
from limpet.extract.places import Material, open_material
from limpet.fetch.page import Page


def fixture_files(saved: Saved, draft: Draft) -> dict[str, bytes]:
    """Return the files of both cases by their path in the site's folder."""
    material = open_material(saved.page)
    good = _read(saved, draft, cut(saved, material, draft))
    if not isinstance(good, Extraction):
        raise CannotDraft(
            f"Cut down to what is read, the page reads otherwise: {good.reason.value}: {good.details}."
        )
    if found := differing(good.record, draft.offer):
        raise CannotDraft(f"Cut down to what is read, the page reads otherwise: {'; '.join(found)}.")
    record = {name: getattr(good.record, name) for name in PROVEN if getattr(good.record, name) is not None}
    case = draft.offer.availability.value
    lost_body, lost = _lost(saved, material, draft)
    return {
        **_case(f"fixtures/{case}", saved, good.page.body, {"outcome": "extraction", "record": record}),
        **_case(
            "fixtures/price_lost", saved, lost_body, {"outcome": "unreadable", "reason": lost.reason.value}
        ),
    }


def _lost(saved: Saved, material: Material, draft: Draft) -> tuple[bytes, Unreadable]:
    body = cut(saved, material, draft, with_price=False)
    reading = _read(saved, draft, body)
    if isinstance(reading, Extraction):
        raise CannotDraft("price: with its price taken out, the page still reads as having one.")
    return body, reading


def _read(saved: Saved, draft: Draft, body: bytes) -> Any:
    return draft.page_model.read(_page(saved, body), saved.target)


def _page(saved: Saved, body: bytes) -> Page:
    kind = "application/json" if _is_json(body) else "text/html"
    return replace(saved.page, body=body, headers={"content-type": f"{kind}; charset=utf-8"})


def _case(folder: str, saved: Saved, body: bytes, expected: dict[str, Any]) -> dict[str, bytes]:
    page = _page(saved, body)
    meta = {
        "url": saved.page.url,
        "status": 200,
        "content_type": page.headers["content-type"],
        "fetched_at": saved.page.fetched_at.isoformat(timespec="seconds"),
        "note": "Written by `limpet new site` from the facts of a saved page.",
    }
    suffix = "json" if _is_json(body) else "html"
    return {
        f"{folder}/page.{suffix}": body,
        f"{folder}/meta.json": _json(meta),
        f"{folder}/expected.json": _json(expected),
    }


def _is_json(body: bytes) -> bool:
    return body.lstrip()[:1] in (b"{", b"[")


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
