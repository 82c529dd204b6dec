"""From bytes in whatever charset to UTF-8, the only one the rest of the reading kit speaks."""

from __future__ import annotations

import codecs
import re

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOK_FOR_META_IN = 2_048
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_IN_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_IN_XML = re.compile(rb"^\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w:.-]+)", re.IGNORECASE)

# Browsers read these labels as their supersets, and pages are written for browsers.
_READ_AS = {
    "iso-8859-1": "cp1252",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "windows-1252": "cp1252",
    "iso-8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "utf8": "utf-8",
}


def to_utf8(body: bytes, content_type: str = "") -> bytes:
    """Return the body as UTF-8, believing the bytes over the label when they contradict each other."""
    bom, marked = _by_bom(body)
    if marked is not None:
        return body[len(bom) :] if marked == "utf-8" else _reencode(body, marked)
    if body.isascii():
        return body
    declared = declared_charset(body, content_type)
    # A page that is valid UTF-8 beyond ASCII is UTF-8, whatever a forgotten header says.
    if declared in (None, "utf-8", "cp1252") and _is_utf8(body):
        return body
    return _reencode(body, declared if declared not in (None, "utf-8") else "cp1252")


def declared_charset(body: bytes, content_type: str = "") -> str | None:
    """Return the codec the origin names - header first, then the page itself - or None when it names none."""
    in_header = _IN_HEADER.search(content_type)
    head = body[:_LOOK_FOR_META_IN]
    in_page = _IN_META.search(head) or _IN_XML.search(head)
    for label in (in_header and in_header[1], in_page and in_page[1].decode("ascii", "replace")):
        codec = _known(label) if label else None
        if codec is not None:
            return codec
    return None


def _known(label: str) -> str | None:
    name = label.lower()
    name = _READ_AS.get(name, name)
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    # Some Python codecs turn bytes into bytes; a page may not choose those.
    return info.name if info._is_text_encoding and info.name not in ("idna", "punycode") else None


def _by_bom(body: bytes) -> tuple[bytes, str | None]:
    return next(((bom, codec) for bom, codec in _BOMS if body.startswith(bom)), (b"", None))


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _reencode(body: bytes, codec: str | None) -> bytes:
    try:
        text = body.decode(codec or "cp1252")
    except (UnicodeDecodeError, LookupError):
        text = body.decode("utf-8") if _is_utf8(body) else body.decode("cp1252", "replace")
    return text.encode("utf-8", "replace")
