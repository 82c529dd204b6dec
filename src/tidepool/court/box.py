"""Box: the gate that redirects, and the host that has the bytes, as long as the signature holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from tidepool.court.signatures import Signatures
from tidepool.site import Request, Response, html, json_answer, plain, redirect

FIRST_FILE_ID = 1_620_000_000_000
CONTENT = re.compile(r"^/d/1/(?P<document>\d+)/(?P<signature>[^/]+)/download$")
SHARED = re.compile(r"^/shared/static/(?P<document>\d+)\.pdf$")
FILE = re.compile(r"^/2\.0/files/(?P<file>\d+)/content$")
UNAUTHORIZED = json_answer({"type": "error", "status": 401, "code": "unauthorized"}, status=401).having(
    ("WWW-Authenticate", 'Bearer realm="Service", error="invalid_token"')
)


def content_url(court_base: str, document: int, signature: str) -> str:
    """Return the address of the bytes, at the content host beside that court."""
    return f"{_beside(court_base, 'boxcdn')}/d/1/{document}/{signature}/download"


def shared_url(court_base: str, document: int, signature: str) -> str:
    """Return an old shared link, which redirects."""
    return f"{_beside(court_base, 'box')}/shared/static/{document}.pdf?signature={signature}"


def _beside(base: str, name: str) -> str:
    scheme, _, host = base.partition("://")
    return f"{scheme}://{name}.{host.partition('.')[2]}"


class BoxGate:
    """Redirects to the content host: by shared link, or by file number and access token."""

    title = "Box: shared links and files by access token, both redirecting"

    def __init__(self, signatures: Signatures) -> None:
        self._signatures = signatures

    async def answer(self, request: Request, *, tick: int) -> Response:
        """Redirect who may pass."""
        if shared := SHARED.match(request.path):
            document, signature = int(shared["document"]), request.parameters.get("signature", "")
            refusal = over(document)
        elif file := FILE.match(request.path):
            document = int(file["file"]) - FIRST_FILE_ID
            signature = request.parameters.get("access_token", "")
            refusal = UNAUTHORIZED
        else:
            return plain("not found", status=404)
        if not self._signatures.honours(document, signature, tick=tick):
            return refusal
        self._signatures.use(signature)
        fresh = self._signatures.sign(document, tick=tick)
        return redirect(content_url(request.base, document, fresh))

    def truth(self, path: str, *, tick: int) -> dict[str, Any] | None:
        """Say nothing: the court knows what is behind each address."""
        return None


class BoxContent:
    """Sends documents to who has a signature that is still good."""

    title = "Box's content host: PDFs under addresses that expire"

    def __init__(self, signatures: Signatures, document: Callable[[int], bytes]) -> None:
        self._signatures = signatures
        self._document = document

    async def answer(self, request: Request, *, tick: int) -> Response:
        """Send the PDF, or say the way Box does that the address is over."""
        found = CONTENT.match(request.path)
        if found is None or request.method not in ("GET", "HEAD"):
            return plain("not found", status=404)
        document, signature = int(found["document"]), unquote(found["signature"])
        if not self._signatures.honours(document, signature, tick=tick):
            return over(document)
        self._signatures.use(signature)
        headers = (
            ("Content-Type", "application/pdf"),
            ("Content-Disposition", f'attachment; filename="judgment-{document}.pdf"'),
            ("Accept-Ranges", "none"),
        )
        return Response(200, self._document(document), headers)

    def truth(self, path: str, *, tick: int) -> dict[str, Any] | None:
        """Say nothing: the court knows what is behind each address."""
        return None


def over(document: int) -> Response:
    """Return one of the three ways an expired address has been seen to answer."""
    turn = document % 3
    if turn == 0:
        return json_answer({"type": "error", "status": 403, "code": "forbidden"}, status=403)
    page = "<!DOCTYPE html><html><head><title>Box</title></head><body><p>This link is over.</p></body></html>"
    return html(page, status=404 if turn == 1 else 410)
