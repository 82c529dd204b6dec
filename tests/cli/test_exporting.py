"""A file that is exported appears whole or not at all."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from limpet.cli.exporting.judgments import opened
from limpet.errors import UsageError


def test_a_file_gets_its_name_once_it_is_whole(tmp_path: Path) -> None:
    place = tmp_path / "cases.csv"

    with opened(place, force=False) as out:
        out.write(b"one")
        assert not place.exists()

    assert place.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [place]


def test_what_broke_on_the_way_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), opened(tmp_path / "cases.csv", force=False) as out:
        out.write(b"half")
        raise ZeroDivisionError

    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    place = tmp_path / "cases.csv"
    place.write_bytes(b"old")

    with pytest.raises(UsageError, match="is there already"), opened(place, force=False):
        pass
    with opened(place, force=True) as out:
        out.write(b"new")

    assert place.read_bytes() == b"new"


def test_the_first_complaint_is_heard_when_nothing_can_be_swept_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")  # as such a disk refuses both

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)

    with pytest.raises(UsageError) as said, opened(tmp_path / "cases.csv", force=False):
        pass

    assert str(said.value) == f"{tmp_path / 'cases.csv'} cannot be written: Read-only file system."
    assert said.value.fix == "Name another place: --output."


def test_a_place_that_cannot_be_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"), opened(tmp_path / "no" / "x", force=False):
        pass
