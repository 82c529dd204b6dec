"""A judgment on paper: a small, valid PDF, the same bytes for the same document, and no two alike."""

from __future__ import annotations

from functools import lru_cache

from tidepool.draw import draw, pick

CLAUSES = (
    "The Plaintiff applies by summons for the relief set out below.",
    "I have read the affidavits filed on both sides and heard counsel.",
    "The principles are not in dispute and need not be rehearsed at length.",
    "The Defendant says that the notice was bad on its face.",
    "In my judgment the application was made promptly and in good faith.",
    "It follows that the order sought is neither necessary nor just.",
    "The petition was presented by a contributory and is opposed by none.",
    "Costs follow the event unless the parties agree otherwise.",
    "The liquidators are at liberty to apply.",
    "I would allow the appeal on the second ground alone.",
)
LINES_ON_A_PAGE = 46


@lru_cache(maxsize=512)
def paper(seed: int, number: int, heading: str) -> bytes:
    """Return the document of that number."""
    lines = _lines(seed, number, heading)
    pages = [lines[at : at + LINES_ON_A_PAGE] for at in range(0, len(lines), LINES_ON_A_PAGE)]
    return _assembled([_page_stream(page) for page in pages])


def _lines(seed: int, number: int, heading: str) -> list[str]:
    about = (seed, "paper", number)
    lines = [heading, f"Document {number} of series {seed}", ""]
    for paragraph in range(1, _length(number, about) + 1):
        lines.append(
            f"{paragraph}. {pick(CLAUSES, *about, paragraph)} ({draw(10**9, *about, paragraph):09d})"
        )
    return lines


def _length(number: int, about: tuple[object, ...]) -> int:
    """Return how many paragraphs: mostly a few, now and then very many."""
    if number % 400 == 399:
        return 4_000
    return 400 if number % 50 == 49 else 15 + draw(40, *about, "length")


def _page_stream(lines: list[str]) -> bytes:
    shown = "".join(f"({_escaped(line)}) Tj T*\n" for line in lines)
    return f"BT /F1 11 Tf 15 TL 60 780 Td\n{shown}ET\n".encode("latin-1", "replace")


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _assembled(streams: list[bytes]) -> bytes:
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, stream in enumerate(streams):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
            + f"/Contents {5 + 2 * at} 0 R >>".encode()
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"endstream")
    return _numbered(objects)


def _numbered(objects: list[bytes]) -> bytes:
    # The comment of high bytes tells programs that move files to leave the bytes alone (ISO 32000-1, 7.5.2).
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)
