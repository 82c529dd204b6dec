"""What the verb `stop` does."""

from __future__ import annotations

from limpet.assembly import all_apps
from limpet.cli.in_ledger import ask, decide, decide_beforehand
from limpet.errors import UsageError
from limpet.record.access.halting import halt, halts_in_force, release_halt
from limpet.source.switch import EVERYTHING


def halt_now(what: str, reason: str) -> None:
    """Stop everything or an app."""
    if what not in (EVERYTHING, *all_apps()):
        known = ", ".join((EVERYTHING, *sorted(all_apps())))
        fix = f"Stop one of: {known}. A single source: limpet sources disable SOURCE --reason ..."
        raise UsageError(f"{what!r} cannot be stopped.", fix=fix)
    decide_beforehand(halt, scope=what, reason=reason)


def release_now(what: str, reason: str) -> None:
    """Let it go on."""
    decide(release_halt, scope=what, reason=reason)


def stops() -> list[str]:
    """Return a sentence for everything that is stopped."""
    return [each.sentence for each in ask(halts_in_force)]
