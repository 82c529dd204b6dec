"""What makes a file a whole PDF: how it begins, how it ends, and that it is no stub."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from limpet.fetch.filing import Sink

SMALLEST_BYTES = 1_024
_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1_024  # readers accept a little rubbish before it
_END = b"%%EOF"
_TAIL_BYTES = 2_048


@dataclass(slots=True)
class PdfWatch:
    """Passes a body on to its file and remembers both its ends."""

    sink: Sink
    smallest: int = SMALLEST_BYTES
    size: int = 0
    head: bytes = b""
    tail: bytes = field(default=b"")

    def write(self, chunk: bytes) -> None:
        """Pass a piece on."""
        self.sink.write(chunk)
        self.size += len(chunk)
        if len(self.head) < _MAGIC_WITHIN:
            self.head += chunk[: _MAGIC_WITHIN - len(self.head)]
        self.tail = (self.tail + chunk[-_TAIL_BYTES:])[-_TAIL_BYTES:]

    def objection(self, announced: str | None = None) -> str:
        """Return why this is no whole PDF; empty when it is one."""
        if announced and announced.isdecimal() and int(announced) != self.size:
            return f"{self.size:,} bytes came where {int(announced):,} were announced"
        return objection_to(self.head, self.tail, self.size, smallest=self.smallest)


def objection_to(head: bytes, tail: bytes, size: int, *, smallest: int = SMALLEST_BYTES) -> str:
    """Return why a file with this beginning, end and size is no whole PDF."""
    if _MAGIC not in head[:_MAGIC_WITHIN]:
        return f"it does not begin as a PDF but with {head[:16]!r}"
    if size < smallest:
        return f"{size:,} bytes are too few for a document"
    if _END not in tail:
        return "it has no end: it was cut short"
    return ""


def is_whole_pdf(path: Path, *, smallest: int = SMALLEST_BYTES) -> bool:
    """Whether the file on the disk is a whole PDF."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(_MAGIC_WITHIN)
        file.seek(max(0, size - _TAIL_BYTES))
        return not objection_to(head, file.read(), size, smallest=smallest)
