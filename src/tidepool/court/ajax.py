"""The court's AJAX desk: `admin-ajax.php` with its two actions, and the ways it says no."""

from __future__ import annotations

import json
from typing import Protocol
from urllib.parse import parse_qsl

from tidepool.court.box import FIRST_FILE_ID, content_url, shared_url
from tidepool.court.docket import Docket
from tidepool.court.nonces import Nonces
from tidepool.court.register import Registers
from tidepool.court.signatures import Signatures
from tidepool.site import JSON, Request, Response

JUDGMENTS_FOLDER = "286692310418"
REGISTERS_FOLDER = "286692767087"


class Shelves(Protocol):
    """What the desk fetches documents from."""

    @property
    def docket(self) -> Docket: ...

    @property
    def registers(self) -> Registers: ...


class Desk:
    """Hands out signed addresses to who shows the right cookie, nonce, folder and token."""

    def __init__(self, shelves: Shelves, nonces: Nonces, signatures: Signatures) -> None:
        self._shelves = shelves
        self._nonces = nonces
        self._signatures = signatures

    def answer(self, request: Request, *, tick: int) -> Response:
        """Answer one POST the way WordPress and the site's plugin do."""
        form = dict(parse_qsl(request.body.decode("utf-8", "replace"), keep_blank_values=True))
        action = form.get("action")
        if request.method != "POST" or action not in ("dl_bfile", "get_bfile"):
            return _text("0", status=400)
        session = self._nonces.session_of(request)
        if not self._nonces.accepts(session, form.get("security", ""), tick=tick):
            return _text("-1", status=200 if self._nonces.is_soft else 403)
        given = (
            self._judgment(form, request, tick=tick)
            if action == "dl_bfile"
            else self._filing(form, tick=tick)
        )
        if given is None:
            return success(None, because="File not found")
        assert session is not None
        self._nonces.use(session)
        return success(given)

    def _judgment(self, form: dict[str, str], request: Request, *, tick: int) -> dict[str, str] | None:
        document = self._shelves.docket.document_of(form.get("fname", ""))
        if document is None or form.get("fid") != JUDGMENTS_FOLDER:
            return None
        signature = self._signatures.sign(document, tick=tick)
        # Some files are still handed out by the old shared links, which redirect to where the bytes are.
        build = shared_url if document % 5 == 3 else content_url
        return {"fid": build(request.base, document, signature)}

    def _filing(self, form: dict[str, str], *, tick: int) -> dict[str, str] | None:
        filing = self._shelves.registers.at(form.get("fname", ""))
        if filing is None or form.get("fid") != REGISTERS_FOLDER:
            return None
        return {
            "fid": str(FIRST_FILE_ID + filing.document),
            "t": self._signatures.sign(filing.document, tick=tick),
        }


def success(data: dict[str, str] | None, *, because: str = "") -> Response:
    """Return what `wp_send_json_success` or `wp_send_json_error` would: slashes escaped as PHP does."""
    said = {"success": data is not None, "data": data if data is not None else because}
    text = json.dumps(said, separators=(",", ":")).replace("/", r"\/")
    return Response(200, text.encode(), (("Content-Type", JSON),))


def _text(text: str, *, status: int) -> Response:
    return Response(status, text.encode(), (("Content-Type", "text/html; charset=UTF-8"),))
