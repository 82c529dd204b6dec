"""The AJAX desk's answers: an address to fetch, or one of the ways it says no."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from limpet.apps.judgments.errors import AjaxFault, AjaxUnreadable
from limpet.errors import FetchError
from limpet.fetch.page import Page

_KEYS = ("fid", "url", "download_url", "link")
_WORDS = {b"0": "it does not know the action", b"": "it said nothing"}


class NonceRefused(Exception):
    """The desk wants a fresh nonce; `answer` is how it said so, when that was an error of HTTP."""

    def __init__(self, answer: FetchError | None = None) -> None:
        super().__init__("the nonce was refused")
        self.answer = answer


@dataclass(frozen=True, slots=True)
class Handed:
    """What the desk handed out: a signed address, or a file number with an access token."""

    address: str
    access_token: str | None = None


def read_answer(page: Page) -> Handed:
    """Return what was handed out, or raise what the answer amounts to; the page is its evidence."""
    try:
        return _read(page.body.strip())
    except (AjaxFault, AjaxUnreadable) as problem:
        problem.page, problem.status = page, page.status
        raise


def _read(body: bytes) -> Handed:
    if body == b"-1":
        raise NonceRefused()
    if body in _WORDS:
        raise AjaxUnreadable(f"The desk answered {body.decode() or 'nothing'!r}: {_WORDS[body]}.")
    try:
        said = orjson.loads(body)
    except orjson.JSONDecodeError as wrong:
        raise AjaxUnreadable(f"The desk's answer is no JSON: {body[:60]!r}.") from wrong
    if not isinstance(said, dict):
        raise AjaxUnreadable(f"The desk's answer is no object: {body[:60]!r}.")
    # Whatever else stands there: an answer that does not claim success is none.
    if said.get("success") is not True:
        raise AjaxFault(f"The desk says it did not work: {_brief(said.get('data'))}.")
    return _handed(said.get("data"))


def _handed(data: Any) -> Handed:
    if isinstance(data, str) and data.strip():
        return Handed(data.strip())
    if not isinstance(data, Mapping):
        raise AjaxUnreadable("The desk claims success and hands out nothing.")
    address = next((str(data[key]).strip() for key in _KEYS if data.get(key)), "")
    if not address:
        raise AjaxUnreadable(f"The desk claims success without an address; it names {_brief(sorted(data))}.")
    token = data.get("t")
    return Handed(address, str(token) if token else None)


def _brief(said: Any) -> str:
    return repr(said)[:80]
