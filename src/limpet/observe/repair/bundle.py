"""The repair bundle as files: both pages as text, the findings, and a test that fails until the reading is mended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from msgspec.structs import replace

from limpet.extract import Site
from limpet.fetch.page import Page
from limpet.observe.repair.exhibit import Exhibit
from limpet.observe.repair.findings import Findings, ReadAs
from limpet.observe.repair.inert import as_text, disarmed, without_secrets
from limpet.observe.repair.proving import Read
from limpet.observe.repair.wording import readme, structure
from limpet.record.zipping import StreamedZip

Files = dict[str, bytes]


def bundle_files(
    findings: Findings,
    good: Exhibit | None,
    bad: Exhibit | None,
    *,
    site: Site,
    general: Site | None,
    read: Read,
) -> Files:
    """Return every file of the bundle by its path."""
    case = case_name(findings)
    files = {
        "findings.json": _json(asdict(findings)),
        "structure.md": structure(findings).encode(),
        **_shown("last_good", good, findings.good),
        **_shown("first_bad", bad, findings.bad),
    }
    if bad is not None and findings.expected is not None:
        files |= {
            f"fixtures/{case}/{name}": body for name, body in _fixture(findings, bad, site, general, read)
        }
    files["README.md"] = readme(findings, case=case).encode()
    return dict(sorted(files.items()))


def as_zip(files: Files, *, folder: str) -> bytes:
    """Return the bundle as one file; the same bundle is always the same bytes."""
    archive = StreamedZip()
    for name, body in files.items():
        archive.add(f"{folder}/{name}", body)
    return archive.taken() + archive.end()


def case_name(findings: Findings) -> str:
    """Return what the fixture is called: when and where it broke."""
    bad = findings.bad
    if bad is None:
        return "none"
    day = f"{bad.fetched_at:%Y_%m_%d}" if bad.fetched_at is not None else "undated"
    return f"drifted_{day}_job_{bad.job_id}"


def _shown(folder: str, exhibit: Exhibit | None, read_as: ReadAs | None) -> Files:
    """A page as text, so that no double click opens it in a browser."""
    if exhibit is None:
        return {}
    return {
        f"{folder}/page.txt": as_text(exhibit.page).encode("utf-8", "replace"),
        f"{folder}/read_as.json": _json(asdict(read_as) if read_as is not None else {}),
    }


def _fixture(
    findings: Findings, bad: Exhibit, site: Site, general: Site | None, read: Read
) -> Iterator[tuple[str, bytes]]:
    body = _smallest_that_reads_alike(bad, site, general, read)
    is_json = body.lstrip()[:1] in (b"{", b"[")
    media_type = "application/json" if is_json else "text/html"
    yield ("page.json" if is_json else "page.html"), body
    meta = {
        "url": without_secrets(bad.kept.url),
        "status": bad.kept.status or 200,
        "content_type": f"{media_type}; charset=utf-8",
        "fetched_at": (bad.page.fetched_at).isoformat(),
    }
    yield "meta.json", _json(meta)
    yield "expected.json", _json(findings.expected)


def _smallest_that_reads_alike(bad: Exhibit, site: Site, general: Site | None, read: Read) -> bytes:
    """Return the page disarmed, unless somebody reads it differently then: scripts hold some shops' data."""
    whole = _in_utf8(bad.page, as_text(bad.page).encode("utf-8", "replace"))
    bare = _in_utf8(bad.page, disarmed(bad.page))
    readers = [each for each in (site, general) if each is not None]
    alike = all(
        _told(read(each, bare, bad.target)) == _told(read(each, whole, bad.target)) for each in readers
    )
    return bare.body if alike else whole.body


def _told(reading: Any) -> str:
    return repr(getattr(reading, "record", None)) + repr(getattr(reading, "reason", None))


def _in_utf8(page: Page, body: bytes) -> Page:
    return replace(page, body=body, headers={"content-type": f"{page.media_type}; charset=utf-8"})


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False, default=str) + "\n").encode()
