"""What a page looks like inside: its HTML, read where the page's own scripts cannot lie about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.errors import BodyTooLarge

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

# Length first: a page that grew without limit is refused inside Chromium, before it is copied to us.
_READ = """(() => {
  const root = document.documentElement;
  const html = root ? root.outerHTML : '';
  if (html.length > %d) return { size: html.length };
  const doctype = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '';
  return { size: html.length, html: doctype + html };
})()"""


async def rendered_html(session: CDPSession, *, max_bytes: int) -> bytes:
    """Return the document as it stands now, in UTF-8, or raise BodyTooLarge."""
    tree = await session.send("Page.getFrameTree")
    world = await session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})
    answer = await session.send(
        "Runtime.evaluate",
        {
            "expression": _READ % max_bytes,
            "contextId": world["executionContextId"],
            "returnByValue": True,
        },
    )
    value = answer["result"].get("value") or {}
    html = str(value.get("html", "")).encode("utf-8", "replace")
    if value.get("size", 0) > max_bytes or len(html) > max_bytes:
        raise BodyTooLarge(f"the rendered page is larger than {max_bytes} bytes")
    return html
