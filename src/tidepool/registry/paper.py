"""A published document: a small but real PDF that says which entry it belongs to."""

from __future__ import annotations


def pdf_of(title: str) -> bytes:
    """Return a PDF of one page showing the title; the same title gives the same bytes."""
    shown = title.encode("latin-1", "replace").replace(b"\\", b"").replace(b"(", b"[").replace(b")", b"]")
    drawing = b"BT /F1 14 Tf 60 760 Td (" + shown + b") Tj ET\n" + b"% wet paper\n" * 120
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length " + str(len(drawing)).encode() + b" >>\nstream\n" + drawing + b"endstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    paper, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, start=1):
        places.append(len(paper))
        paper += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return bytes(paper) + end % (len(objects) + 1, table, len(objects) + 1, len(paper))
