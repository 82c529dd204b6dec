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
_SOUND_UTF8 = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
# A small letter before a capital inside a word, one of them not ASCII.
_NOBODY_WRITES = re.compile(r"[a-zß-öø-ÿ][À-ÖØ-Þ]|[ß-öø-ÿ][A-ZÀ-ÖØ-Þ]")
_EASILY_CONTRADICTED = (None, "utf-8", "cp1252")


def to_utf8(body: bytes, content_type: str = "") -> bytes:
    """Return the body as UTF-8, believing the bytes over the label when they contradict each other."""
    bom, marked = _by_bom(body)
    if marked is not None:
        return _reencode(body[len(bom) :] if marked == "utf-8" else body, marked)
    if body.isascii():
        return body
    declared = declared_charset(body, content_type)
    # A page that is valid UTF-8 beyond ASCII is UTF-8, whatever a forgotten header says.
    if (declared in _EASILY_CONTRADICTED or _is_wide(declared)) and _is_utf8(body):
        return body
    if declared == "utf-8":  # it is not; perhaps the page itself knows better than its header
        declared = declared_charset(body)
    if declared in (None, "utf-8"):
        return _reencode(body, "cp1252" if _may_be_cp1252(body) else "utf-8")
    return _reencode(body, declared)


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


def _may_be_cp1252(body: bytes) -> bool:
    """Whether bytes that are no UTF-8 read like words in the other charset of the western web.

    Broken UTF-8 must stay visible as such: cp1252 would read nearly every byte, and find letters nobody wrote.
    """
    return (
        _SOUND_UTF8.search(body) is None and _NOBODY_WRITES.search(body.decode("cp1252", "replace")) is None
    )


def _is_wide(codec: str | None) -> bool:
    return codec is not None and codec.startswith(("utf-16", "utf-32"))


def _is_utf8(body: bytes) -> bool:
    return _fits(body, "utf-8")


def _fits(body: bytes, codec: str) -> bool:
    try:
        body.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _reencode(body: bytes, codec: str) -> bytes:
    if not _fits(body, codec) and _is_utf8(body):
        return body
    return body.decode(codec, "replace").encode("utf-8", "replace")
