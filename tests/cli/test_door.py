"""The door answers every mistake with one sentence and its fix."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer

from limpet.cli import table
from limpet.cli.opening import open_house, verb_app
from limpet.cli.options import part_options
from limpet.errors import ConnectionFailed, DiskInsufficient, LedgerBusy, UnknownSite, UsageError

Say = Callable[..., Any]


@pytest.fixture
def failing_verb(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Put a verb `probe` into the table that raises what it is told to."""

    def install(error: BaseException) -> None:
        module = ModuleType("limpet.cli.verbs.probe")
        module.app = verb_app()  # type: ignore[attr-defined]

        @module.app.command()  # type: ignore[attr-defined,untyped-decorator]
        def probe(with_log: bool = False) -> None:
            if with_log:
                open_house()
            raise error

        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(table.BY_NAME, "probe", table.Verb("probe", "Try", "raises"))

    return install


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("--data-dir", "x", "--help")])
def test_help_lists_every_verb_and_teaches_with_examples(words: tuple[str, ...], limpet: Say) -> None:
    said = limpet(*words)

    assert said.code == 0 and "Examples:" in said.out
    assert all(f"  {verb.name} " in said.out for verb in table.VERBS)


@pytest.mark.parametrize("verb", [verb.name for verb in table.VERBS])
def test_every_verb_has_a_page_of_its_own(verb: str, limpet: Say) -> None:
    said = limpet(verb, "--help")

    assert said.code == 0 and "usage" in said.out.lower()


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from limpet.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"

    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stderr.split()

    heavy = {
        "typer",
        "rich",
        "pydantic",
        "pydantic_settings",
        "sqlalchemy",
        "aiohttp",
        "fastapi",
        "structlog",
    }
    assert heavy.isdisjoint(loaded)


def test_the_version_is_printed(limpet: Say) -> None:
    assert limpet("--version").out.startswith("limpet 0")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("docter",), '"docter" is not a verb of limpet - did you mean "doctor"?'),
        (("xyzzy",), '"xyzzy" is not a verb of limpet.'),
        (("--frobnicate",), '"--frobnicate" is not an option of limpet'),
        (("doctor", "--frobnicate"), "No such option: --frobnicate"),
        (("doctor", "extra"), "unexpected extra argument"),
        (("--data-dir",), "--data-dir needs a value."),
        (("doctor", "--data-dir="), "--data-dir needs a value."),
        (("init", "--path"), "requires an argument"),
    ],
)
def test_nonsense_is_answered_in_one_sentence_with_exit_code_2(
    words: tuple[str, ...], sentence: str, limpet: Say
) -> None:
    said = limpet(*words)

    assert said.code == 2 and sentence in said.err and "  fix: " in said.err
    assert "Traceback" not in said.err and len(said.err.strip().splitlines()) == 2


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (UnknownSite("There is no site 'x'.", fix="See the list."), 2, "There is no site 'x'."),
        (ConnectionFailed("Nobody answers at x."), 1, "Nobody answers at x."),
        (DiskInsufficient("No space is left."), 2, "No space is left."),
        (LedgerBusy("The ledger stayed busy."), 1, "The ledger stayed busy."),
        (
            OSError(errno.ENOSPC, "No space left on device", "data/x"),
            2,
            "There is no space left to write data/x.",
        ),
        (
            OSError(errno.EROFS, "Read-only file system", "data/x"),
            2,
            "data/x cannot be used: read-only file system.",
        ),
        (PermissionError(errno.EACCES, "Permission denied", "x"), 2, "x cannot be used: permission denied."),
        (OSError(errno.EADDRINUSE, "Address already in use"), 2, "The port is already in use."),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "page.html"),
            2,
            "page.html cannot be used",
        ),
        (
            ExceptionGroup("tasks", [ValueError("x"), UsageError("The first we know.")]),
            2,
            "The first we know.",
        ),
        (KeyboardInterrupt(), 130, ""),
        (RuntimeError("a bug"), 70, "Something unexpected happened: RuntimeError: a bug"),
        (ExceptionGroup("tasks", [ValueError("deep")]), 70, "Something unexpected happened"),
    ],
)
def test_every_error_leaves_as_a_sentence_and_a_code(
    error: BaseException, code: int, sentence: str, limpet: Say, failing_verb: Callable[[BaseException], None]
) -> None:
    failing_verb(error)

    said = limpet("probe")

    assert said.code == code and sentence in said.err
    assert "Traceback" not in said.err


def test_a_verb_may_choose_its_exit_code(limpet: Say, failing_verb: Callable[[BaseException], None]) -> None:
    failing_verb(typer.Exit(3))

    assert limpet("probe").code == 3


def test_the_traceback_is_shown_when_asked_for(
    limpet: Say, failing_verb: Callable[[BaseException], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_verb(RuntimeError("a bug"))

    by_option = limpet("probe", "--debug")
    monkeypatch.setenv("LIMPET_DEBUG", "1")
    by_variable = limpet("probe")

    assert "Traceback" in by_option.err and "Traceback" in by_variable.err


def test_the_full_story_of_a_crash_is_in_the_log(
    limpet: Say, failing_verb: Callable[[BaseException], None], room: Path
) -> None:
    failing_verb(RuntimeError("a bug with http://host/path?token=abc"))

    said = limpet("probe", "--with-log", "--data-dir", "here")

    log = (room / "here" / "logs" / "latest.log").read_text()
    assert "here/logs/latest.log" in said.err
    assert "Traceback" in log and "abc" not in log + said.err


def test_a_log_that_cannot_be_written_is_said_before_any_work(
    limpet: Say, failing_verb: Callable[[BaseException], None], room: Path
) -> None:
    (room / "file").write_text("in the way")
    failing_verb(RuntimeError("never reached"))

    said = limpet("probe", "--with-log", "--data-dir", "file")

    assert said.code == 2 and "Cannot write the log" in said.err


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    code = "import sys; from limpet.cli import main; sys.exit(main(['--help']))"
    command = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert command.stdout is not None and command.stderr is not None

    command.stdout.close()
    complaint = command.stderr.read()
    command.stderr.close()

    assert command.wait(timeout=30) == 141 and complaint == b""


@pytest.mark.parametrize(
    "words",
    [
        ["--data-dir", "d", "-v", "run", "--limit", "3"],
        ["run", "--data-dir=d", "--limit", "3", "-v"],
        ["run", "--limit", "3", "--verbose", "--data-dir", "d"],
    ],
)
def test_global_options_may_stand_anywhere(words: list[str]) -> None:
    options = part_options(words)

    assert options.data_dir == Path("d") and options.as_settings()["log_level"] == "debug"
    assert options.rest == ["run", "--limit", "3"]


def test_after_two_dashes_nothing_is_an_option() -> None:
    options = part_options(["parse", "--", "--debug"])

    assert options.rest == ["parse", "--", "--debug"] and not options.debug


def test_list_sites_shows_those_the_config_file_describes(limpet: Say, room: Path) -> None:
    (room / "limpet.toml").write_text(
        '[[sites]]\nid = "corner-shop"\nversion = "1.0.0"\napp = "prices"\ndomain = "corner.example.com"\n'
        'currency = "EUR"\nproduct = "main"\n[sites.fields]\ntitle = {css = "h1"}\nprice = {css = ".price"}\n'
        'availability = {css = ".stock"}\n'
    )

    said = limpet("list", "sites", "--json")

    assert said.code == 0 and '"corner-shop"' in said.out
