from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limpet.clock import FrozenClock
from limpet.errors import DiskInsufficient
from limpet.record.artefacts import ArtefactStore, file_stem
from limpet.record.entry import Run
from limpet.record.ledger import Ledger

Make = Callable[..., Any]


@pytest.fixture
def store(tmp_path: Path, clock: FrozenClock) -> ArtefactStore:
    return ArtefactStore(tmp_path, clock=clock)


def put(store: ArtefactStore, key: str, content: bytes = b"%PDF-1.7") -> Any:
    return store.store("pdfs", key, content, suffix=".pdf", media_type="application/pdf")


def test_a_plain_key_is_its_own_name() -> None:
    assert file_stem("FSD0001OF2024") == "FSD0001OF2024"


def test_keys_that_normalise_alike_get_different_names() -> None:
    stems = {file_stem(key) for key in ["ABC1", "abc1", "A.B.C.1", "ABC 1", "ＡＢＣ１"]}

    assert len(stems) == 5
    assert all(stem.startswith("ABC1") for stem in stems)


@pytest.mark.parametrize(
    "key",
    ["../../etc/passwd", "/etc/passwd", "..", "", "a/b\\c", "x\x00y", "\ud800", "é" * 5_000, "A" * 5_000],
)
def test_no_key_leaves_its_folder(store: ArtefactStore, tmp_path: Path, key: str) -> None:
    stored = put(store, key)

    path = (tmp_path / stored.path).resolve()
    assert path.parent == (tmp_path / "pdfs").resolve()
    assert path.read_bytes() == b"%PDF-1.7"


@pytest.mark.parametrize(
    ("kind", "suffix"), [("../x", ".pdf"), ("pdfs/x", ".pdf"), ("pdfs", "/../x"), ("", ".pdf")]
)
def test_folders_and_suffixes_are_our_own_words(store: ArtefactStore, kind: str, suffix: str) -> None:
    with pytest.raises(ValueError, match="do not make a folder"):
        store.draft(kind, "K", suffix=suffix, media_type="application/pdf")


def test_the_same_content_again_is_the_same_file(store: ArtefactStore, tmp_path: Path) -> None:
    first, second = put(store, "K"), put(store, "K")

    assert first == second
    assert [path.name for path in (tmp_path / "pdfs").iterdir()] == ["K.pdf"]


def test_other_content_under_the_same_key_never_overwrites(store: ArtefactStore, tmp_path: Path) -> None:
    first, second = put(store, "K", b"old"), put(store, "K", b"new")

    assert first.path != second.path
    assert (tmp_path / first.path).read_bytes() == b"old"
    assert (tmp_path / second.path).read_bytes() == b"new"


def test_chunks_make_one_file(store: ArtefactStore, tmp_path: Path) -> None:
    stored = store.store("pdfs", "K", iter([b"a", b"b", b"c"]), suffix=".pdf", media_type="application/pdf")

    assert (tmp_path / stored.path).read_bytes() == b"abc"
    assert stored.size_bytes == 3


def test_a_download_that_breaks_off_leaves_nothing(store: ArtefactStore, tmp_path: Path) -> None:
    def breaking() -> Any:
        yield b"half"
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        store.store("pdfs", "K", breaking(), suffix=".pdf", media_type="application/pdf")

    assert list((tmp_path / "pdfs").iterdir()) == []


def test_a_full_disk_is_named_and_leaves_nothing(
    store: ArtefactStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(fd: int, data: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, "write", no_space)
        with pytest.raises(DiskInsufficient):
            put(store, "K")

    assert list((tmp_path / "pdfs").iterdir()) == []


async def test_a_file_becomes_ours_with_its_settlement(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, tmp_path: Path
) -> None:
    (lease, *_) = await lease_all(run)
    stored = put(ledger.artefacts, "K")

    await ledger.settle(settlement_of(lease, page=None, artefacts=[stored]))
    await ledger.note_artefact(stored)

    found = await ledger.verify()
    assert (found.problems, found.notes, found.counts["artefacts"]) == ([], [], 1)
    (tmp_path / stored.path).write_bytes(b"changed")
    assert [problem.kind for problem in (await ledger.verify()).problems] == ["artefact"]
    (tmp_path / stored.path).unlink()
    assert [problem.kind for problem in (await ledger.verify()).problems] == ["artefact"]


async def test_opening_removes_what_a_crash_left_unfinished_and_nothing_else(
    ledger: Ledger, open_ledger: Make, tmp_path: Path
) -> None:
    await ledger.note_artefact(put(ledger.artefacts, "KEPT"))
    folder = tmp_path / "pdfs"
    (folder / ".HALF.0123.part").write_bytes(b"half")
    (folder / "YOUNG.pdf").write_bytes(b"named a moment ago")
    (folder / "OLD.pdf").write_bytes(b"nobody knows me")
    long_ago = time.time() - 7_200
    os.utime(folder / "OLD.pdf", (long_ago, long_ago))
    busy = ledger.artefacts.draft("pdfs", "BUSY", suffix=".pdf", media_type="application/pdf")
    busy.write(b"still coming")

    async with await open_ledger():
        stored = busy.finish()

    assert sorted(path.name for path in folder.iterdir()) == ["BUSY.pdf", "KEPT.pdf", "OLD.pdf", "YOUNG.pdf"]
    assert stored.path == "pdfs/BUSY.pdf"
    assert (await ledger.verify()).notes == [
        "no row speaks of pdfs/BUSY.pdf",
        "no row speaks of pdfs/OLD.pdf",
        "no row speaks of pdfs/YOUNG.pdf",
    ]
