"""When we are killed, our browser does not live on: neither by itself, nor past the next start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import psutil
import pytest

from limpet.fetch.browser.orphans import FOLDER, BrowserNote, sweep_orphans
from limpet.fetch.browser.process_tree import ProcessTree

OWNER = """
import asyncio, sys
from pathlib import Path
from limpet.fetch.browser import BrowserPool

async def own():
    async with BrowserPool(None, executable=sys.argv[1], data_dir=Path(sys.argv[2])) as pool:
        await pool.warm()
        print("ready", flush=True)
        await asyncio.Event().wait()

asyncio.run(own())
"""


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """A process in a session of its own, as Chromium is."""
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    yield process
    process.kill()
    process.wait()


def note_about(process: subprocess.Popen[bytes]) -> BrowserNote:
    return BrowserNote.about(ProcessTree(process.pid, process.pid))


def rewrite(path: Path, **changes: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


@pytest.mark.browser
def test_a_browser_whose_owner_was_killed_is_swept_even_when_its_driver_hangs(
    chromium: Path, tmp_path: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(chromium), str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "ready\n"
        (path,) = (tmp_path / FOLDER).glob("*.json")
        note = BrowserNote(**json.loads(path.read_text()))
        tree = ProcessTree(note.root_pid, note.session)
        assert sweep_orphans(tmp_path) == []
        assert note.driver_pid is not None
        os.kill(note.driver_pid, signal.SIGSTOP)
        owner.kill()

    orphans = {process.pid for process in tree.members()}
    swept = sweep_orphans(tmp_path)

    assert orphans <= set(swept)
    assert note.driver_pid in swept
    assert tree.members() == []
    assert not path.exists()


def test_a_living_owners_browser_is_left_alone(stranger: subprocess.Popen[bytes], tmp_path: Path) -> None:
    path = note_about(stranger).write(tmp_path)

    assert sweep_orphans(tmp_path) == []
    assert path.exists()
    assert stranger.poll() is None


def test_a_dead_owners_browser_is_ended(stranger: subprocess.Popen[bytes], tmp_path: Path) -> None:
    path = note_about(stranger).write(tmp_path)
    rewrite(path, owner_started=1.0)

    assert sweep_orphans(tmp_path) == [stranger.pid]
    assert stranger.poll() is not None
    assert not path.exists()


def test_a_stranger_who_was_given_the_pid_since_is_left_alone(
    stranger: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    path = note_about(stranger).write(tmp_path)
    rewrite(path, owner_started=1.0, root_started=1.0, executable="/usr/bin/some-chromium")

    assert sweep_orphans(tmp_path) == []
    assert stranger.poll() is None
    assert not path.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"owner_pid": 1}', "null"])
def test_a_note_that_cannot_be_read_is_removed(tmp_path: Path, text: str) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "1-2.json").write_text(text)

    assert sweep_orphans(tmp_path) == []
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_nothing_is_swept_where_nothing_was_launched(tmp_path: Path) -> None:
    assert sweep_orphans(tmp_path) == []


def test_a_tree_holds_children_whose_parent_is_gone() -> None:
    with subprocess.Popen(["sh", "-c", "sleep 60 & sleep 60 & wait"], start_new_session=True) as leader:
        tree = ProcessTree.of(leader.pid)
        while len(members := tree.members()) < 3:
            pass
        leader.kill()
        leader.wait()

        left = tree.members()
        size = tree.measure()
        refused = tree.kill()

    assert {process.pid for process in left} == {p.pid for p in members} - {leader.pid}
    assert (size.processes, size.pids, refused) == (2, 2, [])
    assert not any(psutil.pid_exists(p.pid) and p.status() != psutil.STATUS_ZOMBIE for p in left)


def test_notes_say_who_owns_what(stranger: subprocess.Popen[bytes]) -> None:
    note = asdict(note_about(stranger))

    assert (note["owner_pid"], note["root_pid"], note["session"]) == (os.getpid(), stranger.pid, stranger.pid)
    assert note["executable"].endswith("sleep") or Path(note["executable"]).exists()
