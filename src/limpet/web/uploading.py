"""Files people send: text within bounds, and a word about what is wrong with any other."""

from __future__ import annotations

from starlette.datastructures import UploadFile

from limpet.errors import UsageError

LONGEST_FILE = 4_000_000


async def text_of(file: UploadFile) -> str:
    """Return the file's text; raise UsageError when it is too long or no UTF-8."""
    body = await file.read(LONGEST_FILE + 1)
    if len(body) > LONGEST_FILE:
        raise UsageError(f"The file is longer than {LONGEST_FILE:,} bytes.", fix="Send it in parts.")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise UsageError(
            f"The file is no UTF-8 text (byte {wrong.start:,}).",
            fix="Save it as CSV in UTF-8, and send it again.",
        ) from wrong
