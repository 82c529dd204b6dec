"""The door: finds the verb, and lets no error out except as one sentence and its fix."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

from limpet import __version__
from limpet.cli.help import first_page
from limpet.cli.options import GlobalOptions, part_options
from limpet.cli.table import BY_NAME, Verb
from limpet.errors import UsageError

OK = 0
UNEXPECTED = 70  # EX_SOFTWARE: the fault is ours
INTERRUPTED = 130
PIPE_CLOSED = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code. Never raises."""
    options = GlobalOptions()
    try:
        options = part_options(sys.argv[1:] if argv is None else argv)
        code = _answer(options)
        sys.stdout.flush()
    except BaseException as error:
        return _let_out(error, options)
    else:
        return code


def _answer(options: GlobalOptions) -> int:
    words = options.rest
    if not words or words[0] in {"-h", "--help"}:
        sys.stdout.write(first_page())
        return OK
    if words[0] == "--version":
        sys.stdout.write(f"limpet {__version__}\n")
        return OK
    return _say(_find(words[0]), words[1:], options=options)


def _find(word: str) -> Verb:
    if word in BY_NAME:
        return BY_NAME[word]
    import difflib  # noqa: PLC0415 - only for those who mistyped

    kind = "an option" if word.startswith("-") else "a verb"
    near = difflib.get_close_matches(word, list(BY_NAME), n=1)
    hint = f' - did you mean "{near[0]}"?' if near else "."
    raise UsageError(f'"{word}" is not {kind} of limpet{hint}', fix="`limpet --help` lists them all.")


def _say(verb: Verb, words: Sequence[str], *, options: GlobalOptions) -> int:
    import typer.main  # noqa: PLC0415 - the first page does without

    from limpet.cli.opening import remember  # noqa: PLC0415

    remember(options)
    command = typer.main.get_command(importlib.import_module(verb.module).app)
    result = command.main(list(words), prog_name=f"limpet {verb.name}", standalone_mode=False)
    return result if isinstance(result, int) else OK


def _let_out(error: BaseException, options: GlobalOptions) -> int:
    """Say what went wrong on stderr and return the exit code."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    if isinstance(error, KeyboardInterrupt):
        _tell("Interrupted.")
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        return _close_quietly()
    if hasattr(error, "format_message"):
        return _misused(error)
    return _explain(error, options)


def _close_quietly() -> int:
    """Whoever read our output has seen enough; a second complaint at exit would only confuse."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED


def _misused(error: Any) -> int:
    """An option or argument the verb does not know, or a value it cannot take."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "limpet"
    sentence = error.format_message().replace("Value error, ", "").rstrip(".")
    _tell(f"{sentence}.", fix=f"`{path} --help` shows what it takes.")
    return 2


def _explain(error: BaseException, options: GlobalOptions) -> int:
    from limpet.cli.translation import exit_code, in_our_words  # noqa: PLC0415
    from limpet.settings import wants_debug  # noqa: PLC0415

    debug = options.debug or wants_debug()
    if debug:
        traceback.print_exception(error)
    known = in_our_words(error)
    if known is not None:
        _tell(str(known), fix=known.fix)
        return exit_code(known)
    _tell(
        f"Something unexpected happened: {type(error).__name__}: {_first_line(error)}",
        fix=_story(error, options),
    )
    return UNEXPECTED


def _story(error: BaseException, options: GlobalOptions) -> str:
    from limpet.logs import note_crash  # noqa: PLC0415

    log = note_crash(error, data_dir=options.data_dir)
    again = "run it again with --debug to see where"
    return f"The full story is in {log}; {again}." if log else f"This is a fault of Limpet; {again}."


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or ["no more is known"])[0][:200]


def _tell(sentence: str, *, fix: str = "") -> None:
    from limpet.cli.plain import harmless  # noqa: PLC0415
    from limpet.logs import redact  # noqa: PLC0415

    for line in (f"limpet: {sentence}", f"  fix: {fix}" if fix else ""):
        if line:
            print(harmless(redact(line)), file=sys.stderr)
