"""What a verb does first: read the settings, and open the log when it is going to work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from limpet.cli.options import GlobalOptions
from limpet.errors import UsageError

if TYPE_CHECKING:
    from limpet.settings import Settings

_asked = GlobalOptions()


def remember(options: GlobalOptions) -> None:
    """Keep what the command line asked for, for the verb that is about to run."""
    global _asked  # noqa: PLW0603 - one command line per process
    _asked = options


def asked() -> GlobalOptions:
    """Return the global options of this command line."""
    return _asked


def read_settings(**more: object) -> Settings:
    """Return the settings of this command; `more` are options of the verb itself, None when not given."""
    from limpet.settings import load_settings  # noqa: PLC0415 - half a second that help need not wait for

    return load_settings(**(_asked.as_settings() | more))


def read_kept(**more: object) -> Settings:
    """Return the settings where a ledger is kept, or say that there is none: a mistyped place must not look healthy."""
    from limpet.record.database import has_ledger  # noqa: PLC0415

    settings = read_settings(**more)
    if not has_ledger(settings.ledger_place):
        fix = "Name the place with --data-dir; `limpet run` and `limpet serve` begin a new one."
        raise UsageError(f"There is no ledger in {settings.ledger_place}.", fix=fix)
    return settings


def open_house(*, must_exist: bool = False, **more: object) -> Settings:
    """Return the settings, with the log opened: for verbs that work rather than answer."""
    from limpet.logs import open_logs  # noqa: PLC0415

    settings = read_kept(**more) if must_exist else read_settings(**more)
    open_logs(settings.logs_dir, level=settings.log_level, style=settings.log_format)
    return settings


def verb_app() -> typer.Typer:
    """Return an empty app for one verb: plain help that starts quickly, and errors left to the door."""
    return typer.Typer(
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
